"""`@path` in context files (docs/agents/gemini.md#imports)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.agents.gemini.conftest import SETTINGS, Project, codes, said, text_of

from promptscope_engine.agents.gemini.gather.context import Format, Import, Importer, boundary, code_regions, tokens
from promptscope_engine.prompt.ids import path_in_id
from promptscope_engine.prompt.spans import Spans, joined
from promptscope_engine.workspace import Workspace


def content(project: Project, **given: object) -> str:
    """The text between the lines that name the workspace's GEMINI.md."""
    name = path_in_id(f"{project.cwd}/GEMINI.md", str(given.get("workspace", project.cwd)), str(project.root / "home"))
    text = text_of(project.assemble(**given), f"memory.project:{name}")
    return text.removeprefix("--- Context from: ").partition(" ---\n")[2].partition("\n--- End of Context")[0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@a", ["a"]),
        ("x @./a\t@/b\r\n@C.", ["./a", "/b", "C."]),
        ('@~/x @_x @1 @-x (@x) a@x @"x" @中 @', []),
        ("\ufeff@a", []),
        ("`@a` and ``@b``", []),
        ("` @a", ["a"]),
        ("```\n@a\n```\n@b", ["b"]),
        ("~~~\n@a\n~~~\n    @b", ["a", "b"]),
        ("```\n@a ` @b ` @c", ["b", "c"]),
    ],
)
def test_what_counts_as_an_import(text: str, found: list[str]) -> None:
    assert [token for token, _, _ in tokens(text)] == found


def test_tokens_know_their_lines() -> None:
    assert [(token, line) for token, _, line in tokens("@a\n\n@b @c\n")] == [("a", 1), ("b", 3), ("c", 3)]


@given(st.text(alphabet="`a", max_size=30))
def test_code_regions_are_those_of_the_expression(text: str) -> None:
    expected = [match.span() for match in re.finditer(r"(`+)([\s\S]*?)\1", text)]
    assert list(code_regions(text)) == expected


@pytest.mark.parametrize(
    "text", ["`a`b`c", "`a`b`c`", "``a`b", "`a``b`c``", "```a``b", "``` `` ` `", "`a `` b` c`d`", "a"]
)
def test_code_regions_of_runs_of_all_lengths(text: str) -> None:
    assert list(code_regions(text)) == [match.span() for match in re.finditer(r"(`+)([\s\S]*?)\1", text)]


def test_an_import_stands_in_its_place(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "a @p.md b\n", "workspace/p.md": " part\n\n"})
    assert content(project) == "a <!-- Imported from: p.md -->\n part\n\n\n<!-- End of import from: p.md --> b"


def test_what_cannot_be_imported_leaves_a_note(project: Project) -> None:
    project.write(
        {"workspace/GEMINI.md": "@alice @../x.md @docs @https://x.test/\n", "workspace/docs/a": "a", "x.md": "x"}
    )
    missing = f"no such file or directory, access '{project.cwd}/alice'"
    assert content(project) == (
        f"<!-- Import failed: alice - ENOENT: {missing} --> "
        "<!-- Import failed: ../x.md - Path traversal attempt --> "
        "<!-- Import failed: docs - EISDIR: illegal operation on a directory, read --> "
        "<!-- Import failed: https://x.test/ - Path traversal attempt -->"
    )
    note = codes(project.assemble())["import-failed"]
    assert (note.path, note.line) == (f"{project.cwd}/GEMINI.md", 1)


def test_the_system_says_why_a_file_cannot_be_opened(project: Project) -> None:
    long = "x" * 256
    project.write({"workspace/GEMINI.md": f"@p.md/x @{long} @docs/ @.", "workspace/p.md": "p", "workspace/docs/a": "a"})
    assert content(project) == (
        f"<!-- Import failed: p.md/x - ENOTDIR: not a directory, access '{project.cwd}/p.md/x' --> "
        f"<!-- Import failed: {long} - ENAMETOOLONG: name too long, access '{project.cwd}/{long}' --> "
        "<!-- Import failed: docs/ - EISDIR: illegal operation on a directory, read --> "
        "<!-- Import failed: . - EISDIR: illegal operation on a directory, read -->"
    )


