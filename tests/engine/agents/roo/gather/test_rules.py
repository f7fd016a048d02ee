"""What is found in the rule directories (docs/agents/roo.md#custom-instructions)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.crowd import CrowdedDisk

from promptscope_engine.agents.roo.gather import rules
from promptscope_engine.agents.roo.gather.rules import RulesDirectory, linked_file, rules_directory
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Kind


def put(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def look(root: Path, name: str = "rules") -> RulesDirectory:
    workspace = Workspace()
    workspace.allow([str(root)])
    return rules_directory(workspace, str(root / name))


def shown(root: Path, directory: RulesDirectory) -> list[str]:
    return [str(Path(file.among_rules.name).relative_to(root)) for file in directory.files]


def test_only_the_basename_sorts_and_ties_keep_the_order_of_discovery(tmp_path: Path) -> None:
    put(tmp_path / "rules", **{"X.md": "", "x.md": "", "a/x.md": "", "b/x.md": "", "c/00-first.md": "", "01.md": ""})
    names = ["rules/c/00-first.md", "rules/01.md", "rules/X.md", "rules/x.md", "rules/b/x.md", "rules/a/x.md"]
    assert shown(tmp_path, look(tmp_path)) == names


@pytest.mark.parametrize("name", ["a.log", "a.lock", "Thumbs.db", ".DS_Store", "x.DS_Store", ".eslintcache", "ä.tmp"])
def test_some_endings_are_left_out(tmp_path: Path, name: str) -> None:
    put(tmp_path / "rules", **{name: "x"})
    found = look(tmp_path)
    assert not found.files
    assert "ends in" in found.dropped[0].why


@pytest.mark.parametrize("name", ["UPPER.LOG", "log", "backup.md~", "thumbs.DB", ".hidden", "noext", "a.json"])
def test_other_names_are_kept(tmp_path: Path, name: str) -> None:
    put(tmp_path / "rules", **{name: "x"})
    assert shown(tmp_path, look(tmp_path)) == [f"rules/{name}"]


def test_a_link_sorts_by_its_own_name_and_shows_its_first_hop(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/m.md": "m", "shared/team.md": "t", "shared/real.log": "l", "shared/keep.md": "k"})
    (tmp_path / "rules/z.md").symlink_to("../shared/team.md")
    (tmp_path / "rules/a.md").symlink_to("z.md")
    (tmp_path / "rules/b.md").symlink_to("../shared/real.log")
    (tmp_path / "rules/c.log").symlink_to("../shared/keep.md")
    found = look(tmp_path)
    assert shown(tmp_path, found) == ["rules/z.md", "shared/keep.md", "rules/m.md", "shared/team.md"]
    assert [dropped.why for dropped in found.dropped] == ["real.log ends in .log"]


def test_links_end_after_two_linked_levels(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/0.md": "", "one/1.md": "", "two/2.md": "", "three/3.md": "", "three/file.md": ""})
    (tmp_path / "rules/to").symlink_to("../one")
    (tmp_path / "one/to").symlink_to("../two")
    (tmp_path / "two/to").symlink_to("../three")
    (tmp_path / "two/a-file.md").symlink_to("../three/file.md")
    found = look(tmp_path)
    assert shown(tmp_path, found) == ["rules/0.md", "one/1.md", "two/2.md", "three/file.md"]
    assert [Path(dropped.path).name for dropped in found.dropped] == ["to"]
    assert "counts each directory link twice" in found.dropped[-1].why
    assert "a third one in a row is not followed" in found.dropped[-1].why


def test_a_link_to_its_own_directory_repeats_every_file_three_times(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/a.md": "", "rules/sub/b.md": ""})
    (tmp_path / "rules/loop").symlink_to(".")
    found = look(tmp_path)
    assert shown(tmp_path, found) == ["rules/a.md"] * 3 + ["rules/sub/b.md"] * 3
    assert [(Path(dropped.path).name, dropped.times) for dropped in found.dropped] == [("loop", 3)]


def test_directories_that_link_to_each_other_are_left_where_it_ends(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/a.md": "", "more/b.md": ""})
    (tmp_path / "rules/to").symlink_to("../more")
    (tmp_path / "more/back").symlink_to("../rules")
    found = look(tmp_path)
    assert shown(tmp_path, found) == ["rules/a.md"] * 2 + ["more/b.md"]
    assert [(Path(dropped.path).name, dropped.times) for dropped in found.dropped] == [("to", 1)]


@pytest.mark.slow
def test_many_loops_are_bounded(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/a.md": "a"})
    for n in range(300):
        (tmp_path / f"rules/loop{n}").symlink_to(".")
    found = look(tmp_path)
    assert len(found.files) < 30_000
    assert any(d.code == "too-many-files" for d in found.diagnostics)


def test_relative_links_are_read_from_where_they_were_reached(tmp_path: Path) -> None:
    put(tmp_path, **{"team/common.md": "c", "team/rules/plain.md": "p", "code/x.md": ""})
    (tmp_path / "team/rules/rel.md").symlink_to("../common.md")
    (tmp_path / "rules").symlink_to("team/rules")
    (tmp_path / "code/pack").symlink_to("../team/rules")
    assert shown(tmp_path, look(tmp_path)) == ["rules/plain.md"]
    assert shown(tmp_path, look(tmp_path, "code")) == ["team/rules/plain.md", "team/common.md", "code/x.md"]


def test_broken_and_looping_links_say_why(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/broken.md").symlink_to("../nowhere.md")
    (tmp_path / "rules/ping.md").symlink_to("pong.md")
    (tmp_path / "rules/pong.md").symlink_to("ping.md")
    found = look(tmp_path)
    assert not found.files
    assert [d.why for d in found.dropped] == [
        "the link leads nowhere (../nowhere.md)",
        "the link is circular",
        "the link is circular",
    ]


def test_a_file_outside_the_allowed_places_is_told(tmp_path: Path) -> None:
    put(tmp_path, **{"in/rules/a.md": "a", "out/secret.md": "s"})
    (tmp_path / "in/rules/s.md").symlink_to("../../out/secret.md")
    workspace = Workspace()
    workspace.allow([str(tmp_path / "in")])
    found = rules_directory(workspace, str(tmp_path / "in/rules"))
    assert [file.among_rules.text for file in found.files] == ["a"]
    [said] = found.diagnostics
    assert said.code == "file-outside"
    assert said.message.endswith("/out/secret.md, which is not read here; Roo would read it")
    assert [d.path for d in found.dropped] == [str(tmp_path / "in/rules/s.md")]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/a.md": "a", "rules/b.md": "long"})
    workspace = Workspace(max_bytes=3)
    workspace.allow([str(tmp_path)])
    found = rules_directory(workspace, str(tmp_path / "rules"))
    assert [file.among_rules.text for file in found.files] == ["a"]
    assert [d.path for d in found.dropped] == [str(tmp_path / "rules/b.md")]


def test_special_files_are_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    os.mkfifo(tmp_path / "rules/pipe")
    (tmp_path / "rules/link").symlink_to("pipe")
    assert not look(tmp_path).files


def test_a_name_that_is_not_text_is_lost(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    with open(os.fsencode(tmp_path / "rules") + b"/bad\xff.md", "wb"):  # noqa: PTH123 - a path of bytes
        pass
    found = look(tmp_path)
    assert not found.files
    assert found.dropped[0].why == "its name is not UTF-8"


def test_a_link_at_the_top_may_stand_for_a_directory(tmp_path: Path) -> None:
    put(tmp_path, **{"docs/b.md": "b", "docs/a.md": "a"})
    (tmp_path / "AGENTS.md").symlink_to("docs")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    assert linked_file(workspace, str(tmp_path / "AGENTS.md")) == str(tmp_path / "docs/a.md")


@pytest.mark.slow
def test_thousands_of_files_are_found(tmp_path: Path) -> None:
    put(tmp_path / "rules", **{f"r{n:04}.md": str(n) for n in range(2000)})
    assert [file.among_rules.text for file in look(tmp_path).files] == [str(n) for n in range(2000)]


def test_a_directory_outside_the_allowed_places_loses_only_itself(tmp_path: Path) -> None:
    put(tmp_path, **{"in/rules/a.md": "a", "out/secret.md": "s"})
    (tmp_path / "in/rules/more").symlink_to("../../out")
    workspace = Workspace()
    workspace.allow([str(tmp_path / "in")])
    found = rules_directory(workspace, str(tmp_path / "in/rules"))
    assert [file.among_rules.text for file in found.files] == ["a"]
    assert [d.code for d in found.diagnostics] == ["file-outside"]


@pytest.mark.parametrize(("count", "listed", "codes"), [(2, 2, []), (3, 3, []), (4, 3, ["too-many-files"])])
def test_the_most_files_of_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, listed: int, codes: list[str]
) -> None:
    monkeypatch.setattr(rules, "MAX_FOUND", 3)
    put(tmp_path / "rules", **{f"{n}.md": "" for n in range(count)})
    found = look(tmp_path)
    assert (len(found.files), [d.code for d in found.diagnostics]) == (listed, codes)


@pytest.mark.parametrize(("count", "listed", "codes"), [(2, 2, []), (3, 3, []), (4, 0, ["too-many-files"])])
def test_the_most_links_of_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, listed: int, codes: list[str]
) -> None:
    monkeypatch.setattr(rules, "MAX_LINKS", 3)
    put(tmp_path, **{"one.md": "", "rules/sub/.keep.log": ""})
    for n in range(count):
        (tmp_path / f"rules/{n}.md").symlink_to("../one.md")
    found = look(tmp_path)
    assert (len(found.files), [d.code for d in found.diagnostics]) == (listed, codes)


@pytest.mark.parametrize("deepest", [1, 2, 3, 4])
def test_a_link_at_the_top_leads_through_two_linked_directories_more(tmp_path: Path, deepest: int) -> None:
    for level in range(1, 5):
        (tmp_path / str(level)).mkdir()
        (tmp_path / str(level) / "to").symlink_to(f"../{level + 1}")
    put(tmp_path, **{f"{deepest}/a.md": "a"})
    (tmp_path / "AGENTS.md").symlink_to("1")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    found = linked_file(workspace, str(tmp_path / "AGENTS.md"))
    assert found == (str(tmp_path / f"{deepest}/a.md") if deepest <= 3 else None)


@pytest.mark.parametrize("name", ["a.md", "missing.md", "empty"])
def test_a_link_at_the_top_may_lead_to_a_file_or_nowhere(tmp_path: Path, name: str) -> None:
    put(tmp_path, **{"a.md": "a"})
    (tmp_path / "empty").mkdir()
    (tmp_path / "AGENTS.md").symlink_to(name)
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    found = linked_file(workspace, str(tmp_path / "AGENTS.md"))
    assert found == (str(tmp_path / name) if name == "a.md" else None)


@pytest.mark.parametrize(("count", "kind", "name"), [(10_001, "file", "z{}.log"), (20_001, "link", "z{}")])
def test_10000_files_and_20000_links_are_followed(tmp_path: Path, count: int, kind: Kind, name: str) -> None:
    (tmp_path / "rules").mkdir()
    workspace = Workspace(CrowdedDisk(tmp_path / "rules", count, kind, name))
    workspace.allow([str(tmp_path)])
    [said] = rules_directory(workspace, str(tmp_path / "rules")).diagnostics
    assert said.code == "too-many-files"


def test_a_loop_without_files_reads_none_several_times(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/loop").symlink_to(".")
    assert [(Path(dropped.path).name, dropped.times) for dropped in look(tmp_path).dropped] == [("loop", 0)]


def test_a_link_that_is_never_followed_is_dropped_though_its_files_are_read_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, **{"rules/0.md": "", "one/1.md": "", "two/2.md": "", "three/3.md": ""})
    for link, target in {"rules/to": "../one", "one/to": "../two", "two/to": "../three", "rules/x": "../three"}.items():
        (tmp_path / link).symlink_to(target)
    found = look(tmp_path)
    assert shown(tmp_path, found) == ["rules/0.md", "one/1.md", "two/2.md", "three/3.md"]
    assert [(dropped.path, dropped.times) for dropped in found.dropped] == [(str(tmp_path / "two/to"), 0)]


@pytest.mark.parametrize(("level", "counts"), [(1, True), (2, True), (3, False)])
def test_a_link_to_a_file_counts_in_the_first_two_directories_below_a_link_at_the_top(
    tmp_path: Path, level: int, counts: bool
) -> None:
    for number in (1, 2, 3):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "to").symlink_to(f"../{number + 1}")
    put(tmp_path, **{"a.md": "a"})
    (tmp_path / f"{level}/a.md").symlink_to("../a.md")
    (tmp_path / "AGENTS.md").symlink_to("1")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    found = linked_file(workspace, str(tmp_path / "AGENTS.md"))
    assert found == (str(tmp_path / "a.md") if counts else None)
