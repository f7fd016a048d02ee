"""Keys of front matter that an agent doesn't know, and values that count for something else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine.agents.kit.disk.front_matter import keys_of, misfits, unknown_keys, unknown_server_keys
from promptscope_engine.agents.kit.disk.rows import ELSEWHERE
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

TABLES: Mapping[str, Mapping[str, Any]] = {
    "rule": {"keys": ["paths"], "meant": {"globs": "paths", "off": "set `rules` to false"}},
    "skill": {"keys": ["name"], "types": {"hidden": ["switch"], "count": ["number"]}, "otherwise": {"hidden": "no"}},
    "note": {"files": "*.note.md", "keys": []},
}


def notes(tmp_path: Path, files: Mapping[str, tuple[str, str]], when: Condition = ALWAYS) -> list[Diagnostic]:
    for name, (_, text) in files.items():
        (tmp_path / name).write_text(text)
    drafts = [FileDraft(name, name, kind, "always", when) for name, (kind, _) in files.items()]
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    return [*unknown_keys("Toy", TABLES, drafts, workspace, str(tmp_path))]


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("globs", "write `paths`"), ("Paths", "write `paths`"), ("_paths", "write `paths`"),
        ("pathz", "did you mean `paths`?"),
    ],
)  # fmt: skip
def test_a_key_that_is_nearly_one_that_counts(tmp_path: Path, key: str, says: str) -> None:
    [found] = notes(tmp_path, {"a.md": ("rule", f"---\n# c\n{key}: y\n---\n")})
    assert (found.message, found.line) == (f"`{key}` means nothing here: {says}", 3)


def test_the_key_that_counts_may_be_there_as_well(tmp_path: Path) -> None:
    [found] = notes(tmp_path, {"a.md": ("rule", "---\npaths: x\nglobs: y\n---\n")})
    assert found.message == "`globs` means nothing here: `paths` counts, which is there as well"


def test_a_key_that_counts_elsewhere_is_named_once_for_all_files_of_a_kind(tmp_path: Path) -> None:
    text = "---\noff: true\n---\n"
    [found] = notes(tmp_path, {"a.md": ("rule", text), "b.md": ("rule", text)})
    assert found.code == "near-key"
    assert found.message == (
        "Toy ignores `off` in the front matter of a file of kind rule; 2 files of this kind have it: "
        "set `rules` to false"
    )


def test_other_keys_are_named_once_for_all_files_of_a_kind(tmp_path: Path) -> None:
    text = "---\nname: n\nauthor: a\ntags: [b]\n---\n"
    [found] = notes(tmp_path, {"a.md": ("skill", text), "b.md": ("skill", text)})
    assert found.message == (
        "Toy ignores `author`, `tags` in the front matter of a file of kind skill; 2 files of this kind have it"
    )
    assert (found.path, found.line) == (f"{tmp_path}/a.md", 3)
    [many] = notes(tmp_path, {"a.md": ("skill", "---\n" + "".join(f"zz{n}: 1\n" for n in range(11)) + "---\n")})
    assert "`zz7` and 3 more in" in many.message


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("a.md", "rule", "---\npaths: x\n---\n"),
        ("a.md", "rule", "globs: not in front matter\n"),
        ("a.md", "rule", "---\npaths:\n  globs: nested\n---\nglobs: below\n"),
        ("a.txt", "rule", "---\nglobs: x\n---\n"),
        ("a.md", "note", "---\nglobs: x\n---\n"),
        ("a.md", "other", "---\nglobs: x\n---\n"),
        ("a.md", "skill", "---\nhidden: maybe\n---\n"),
    ],
)
def test_nothing_is_said_of(tmp_path: Path, name: str, kind: str, text: str) -> None:
    assert notes(tmp_path, {name: (kind, text)}) == []


def test_nothing_is_said_of_a_file_that_the_agent_never_reads(tmp_path: Path) -> None:
    never = Fact("file", "a", False, "", "elsewhere", wanted=ELSEWHERE)
    assert notes(tmp_path, {"a.md": ("rule", "---\nglobs: x\n---\n")}, never) == []


@pytest.mark.parametrize(
    ("value", "fits"),
    [(True, True), ("yes", True), (0, True), ("Off", True), ("maybe", False), (2, False), (None, False), ([], False)],
)
def test_a_value_of_a_wrong_type_says_what_it_counts_for(value: Any, fits: bool) -> None:
    file = FileText.of("/w/a.md", "/w/a.md", b"---\nname: n\nhidden: x\n---\n", 0)
    found = [(each.message, each.line) for each in misfits(file, {"hidden": value, "count": "x"}, TABLES["skill"])]
    assert found == ([] if fits else [("`hidden` has to be a switch (yes or no): no", 3)])


@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_keys_have_their_lines(start: str) -> None:
    file = FileText.of("/w/a.md", "/w/a.md", f"{start}---\r\na: 1\r\nb-c:\r\n  d: 2\r\n---\r\n".encode(), 0)
    assert keys_of(file) == {"a": 2, "b-c": 3}


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("comand", ": did you mean `command`?"),
        ("transport", ": `type` counts, which is there as well"),
        ("off", ": say so elsewhere"),
        ("color", ""),
    ],
)
def test_keys_of_a_server_that_mean_nothing_are_named_at_their_line(key: str, says: str) -> None:
    table = {"keys": ["type", "command"], "meant": {"transport": "type", "off": "say so elsewhere"}}
    servers: dict[str, Any] = {"a": {"type": "stdio", key: "x"}, "b": 7}
    text = json.dumps({"mcpServers": servers}, indent=1)
    file = FileText.of("/w/.mcp.json", "/w/.mcp.json", text.encode(), 0)
    [found] = unknown_server_keys("Toy", servers, table, file)
    assert (found.message, found.line) == (f"`{key}` of the server a means nothing to Toy{says}", 5)