@pytest.mark.parametrize("marker", [".root", "package.json"])
def test_imports_lead_into_the_whole_project_of_a_marker(project: Project, marker: str) -> None:
    project.write({f"workspace/{marker}": "", "workspace/GEMINI.md": "@docs/p.md", "workspace/docs/p.md": "part\n"})
    (project.root / "workspace/a/b").mkdir(parents=True)
    given = {"workspace": f"{project.cwd}/a/b", "settings": {"context": {"memoryBoundaryMarkers": [marker]}}}
    assert "\npart\n" in content(project, **given)


def test_imports_lead_into_the_repository_of_a_further_folder(project: Project) -> None:
    project.write(
        {"other/.git/HEAD": "x", "other/GEMINI.md": "@docs/p.md", "other/docs/p.md": "part\n", "other/d/x": ""}
    )
    assembly = project.assemble(args={"includeDirectories": ["../other/d"]})
    assert "\npart\n" in text_of(assembly, f"memory.project:{project.root}/other/GEMINI.md")


def test_a_file_imports_itself_once(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "x @GEMINI.md\n"})
    assert content(project).count("<!-- Imported from: GEMINI.md -->") == 1
    assert content(project).count("<!-- File already processed: GEMINI.md -->") == 1


@pytest.mark.parametrize("depth", [4, 5, 6])
def test_imports_of_the_fifth_level_stay_as_text(project: Project, depth: int) -> None:
    files = {f"workspace/{n}.md": f"level {n} @x{n + 1}.md\n" for n in range(1, depth + 1)}
    files |= {f"workspace/x{n}.md": f"level {n} @x{n + 1}.md\n" for n in range(1, depth + 1)}
    project.write({"workspace/GEMINI.md": "@x1.md\n", **files})
    text = content(project)
    assert ("level 5" in text) is (depth >= 5)
    assert "level 6" not in text
    assert ("level 5 @x6.md" in text) is (depth >= 5)


def test_a_repository_is_the_border_of_imports(project: Project) -> None:
    project.write({"workspace/.git/HEAD": "x", "workspace/m/GEMINI.md": "@../p.md", "workspace/p.md": "part\n"})
    text = text_of(project.assemble(workspace=f"{project.cwd}/m"), "memory.project:GEMINI.md")
    assert "part" in text
    (project.root / "workspace/.git/HEAD").unlink()
    (project.root / "workspace/.git").rmdir()
    text = text_of(project.assemble(workspace=f"{project.cwd}/m"), "memory.project:GEMINI.md")
    assert "Path traversal attempt" in text


def test_flat_lists_files_from_the_last_to_the_first(project: Project) -> None:
    files = {"GEMINI.md": "top @a.md @b.md", "a.md": "A @c.md\n", "b.md": "\nB @none.md\n", "c.md": "C @a.md"}
    project.write({f"workspace/{name}": text for name, text in files.items()})
    text = content(project, settings={"context": {"importFormat": "flat"}})
    names = [
        line.removeprefix("--- File: ").removesuffix(" ---") for line in text.split("\n") if line.startswith("--- File")
    ]
    assert names == [project.cwd, *(f"{project.cwd}/{name}" for name in ("b.md", "a.md", "c.md"))]
    assert f"--- File: {project.cwd}/b.md ---\nB @none.md\n--- End of File: {project.cwd}/b.md ---" in text


@pytest.mark.slow
def test_imports_are_followed_up_to_a_limit(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "@p.md " * 5_002, "workspace/p.md": "x"})
    assert codes(project.assemble())["too-many-imports"].severity == "warning"
    assert content(project).endswith("<!-- End of import from: p.md --> @p.md @p.md")


