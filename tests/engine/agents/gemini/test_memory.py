"""Context files: names, order, what is left out and why (specs/gemini.md 5)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from promptscope_engine.agents.gemini.gather.memory import context_names

from .conftest import Project, codes, loaded, text_of


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
    [(None, 1), ([], 1), (["package.json"], 2), (["/package.json", "../x"], 1), ([".git", "package.json"], 2)],
)
def test_the_walk_ends_at_a_marker(project: Project, markers: list[str] | None, found: int) -> None:
    project.write({"workspace/package.json": "{}", "workspace/GEMINI.md": "x", "workspace/m/GEMINI.md": "y"})
    settings = {} if markers is None else {"context": {"memoryBoundaryMarkers": markers}}
    assert len(loaded(project.assemble(workspace=f"{project.cwd}/m", settings=settings))) == found


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
