"""`@path` in context files (specs/gemini.md 6)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.gemini.gather.imports import MAX_DEPTH, MAX_IMPORTS, code_regions, tokens
from promptscope_engine.prompt.ids import path_in_id

from .conftest import Project, codes, text_of


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


@pytest.mark.parametrize("depth", [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1])
def test_imports_of_the_fifth_level_stay_as_text(project: Project, depth: int) -> None:
    files = {f"workspace/{n}.md": f"level {n} @x{n + 1}.md\n" for n in range(1, depth + 1)}
    files |= {f"workspace/x{n}.md": f"level {n} @x{n + 1}.md\n" for n in range(1, depth + 1)}
    project.write({"workspace/GEMINI.md": "@x1.md\n", **files})
    text = content(project)
    assert ("level 5" in text) is (depth >= MAX_DEPTH)
    assert "level 6" not in text
    assert ("level 5 @x6.md" in text) is (depth >= MAX_DEPTH)


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


def test_imports_are_followed_up_to_a_limit(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "@p.md " * (MAX_IMPORTS + 2), "workspace/p.md": "x"})
    assert codes(project.assemble())["too-many-imports"].severity == "warning"
    assert content(project).endswith("<!-- End of import from: p.md --> @p.md @p.md")


def test_every_file_that_is_put_in_has_a_row(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "@p.md", "workspace/p.md": "x"})
    row = project.file("workspace/p.md")
    assert (row.kind, row.load, row.present, row.imported_by) == ("import", "import", True, f"{project.cwd}/GEMINI.md")
