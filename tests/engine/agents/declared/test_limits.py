"""How much of what a definition names is read; each limit at and above."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from tests.support.locked import LockedDisk

from promptscope_engine import Workspace
from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.declared.gather import Materials
from promptscope_engine.agents.declared.reading import Places, own_folder
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.workspace.disk import Entry
from promptscope_engine.workspace.reader import Listing

from .places import HEAD, asked, made, put, told


def gathered(place: Path) -> Gathered[Materials]:
    """What the definition comes to, before anything is drafted."""
    workspace = Workspace()
    agent, inputs = resolve(asked(place), workspace)
    found: Gathered[Materials] = agent.gather(inputs, workspace)
    return found


def limits(found: Gathered[Materials]) -> list[str]:
    return [each.message for each in found.diagnostics if each.code == "definition-limit"]


def pattern(name: str, glob: str) -> str:
    return f'[[section]]\nid = "{name}"\nglob = "{glob}"\n'


def test_so_many_files_are_used_of_a_pattern_and_so_many_sections_of_all(tmp_path: Path) -> None:
    """Five hundred of one pattern, and two thousand together."""
    definition = HEAD + "".join(pattern(f"s{n}", f"{folder}/*.md") for n, folder in enumerate("aaaab"))
    put(tmp_path, definition, **{f"a__{n:03}": "x" for n in range(500)}, b__one="x")
    assert limits(gathered(tmp_path)) == ["`b/*.md`: the prompt has too many files already"]
    put(tmp_path, HEAD + pattern("s", "a/*.md"), a__last="x")
    assert limits(gathered(tmp_path)) == ["`a/*.md`: only the first 500 files are used"]


@pytest.mark.parametrize(("count", "left"), [(999, 0), (1_000, 0), (1_001, 1), (1_003, 3)])
def test_so_many_names_are_filled_in(tmp_path: Path, count: int, left: int) -> None:
    put(tmp_path, f'{HEAD}[[mode]]\nslug = "m"\n[[section]]\nid = "a"\ntext = "{"{{mode}}" * count}"\n')
    assembly = made(tmp_path, mode="m")
    assert assembly.system_text == "m" * min(count, 1_000) + "{{mode}}" * left
    said = f"the first 1,000 names are filled in, {left:,} are left as they are"
    assert [d.message for d in told(assembly)] == ([said] if left else [])


@pytest.mark.parametrize(("size", "is_read"), [(2**20 - 1, True), (2**20, True), (2**20 + 1, False)])
def test_so_large_a_file_of_tools_is_read(tmp_path: Path, size: int, is_read: bool) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "tools.json"\n')
    (tmp_path / "workspace/tools.json").write_text('{"name": "t"}'.ljust(size))
    [tool] = made(tmp_path).tools
    assert (tool.name, tool.present) == (("t", True) if is_read else ("tools", False))


@pytest.mark.parametrize(("size", "kind"), [(100_000, "file"), (100_001, "computed")])
def test_so_long_a_text_with_escapes_is_found_in_its_file(tmp_path: Path, size: int, kind: str) -> None:
    """As it is written, with its quotes."""
    text = '"""\n' + 'a \\"quoted\\" word\nend'.ljust(size - 7, "x") + '"""'
    assert len(text) == size
    put(tmp_path, f'{HEAD}[[section]]\nid = "a"\ntext = {text}\n')
    [section] = made(tmp_path).sections
    assert section.fragments[-1].origin.kind == kind


@pytest.mark.parametrize(("above", "line"), [(0, 1), (1, 2), (5, 6)])
def test_the_description_of_a_tool_has_the_line_on_which_it_stands(tmp_path: Path, above: int, line: int) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "t.json"\n')
    (tmp_path / "workspace/t.json").write_text("\n" * above + '{"name": "t", "description": "Finds."}')
    [tool] = gathered(tmp_path).materials.tools
    assert [(span.origin.kind, span.origin.start_line) for span in tool.description] == [("file", line)]


@pytest.mark.parametrize("description", ['Finds "it".', ""])
def test_a_description_that_is_escaped_has_no_line(tmp_path: Path, description: str) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "t.json"\n')
    (tmp_path / "workspace/t.json").write_text(json.dumps({"name": "t", "description": description}))
    [tool] = gathered(tmp_path).materials.tools
    assert [span.origin.kind for span in tool.description] == (["computed"] if description else [])


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("*.md", ["top"]),
        ("a/*.md", ["one"]),
        ("a/*/*.md", ["two"]),
        ("**/*.md", ["one", "three", "top", "two"]),
        ("a/**/*.md", ["one", "three", "two"]),
        ("{*.md,a/b/*.md}", ["top", "two"]),
        ("a/one.md", ["one"]),
    ],
)
def test_a_pattern_looks_as_deep_as_it_is(tmp_path: Path, glob: str, names: list[str]) -> None:
    files = {"top": "x", "a__one": "x", "a__b__two": "x", "a__b__c__three": "x", "node_modules__no": "x"}
    put(tmp_path, HEAD + pattern("s", glob), **files)
    (tmp_path / "workspace/a/.git").mkdir()
    (tmp_path / "workspace/a/.git/no.md").write_text("x")
    (tmp_path / "workspace/a/linked.md").symlink_to(tmp_path / "workspace/a/b")
    found = [Path(section.title).stem for section in made(tmp_path).sections if section.present]
    assert sorted(found) == names


def test_a_folder_that_cannot_be_listed_is_the_reason(tmp_path: Path) -> None:
    put(tmp_path, HEAD + pattern("s", "a/*.md"), a__one="x")
    assembly = made(tmp_path, Workspace(LockedDisk(tmp_path / "workspace/a")))
    assert [section.why.text for section in assembly.sections] == [
        "absent: the folder a cannot be listed: Permission denied"
    ]
    assert [each.message for each in told(assembly)] == ["`a/*.md`: the folder a cannot be listed: Permission denied"]


class Listed:
    """Folders that are listed without a disk, and which of them were."""

    def __init__(self, folders: dict[str, tuple[Entry, ...]]) -> None:
        self.folders, self.listed = folders, list[str]()

    def list(self, path: str) -> Listing:
        self.listed.append(path)
        return Listing(self.folders.get(path, ()))

    def is_dir(self, path: str) -> bool:
        return path in self.folders


def places(**folders: tuple[Entry, ...]) -> tuple[Places, Listed]:
    listed = Listed({f"/ws/{name}".rstrip("/").replace("__", "/"): entries for name, entries in folders.items()})
    return Places("/ws", ("/ws",), cast(Workspace, listed)), listed


@pytest.mark.parametrize(("names", "is_whole"), [(19_999, True), (20_000, True), (20_001, False)])
def test_so_many_names_are_looked_at_for_a_pattern(names: int, is_whole: bool) -> None:
    sockets = tuple(Entry(str(number), "special") for number in range(names - 2))
    found = places(a=(*sockets, Entry("b", "directory")), a__b=(Entry("c.md", "file"),))[0].found("a/**")
    assert (found.paths, found.limit) == (
        (("/ws/a/b/c.md",), "") if is_whole else ((), "only the first 20,000 names were looked at")
    )


@pytest.mark.parametrize(
    ("pattern", "listed"),
    [
        ("a/*.md", ["/ws/a"]),
        ("a/*/*.md", ["/ws/a", "/ws/a/b"]),
        ("a/{*.md,b/*.md}", ["/ws/a", "/ws/a/b"]),
        ("a/**", ["/ws/a", "/ws/a/b", "/ws/a/b/c"]),
        ("a/b/x.md", ["/ws/a/b"]),
        ("a/b/c/x.md", ["/ws/a/b/c"]),
    ],
)
def test_no_folder_is_looked_into_that_a_pattern_cannot_mean(pattern: str, listed: list[str]) -> None:
    found, disk = places(a=(Entry("b", "directory"),), a__b=(Entry("c", "directory"),), a__b__c=())
    assert found.found(pattern).paths == ()
    assert disk.listed == listed


def test_so_long_a_pattern_may_be() -> None:
    found, _ = places(a=())
    assert found.found("x" * 4_096).paths == ()
    with pytest.raises(ValueError, match="at most 4,096 characters"):
        found.found("x" * 4_097)


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/a.toml", None),
        ("/home/a.toml", None),
        ("/home/me/a.toml", None),
        ("/home/me/agents/a.toml", "/home/me/agents"),
        ("/home/mei/a.toml", "/home/mei"),
        ("/srv/a.toml", "/srv"),
    ],
)
def test_a_definition_opens_no_folder_that_holds_half_of_the_machine(path: str, folder: str | None) -> None:
    assert own_folder(path, "/home/me") == own_folder(path, "/home/me/") == folder


def test_a_link_to_a_file_is_found_and_one_to_a_folder_is_not() -> None:
    entries = (Entry("b.md", "link"), Entry("c.md", "link"), Entry("d.md", "file"), Entry("e.md", "special"))
    found, disk = places(a=entries, a__b=())
    disk.folders["/ws/a/b.md"] = (Entry("inner.md", "file"),)
    assert found.found("a/**").paths == ("/ws/a/c.md", "/ws/a/d.md")