def processed(
    folder: Path, text: str, style: Format = "tree", markers: Sequence[str] = ()
) -> tuple[Spans, list[Import]]:
    """What becomes of a GEMINI.md of this text, and the imports that were looked at."""
    (folder / "GEMINI.md").write_text(text)
    workspace = Workspace()
    workspace.allow([str(folder)])
    importer = Importer(workspace, tuple(markers))
    return importer.process(workspace.read(str(folder / "GEMINI.md")), style), importer.seen


def places(spans: Spans) -> list[tuple[str, str, int | None, int | None]]:
    """(text, file, first line, last line) of every stretch that a file holds."""
    found = ((span.text, span.origin) for span in spans if span.origin.path)
    return [(text, Path(origin.path or "").name, origin.start_line, origin.end_line) for text, origin in found]


def test_every_stretch_knows_its_lines(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text("one\ntwo @none.md\nthree")
    spans, seen = processed(tmp_path, "\na\nb @p.md c\nd @p.md\n@none.md e\n")
    inner = [("one\ntwo ", "p.md", 1, 2), ("\nthree", "p.md", 2, 3)]
    assert places(spans) == [
        ("a\nb ", "GEMINI.md", 2, 3), *inner, (" c\nd ", "GEMINI.md", 3, 4), *inner, ("\n", "GEMINI.md", 4, 5),
        (" e", "GEMINI.md", 5, 5),
    ]  # fmt: skip
    assert [(Path(each.importer).name, each.line, each.token, each.outcome) for each in seen] == [
        ("GEMINI.md", 3, "p.md", "found"), ("p.md", 2, "none.md", "missing"), ("GEMINI.md", 4, "p.md", "found"),
        ("p.md", 2, "none.md", "missing"), ("GEMINI.md", 5, "none.md", "missing"),
    ]  # fmt: skip


@pytest.mark.parametrize("further", [0, 1])
def test_an_import_of_the_fifth_level_is_named_once_with_its_line(tmp_path: Path, further: int) -> None:
    for level in range(1, 6):
        (tmp_path / f"x{level}.md").write_text(f"\n\n@x{level + 1}.md" + f" @x{level + 1}.md" * further)
    _, seen = processed(tmp_path, "@x1.md")
    deep = [(Path(each.importer).name, each.line, each.token) for each in seen if each.outcome == "too-deep"]
    assert deep == [("x5.md", 3, "x6.md")] * (1 + further) ** 4
    assert len([each for each in seen if each.importer.endswith("/x5.md")]) == len(deep)


@pytest.mark.parametrize(("count", "followed"), [(5_000, 5_000), (5_001, 5_000)])
@pytest.mark.parametrize("style", ["tree", "flat"])
def test_five_thousand_imports_are_looked_at(tmp_path: Path, style: Format, count: int, followed: int) -> None:
    _, seen = processed(tmp_path, "@none " * count, style)
    assert [each.outcome for each in seen] == ["missing"] * followed + ["too-many"] * (count - followed)


@pytest.mark.parametrize(("size", "followed"), [(1_999_999, True), (2_000_000, True), (2_000_001, False)])
def test_two_million_characters_are_put_in(tmp_path: Path, size: int, followed: bool) -> None:
    (tmp_path / "large").write_text("x" * size)
    (tmp_path / "small").write_text("small")
    spans, seen = processed(tmp_path, "@large @small")
    assert [each.outcome for each in seen] == ["found", "found" if followed else "too-many"]
    assert joined(spans[-3:]).endswith("small") is not followed


@pytest.mark.parametrize(("length", "outcome"), [(4_095, "found"), (4_096, "found"), (4_097, "outside")])
def test_so_long_a_path_is_followed(tmp_path: Path, length: int, outcome: str) -> None:
    (tmp_path / "p.md").write_text("p")
    path = ("./" * 2_046 + "/p.md" if length % 2 else "./" * 2_046 + "p.md")[-length:]
    path = path if path.startswith(".") else f".{path[1:]}"
    assert len(path) == length
    assert [each.outcome for each in processed(tmp_path, f"@{path}")[1]] == [outcome]


@pytest.mark.parametrize("name", ["a.md/x", "loop", "x" * 256])
def test_a_path_that_cannot_be_walked_has_the_systems_word(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "loop").symlink_to("loop")
    words = {
        "a.md/x": "ENOTDIR: not a directory",
        "loop": "ELOOP: too many symbolic links encountered",
        "x" * 256: "ENAMETOOLONG: name too long",
    }
    spans, _ = processed(tmp_path, f"@{name}")
    assert joined(spans) == f"<!-- Import failed: {name} - {words[name]}, access '{tmp_path}/{name}' -->"


def test_a_folder_beside_the_project_is_outside_of_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab/p.md").write_text("p")
    assert [each.outcome for each in processed(tmp_path / "a", "@../ab/p.md @.")[1]] == ["outside", "directory"]


@pytest.mark.parametrize(
    ("markers", "folder", "found"),
    [
        ((), "a/b", None),
        ((".git",), "a/b", "a"),
        ((".git",), "a", "a"),
        ((".git",), ".", None),
        (("absent", "x"), "a/b", "a/b"),
        (("../a/x", "/etc"), "a/b", None),
        (("..x",), "a/b", "a"),
        (("b/x",), "a/b", "a"),
    ],
)
def test_the_nearest_folder_with_a_marker(
    tmp_path: Path, markers: tuple[str, ...], folder: str, found: str | None
) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    for name in (".git", "..x", "x", "b/x"):
        (tmp_path / "a" / name).write_text("")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    expected = None if found is None else str(tmp_path / found)
    assert boundary(workspace, str(tmp_path / folder), markers) == expected


def test_the_root_of_the_disk_may_hold_the_marker(tmp_path: Path) -> None:
    workspace = Workspace()
    top = tmp_path.parts[1]
    assert boundary(workspace, str(tmp_path), (top,)) == "/"
    assert boundary(workspace, "/", (top,)) == "/"
    assert boundary(workspace, "/", ("no such name",)) is None


def test_a_list_of_files_has_their_lines(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("\n\nA\n@b.md @a.md\n")
    (tmp_path / "b.md").write_text("B")
    spans, seen = processed(tmp_path, "top\n@a.md @none.md @a.md", "flat")
    assert places(spans) == [
        ("top\n@a.md @none.md @a.md", "GEMINI.md", 1, 2), ("A\n@b.md @a.md", "a.md", 3, 4), ("B", "b.md", 1, 1)
    ]  # fmt: skip
    assert [(Path(each.importer).name, each.line, each.token, each.outcome) for each in seen] == [
        ("GEMINI.md", 2, "a.md", "found"), ("a.md", 4, "b.md", "found"), ("GEMINI.md", 2, "none.md", "missing")
    ]  # fmt: skip
    between = [span.text for span in spans if not span.origin.path]
    assert between == [
        f"--- File: {tmp_path} ---\n", f"\n--- End of File: {tmp_path} ---",
        f"\n\n--- File: {tmp_path}/a.md ---\n", f"\n--- End of File: {tmp_path}/a.md ---",
        f"\n\n--- File: {tmp_path}/b.md ---\n", f"\n--- End of File: {tmp_path}/b.md ---",
    ]  # fmt: skip


def test_every_file_that_is_put_in_has_a_row(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "@p.md", "workspace/p.md": "x"})
    row = project.file("workspace/p.md")
    assert (row.kind, row.load, row.present, row.imported_by) == ("import", "import", True, f"{project.cwd}/GEMINI.md")


def test_what_is_too_large_to_be_read_leaves_the_note_of_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with (tmp_path / "large").open("w") as file:
        file.truncate(33 << 20)
    spans, _ = processed(tmp_path, "@large")
    assert joined(spans) == f"<!-- Import failed: large - EACCES: permission denied, open '{tmp_path}/large' -->"


def test_the_root_of_the_disk_is_no_project_to_read_from(project: Project) -> None:
    project.write(
        {SETTINGS: '{"context": {"memoryBoundaryMarkers": ["etc"]}}', "workspace/GEMINI.md": "@/etc/hostname"}
    )
    [(_, _, message)] = said(project, "import-failed")
    assert message.endswith(": it cannot be read")
