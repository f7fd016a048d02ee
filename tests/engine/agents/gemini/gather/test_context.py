"""Context files: names, order, what is left out and why (docs/agents/gemini.md#context-files)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engine.agents.gemini.conftest import (
    SETTINGS,
    Project,
    codes,
    loaded,
    text_of,
)

from promptscope_engine.agents.gemini.gather.context import context_names

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (None, ("GEMINI.md",)),
        ("AGENTS.md", ("AGENTS.md", "GEMINI.md")),
        ([" A.md ", "", "./A.md", "GEMINI.md", "docs//B.md"], ("A.md", "GEMINI.md", "docs/B.md")),
        (5, ("GEMINI.md",)),
    ],
)
def test_names_are_added_in_front_of_the_default(value: object, names: tuple[str, ...]) -> None:
    assert context_names(value) == names


def test_files_of_a_repository_are_sorted_by_path_and_not_by_nearness(project: Project) -> None:
    project.write(
        {f"workspace/{name}": "x\n" for name in ("GEMINI.md", "Apps/GEMINI.md", "Apps/x/GEMINI.md", ".git/HEAD")}
    )
    found = loaded(project.assemble(workspace=f"{project.cwd}/Apps/x"))
    assert [path.removeprefix(project.cwd) for path in found] == ["/Apps/GEMINI.md", "/Apps/x/GEMINI.md", "/GEMINI.md"]


@pytest.mark.parametrize(
    ("markers", "found"),
    [
        (None, 1),
        ([], 1),
        (["package.json"], 2),
        (["/package.json", "../x"], 1),
        ([".git", "package.json"], 2),
        (["", "package.json"], 2),
        ("package.json", 1),
    ],
)
def test_the_walk_ends_at_a_marker(project: Project, markers: object, found: int) -> None:
    project.write({"workspace/package.json": "{}", "workspace/GEMINI.md": "x", "workspace/m/GEMINI.md": "y"})
    project.write({SETTINGS: json.dumps({"context": {"memoryBoundaryMarkers": markers}})})
    assert len(loaded(project.assemble(workspace=f"{project.cwd}/m"))) == found


def test_the_global_file_stands_in_the_system_text_and_the_projects_in_the_first_message(project: Project) -> None:
    project.write({"home/.gemini/GEMINI.md": "g\n\n\n\ng", "workspace/GEMINI.md": "p\n\n\n\np"})
    assembly = project.assemble()
    system, first = assembly.request.system[0]["text"], assembly.request.messages[0]["content"][0]["text"]
    assert "g\n\ng" in system  # runs of line feeds collapse there
    assert "p\n\n\n\np" in first  # and are kept here
    assert "p\n\np" not in system


def test_one_file_under_two_names_counts_once(project: Project) -> None:
    project.write({"home/.gemini/GEMINI.md": "g"})
    Path(project.cwd, "GEMINI.md").symlink_to(f"{project.home}/.gemini/GEMINI.md")
    os.link(f"{project.home}/.gemini/GEMINI.md", f"{project.cwd}/AGENTS.md")
    assembly = project.assemble(settings={"context": {"fileName": "AGENTS.md"}})
    assert loaded(assembly) == []
    row = next(file for file in assembly.files if file.path == f"{project.cwd}/AGENTS.md")
    assert "it is the same file as" in row.why.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfbom\n", "bom"),
        ("\u3000a\u00a0\n".encode(), "a"),
        ("\x85a\x1c".encode(), "\x85a\x1c"),
        (b"bad \xff\xfe", "bad \ufffd\ufffd"),
        (b"a\r\nb\r\n", "a\r\nb"),
    ],
)
def test_a_text_is_trimmed_as_javascript_does(project: Project, content: bytes, text: str) -> None:
    project.write({"workspace/GEMINI.md": content})
    found = text_of(project.assemble(), "memory.project:GEMINI.md")
    path = f"{project.cwd}/GEMINI.md"
    assert found == f"--- Context from: {path} ---\n{text}\n--- End of Context from: {path} ---"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.write_text(" \n\ufeff"), "it holds only white space"),
        (lambda path: path.mkdir(), "it is not a file"),
        (lambda path: path.symlink_to("nowhere"), "it is not a file"),
        (lambda _: None, "no such file"),
    ],
)
def test_what_is_not_loaded_says_why(project: Project, make: object, why: str) -> None:
    make(Path(project.cwd, "GEMINI.md"))  # type: ignore[operator]
    row = project.file("workspace/GEMINI.md")
    assert not row.present
    assert row.why.text == f"absent: {why}"
    assert row.why.remedy


def test_another_spelling_is_another_name(project: Project) -> None:
    project.write({"workspace/gemini.md": "x"})
    assert loaded(project.assemble()) == []


def test_a_folder_that_is_not_trusted_has_no_project_memory(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "p", "home/.gemini/GEMINI.md": "g"})
    env = {"GEMINI_CLI_TRUST_WORKSPACE": "false"}
    assembly = project.assemble(dialog=True, env=env)
    assert loaded(assembly) == []
    assert "\ng\n" in text_of(assembly, "memory")
    row = next(file for file in assembly.files if file.path == f"{project.cwd}/GEMINI.md")
    assert [(lever.param, lever.value) for lever in row.why.levers] == [("env.GEMINI_CLI_TRUST_WORKSPACE", "true")]


def test_private_memory_takes_the_place_of_heading_and_prose(project: Project) -> None:
    project.write({"home/.gemini/GEMINI.md": "g", "home/.gemini/tmp/workspace/memory/MEMORY.md": "m\n"})
    text = text_of(project.assemble(), "memory")
    assert text.removeprefix("\n\n").startswith("---\n\n<loaded_context>\n<global_context>\n--- Context from: ")
    assert "private, not committed to repo) ---\n--- Context from: " in text
    assert text.endswith("\n--- End Private Project Memory Index ---\n</user_project_memory>\n</loaded_context>")
    project.write({"home/.gemini/tmp/workspace/memory/MEMORY.md": " \n"})
    assert "# Contextual Instructions (GEMINI.md)\n" in text_of(project.assemble(), "memory")


def test_other_names_of_private_memory_count_only_without_the_index(project: Project) -> None:
    folder = "home/.gemini/tmp/workspace/memory"
    project.write({f"{folder}/GEMINI.md": "other"})
    assert "other" in text_of(project.assemble(), "memory")
    project.write({f"{folder}/MEMORY.md": "index"})
    assert "other" not in text_of(project.assemble(), "memory")


def test_a_read_brings_along_what_lies_on_the_way_once(project: Project) -> None:
    project.write(
        {f"workspace/{name}": f"{name}\n" for name in ("GEMINI.md", "s/GEMINI.md", "s/t/GEMINI.md", "s/t/x", "s/y")}
    )
    project.write({"workspace/.git/HEAD": "x", "workspace/u/GEMINI.md": " ", "workspace/u/z": "z"})
    assembly = project.assemble(reads=["u/z", "s/t/x", f"{project.cwd}/s/y", "nowhere/x", "/etc/hostname"])
    assert [s.title for s in assembly.sections if s.id.startswith("read:")] == [f"Found on reading {project.cwd}/s/t/x"]
    text = text_of(assembly, "read:0")
    assert text.startswith(
        f"\n\n--- Newly Discovered Project Context ---\n--- Context from: {project.cwd}/s/GEMINI.md ---\n"
    )
    assert text.index("s/GEMINI.md") < text.index("s/t/GEMINI.md")
    assert [message["content"][0]["text"] for message in assembly.request.messages[1:]] == [text]


def test_further_folders_bring_their_memory(project: Project) -> None:
    project.write({"extra/GEMINI.md": "e", "workspace/GEMINI.md": "w"})
    found = loaded(project.assemble(args={"includeDirectories": ["../extra", f"{project.root}/extra"]}))
    assert found == [f"{project.root}/extra/GEMINI.md", f"{project.cwd}/GEMINI.md"]


def test_the_default_name_cannot_be_switched_off(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{\n "context": {\n  "fileName": "AGENTS.md"\n }\n}'})
    note = codes(project.assemble())["file-name-stays"]
    assert (note.severity, note.path, note.line) == ("info", f"{project.home}/.gemini/settings.json", 3)


def test_names_may_lead_to_other_folders(project: Project) -> None:
    project.write({"home/U.md": "u", "workspace/GEMINI.md": "w", "U.md": "p", "workspace/docs/C.md": "c"})
    assembly = project.assemble(settings={"context": {"fileName": ["../U.md", "docs/C.md"]}})
    assert f"--- Context from: {project.home}/U.md ---\nu\n" in text_of(assembly, "memory")
    assert loaded(assembly) == [f"{project.root}/U.md", f"{project.cwd}/GEMINI.md", f"{project.cwd}/docs/C.md"]


PRIVATE = "home/.gemini/tmp/workspace/memory/MEMORY.md"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([], False),
        (["home/.gemini/GEMINI.md"], False),
        ([PRIVATE], False),
        (["home/.gemini/GEMINI.md", PRIVATE], True),
        (["home/.gemini/GEMINI.md", "workspace/GEMINI.md"], False),
        (["home/.gemini/GEMINI.md", PRIVATE, "workspace/GEMINI.md"], True),
    ],
)
@pytest.mark.parametrize("model", ["gemini-3.8-flash", "gemini-2.5-pro"])
def test_which_memory_wins_is_said_where_there_are_two(
    project: Project, model: str, files: list[str], says: bool
) -> None:
    project.write({**dict.fromkeys(files, "remember"), "home/.gemini/tmp/workspace/.project_root": project.cwd})
    section = project.assemble(model=model).section("core_mandates")
    assert section is not None
    unsaid = [each.why.text for each in section.absent if "private memory" in each.why.text]
    assert unsaid == ([] if says else ["absent: there is no private memory beside a global one"])


def test_of_two_names_of_one_file_the_first_in_the_folder_counts(project: Project) -> None:
    project.write({"workspace/A.md": "a", "workspace/.git/HEAD": "x"})
    os.link(f"{project.cwd}/A.md", f"{project.cwd}/GEMINI.md")
    assembly = project.assemble(settings={"context": {"fileName": "A.md"}})
    assert loaded(assembly) == [f"{project.cwd}/A.md"]
    row = project.file("workspace/GEMINI.md", settings={"context": {"fileName": "A.md"}})
    assert row.why.text == f"absent: it is the same file as {project.cwd}/A.md"


def test_a_file_above_two_folders_of_the_workspace_counts_once(project: Project) -> None:
    project.write({".git/HEAD": "x", "GEMINI.md": "above", "extra/GEMINI.md": "e", "workspace/GEMINI.md": "w"})
    found = loaded(project.assemble(args={"includeDirectories": ["../extra"]}))
    assert found == [f"{project.root}/{name}" for name in ("GEMINI.md", "extra/GEMINI.md", "workspace/GEMINI.md")]


def test_a_folder_of_two_names_is_no_file_under_either(project: Project) -> None:
    folder = project.root / "home/.gemini/GEMINI.md"
    folder.mkdir(parents=True)
    Path(project.cwd, "GEMINI.md").symlink_to(folder)
    for path in ("home/.gemini/GEMINI.md", "workspace/GEMINI.md"):
        assert project.file(path).why.text == "absent: it is not a file"


def test_a_file_that_is_not_trusted_does_not_count_for_its_other_name(project: Project) -> None:
    project.write({PRIVATE: "m"})
    os.link(project.root / PRIVATE, f"{project.cwd}/GEMINI.md")
    env = {"GEMINI_CLI_TRUST_WORKSPACE": "false"}
    assert project.file(PRIVATE, dialog=True, env=env).present
    row = project.file(PRIVATE)
    assert row.why.text == f"absent: it is the same file as {project.cwd}/GEMINI.md"


@pytest.mark.parametrize(
    ("files", "kinds"),
    [
        ({}, {PRIVATE: "memory", "home/.gemini/GEMINI.md": "gemini-md", "workspace/GEMINI.md": "gemini-md"}),
        (
            {PRIVATE: "m", "home/.gemini/GEMINI.md": "g", "workspace/GEMINI.md": "w"},
            {PRIVATE: "memory", "home/.gemini/GEMINI.md": "gemini-md", "workspace/GEMINI.md": "gemini-md"},
        ),
    ],
)
def test_private_memory_is_a_kind_of_its_own_whether_it_is_there_or_not(
    project: Project, files: dict[str, str], kinds: dict[str, str]
) -> None:
    drafts = {draft.path: draft.kind for draft in project.write(files).gathered().files}
    assert {path: drafts[f"{project.root}/{path}"] for path in kinds} == kinds


@pytest.mark.parametrize("style", ["tree", "flat"])
@pytest.mark.parametrize(
    ("text", "severity", "message"),
    [
        ("@none", "warning", "`@none` {}: there is no such file"),
        ("@docs", "warning", "`@docs` {}: it is a folder"),
        ("@../../x", "warning", "`@../../x` {}: it leads out of the project"),
        ("@loop", "warning", "`@loop` {}: it cannot be read"),
        ("@self", "info", "`@self` is replaced by a note: the file imports itself, by way of others"),
    ],
)
def test_what_becomes_of_an_import_that_leads_nowhere(
    project: Project, style: str, text: str, severity: str, message: str
) -> None:
    project.write({"workspace/GEMINI.md": text, "workspace/self": "@self", "workspace/docs/x": ""})
    Path(project.cwd, "loop").symlink_to("loop")
    found = project.gathered(settings={"context": {"importFormat": style}}).diagnostics
    what = {"tree": "is taken for an import and replaced by a note that it failed", "flat": "imports nothing"}[style]
    said = [] if style == "flat" and text == "@self" else [(severity, message.format(what))]
    assert [(each.severity, each.message) for each in found if each.code == "import-failed"] == said


@pytest.mark.parametrize(("count", "named"), [(199, 199), (200, 200), (201, 200)])
def test_so_many_imports_that_failed_are_named_of_a_file(project: Project, count: int, named: int) -> None:
    project.write({"workspace/GEMINI.md": "\n".join(f"@x{number}" for number in range(count))})
    said = [each for each in project.gathered().diagnostics if each.code == "import-failed"]
    assert [each.line for each in said] == list(range(1, named + 1))


def test_nothing_is_said_of_the_imports_of_a_file_that_is_not_sent(project: Project) -> None:
    deep = {f"workspace/x{level}.md": f"@none @x{level + 1}.md" for level in range(1, 7)}
    project.write({"workspace/GEMINI.md": "@x1.md", **deep})
    given = {"dialog": True, "env": {"GEMINI_CLI_TRUST_WORKSPACE": "false"}}
    assert not {each.code for each in project.gathered(**given).diagnostics} & {"import-failed", "import-too-deep"}
    assert {each.code for each in project.gathered().diagnostics} >= {"import-failed", "import-too-deep"}


def test_a_thousand_context_files_are_read(project: Project) -> None:
    extension = project.root / "home/.gemini/extensions/e"
    extension.mkdir(parents=True)
    names = [f"{number:04}.md" for number in range(1_001)]
    for name in names:
        (extension / name).write_text("x")
    (extension / "gemini-extension.json").write_text(json.dumps({"name": "e", "contextFileName": names}))
    found = project.gathered()
    assert len(found.materials.placed("extension")) == 1_000
    said = [each.message for each in found.diagnostics if each.code == "too-many-files"]
    assert said == ["1,000 context files are shown; the others are left out"]


def test_a_read_does_not_bring_along_what_is_loaded_under_another_name(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "w", "workspace/.git/HEAD": "x", "workspace/s/x": "x", "workspace/t/x": "x"})
    Path(project.cwd, "s/GEMINI.md").symlink_to("../GEMINI.md")
    Path(project.cwd, "t/GEMINI.md").symlink_to("../s/GEMINI.md")
    assert project.gathered(reads=["s/x", "t/x"]).materials.discovered == ()


@pytest.mark.parametrize(
    ("read", "brings"),
    [
        ("s/x", ["s/GEMINI.md"]),
        ("s", ["s/GEMINI.md"]),
        ("s/none", []),
        ("x", []),
        ("../workspace-2/x", []),
        ("../other/x", []),
        ("../extra/x", []),
        ("../extra/s/x", ["../extra/s/GEMINI.md"]),
    ],
)
def test_a_read_counts_in_a_folder_of_the_workspace(project: Project, read: str, brings: list[str]) -> None:
    folders = ("workspace", "workspace/s", "workspace-2", "other", "extra", "extra/s")
    project.write({f"{folder}/{name}": "x" for folder in folders for name in ("GEMINI.md", "x")})
    found = project.gathered(reads=[read], args={"includeDirectories": ["../extra"]}).materials.discovered
    assert [file.path for each in found for file in each.files] == [
        os.path.normpath(f"{project.cwd}/{b}") for b in brings
    ]


@pytest.mark.parametrize(("count", "named"), [(49, 49), (50, 50), (51, 50)])
def test_so_many_names_of_context_files_count(count: int, named: int) -> None:
    assert len(context_names([f"{number}.md" for number in range(count)])) == named + 1


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: path.write_text("x"), None),
        (lambda path: path.write_text("a\0b"), "binary"),
        (lambda path: path.mkdir(), None),
        (lambda path: path.symlink_to(path.name), "loop"),
        (lambda path: path.symlink_to("/etc/hostname"), "outside"),
        (lambda path: os.mkfifo(path), "special"),
    ],
)
def test_what_is_said_of_a_context_file(project: Project, make: Callable[[Path], object], code: str | None) -> None:
    make(Path(project.cwd, "GEMINI.md"))
    said = [(each.severity, each.code) for each in project.gathered().diagnostics if "GEMINI.md" in str(each.path)]
    assert said == ([("warning", code)] if code else [])
    assert not [each for each in project.gathered(outside_links="follow").diagnostics if each.code == "outside"]


@pytest.mark.parametrize(
    ("tools", "loads"),
    [
        ({}, True),
        ({"exclude": ["list_directory"]}, True),
        ({"exclude": ["read_file"]}, False),
        ({"exclude": ["*"]}, False),
        ({"core": ["glob"]}, False),
    ],
)
def test_what_no_tool_reads_brings_nothing_along(project: Project, tools: dict[str, list[str]], loads: bool) -> None:
    """Asked 0.61.0."""
    project.write({"workspace/s/GEMINI.md": "there", "workspace/s/x": ""})
    assembly = project.assemble(reads=["s/x"], settings={"tools": tools})
    assert [s.present for s in assembly.sections if s.id.startswith("read:")] == [loads]
    assert [f.present for f in assembly.files if f.path.endswith("/s/GEMINI.md")] == [loads]
