"""The rows of files that were read, and of those that do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Workspace
from promptscope_engine.agents.kit.disk.rows import (
    Found,
    Reads,
    absent,
    file_row,
    followed,
    located,
    places_of,
    usable,
    with_reasons,
)
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Lever, Limit, SettingSource
from promptscope_engine.workspace import FileText
from promptscope_engine.workspace.reader import Problem

FILE = FileText.of("/w/a.md", "/real/a.md", "héé".encode(), 5)


def test_the_row_of_a_file_has_its_paths_and_sizes() -> None:
    row = file_row(FILE, "rules", "always", ALWAYS, "hé")
    assert (row.path, row.real_path, row.bytes, row.raw_chars, row.injected) == ("/w/a.md", "/real/a.md", 5, 3, "hé")
    assert (row.truncated, row.limits, row.imported_by) == (False, (), None)


def test_a_limit_cuts_a_file_unless_it_is_said_that_none_did() -> None:
    limits = (Limit("bytes", 1, 5),)
    assert file_row(FILE, "rules", "always", ALWAYS, limits=limits).truncated
    assert not file_row(FILE, "rules", "always", ALWAYS, limits=limits, truncated=False).truncated


def test_a_row_may_be_shown_under_another_path_and_counted_otherwise() -> None:
    row = file_row(FILE, "rules", "import", ALWAYS, shown="a.md", imported_by="/w/b.md", chars=0)
    assert (row.path, row.imported_by, row.raw_chars) == ("a.md", "/w/b.md", 0)


@pytest.mark.parametrize(
    ("problem", "why"),
    [("missing", "no such file"), ("directory", "a folder is there"), ("unreadable", "it cannot be read: unreadable")],
)
def test_a_file_that_cannot_be_read_says_why(problem: Problem, why: str) -> None:
    verdict = usable(FileText("/w/a.md", "/w/a.md", problem=problem)).evaluate(Facts())
    assert (verdict.ok, verdict.text) == (False, why)


def test_an_absent_file_says_why_and_what_to_do() -> None:
    found = absent("/w/a.md", "it is blank", "write something into it")
    assert (found.ok, found.no, found.remedy) == (False, "it is blank", "write something into it")


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    """A folder with links to the folder beside it, which is not announced."""
    (tmp_path / "beside/folder").mkdir(parents=True)
    (tmp_path / "beside/file.md").write_text("")
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    (cwd / "own.md").write_text("")
    (cwd / "inside.md").symlink_to("own.md")
    (cwd / "file.md").symlink_to("../beside/file.md")
    (cwd / "folder").symlink_to("../beside/folder")
    (cwd / "dead.md").symlink_to("../beside/none.md")
    return cwd


def announced(cwd: Path) -> Workspace:
    workspace = Workspace()
    workspace.allow([str(cwd)])
    return workspace


def row(path: str, when: Condition = ALWAYS) -> FileDraft:
    return FileDraft(path, path, "rule", "always", when)


@pytest.mark.parametrize("follow", [True, False])
def test_a_link_to_elsewhere_is_followed_if_the_scenario_says_so(cwd: Path, follow: bool) -> None:
    workspace = announced(cwd)
    assert [followed(workspace, f"{cwd}/{name}", follow) for name in ("own.md", "inside.md")] == [ALWAYS, ALWAYS]
    found = followed(workspace, f"{cwd}/file.md", follow)
    assert found.holds(Facts()) is follow
    assert f" leads to {cwd.parent}/beside/file.md" in found.evaluate(Facts()).text
    wanted = Lever("outside_links", "refuse" if follow else "follow")
    assert found.levers(Facts(), not follow) == (wanted,)


def test_a_refused_link_is_a_row_and_may_not_be_read(cwd: Path) -> None:
    found = Found(workspace=announced(cwd))
    names = ("own.md", "inside.md", "none.md", "dead.md", "file.md", "folder")
    may = {name: found.may_read(f"{cwd}/{name}", "rule") for name in names}
    assert may == dict.fromkeys(names, True) | {"file.md": False, "folder": False}
    assert [(each.path, each.real_path) for each in found.files] == [
        (f"{cwd}/{name}", f"{cwd.parent}/beside/{name}") for name in ("file.md", "folder")
    ]


def test_the_row_of_a_file_behind_a_refused_link_says_so(cwd: Path) -> None:
    refused = Fact("flag", "outside_links", False, "", "refused")
    other = Fact("flag", "outside", False, "", "something else")
    rows = [
        row(f"{cwd}/own.md"), row("file.md"), row(f"{cwd}/file.md", other), row(f"{cwd}/folder"),
        row(f"{cwd}/folder", other), row(f"{cwd}/folder", refused), row(f"{cwd}/folder", refused & other),
        row(f"{cwd}/dead.md"),
    ]  # fmt: skip
    workspace = announced(cwd)
    assert list(with_reasons(workspace, rows, str(cwd), follow=True, reader="Toy 1")) == rows
    shown = with_reasons(workspace, rows, str(cwd), follow=False, reader="Toy 1")
    file, folder = (f"left out here: it leads to {cwd.parent}/beside/{name}" for name in ("file.md", "folder"))
    told, no_file = "; Toy 1 would read it", f"a link leads to {cwd.parent}/beside/folder, which is not a file"
    assert [each.when.evaluate(Facts()).text for each in shown] == [
        ALWAYS.evaluate(Facts()).text, f"{file}{told}", f"{file}{told}", no_file, no_file, f"{folder}{told}",
        f"{folder}{told}", ALWAYS.evaluate(Facts()).text,
    ]  # fmt: skip


def test_rows_say_where_files_are() -> None:
    rows = [{"at": "root", "below": ".x", "kind": "a"}, {"at": "none"}, {"at": "all"}]
    folders = {"root": ("/w/",), "none": (), "all": ("/w", "/v")}
    assert [folder for folder, _ in located([{"at": "up", "but": "home"}], {"up": ("/a", "/"), "home": ("/a",)})] == [
        "/"
    ]
    assert next(located(rows, {"root": ("/",)}))[0] == "/.x"
    assert [(folder, row["at"]) for folder, row in located(rows, folders)] == [
        ("/w/.x", "root"),
        ("/w", "all"),
        ("/v", "all"),
    ]
    near = {"near": [{"at": "root", "kind": "a"}, {"at": "root", "kind": "b", "names": ["B.md"]}]}
    assert [(place.kind, place.names) for place in places_of(near, folders, names=("A.md",))] == [
        ("a", ("A.md",)),
        ("b", ("B.md",)),
    ]


def test_a_note_is_said_where_it_is_so() -> None:
    found = Found(workspace=Workspace())
    notes = {"one": "{who} is one", "two": {"severity": "warning", "says": "two"}, "three": "three"}
    source = SettingSource("a.b", "/w/s.json", line=3)
    found.note(notes, {"one": True, "two": source, "three": False}, who="it")
    assert [(d.severity, d.code, d.message, d.path, d.line) for d in found.diagnostics] == [
        ("info", "one", "it is one", None, None),
        ("warning", "two", "two", "/w/s.json", 3),
    ]


def test_a_sentence_counts_since_a_version_and_for_the_home_folder() -> None:
    named = [
        {"names": ["A.md"], "says": "{name} is read"},
        {"names": ["A.md"], "since": "2.0.0", "says": "{name} is no longer read"},
        {"names": [".x/"], "says": "not in .x"},
        {"names": ["~/.x/"], "says": "not in ~/.x"},
    ]
    agent = {"reads": {"otherwise": "never", "named": named}}
    assert Reads.of(agent, "1.0.0").sentence("/w/A.md") == "A.md is read"
    assert Reads.of(agent, "2.1.0").sentence("/w/A.md") == "A.md is no longer read"
    reads = Reads.of(agent, "1.0.0", "/home/Ada")
    assert [reads.sentence(path) for path in ("/w/.x/a", "/home/Ada/.x/a", "/home/Ada/w/.x/a", "/w/b")] == [
        "not in .x",
        "not in ~/.x",
        "not in .x",
        "never",
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [("CLAUDE.md", True), ("docs/a.md", True), ("CLAUDE.md\n", False), ("AGENTS.md", False), ("x.md", False)],
)
def test_a_link_that_was_checked_out_as_a_text_is_named(tmp_path: Path, text: str, *, named: bool) -> None:
    (tmp_path / "docs").mkdir()
    for name, content in (("CLAUDE.md", "Rules\n"), ("docs/a.md", "Rules\n"), ("AGENTS.md", text)):
        (tmp_path / name).write_text(content)
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    found = Found(workspace=workspace)
    found.row(workspace.read(f"{tmp_path}/AGENTS.md"), "agents-md", "always", ALWAYS, text)
    assert [d.code for d in found.diagnostics] == ["link-as-text"] * named
