"""Which folders besides the project OpenCode names to the model. All of it was asked of 1.18.33."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly

from .conftest import Ask


def listed(assembly: Assembly, root: Path) -> dict[str, str]:
    found = re.findall(r"<name>(.*?)</name>\s*<path>(.*?)</path>\s*<description>", assembly.system_text)
    return {name: path.replace(str(root), "{ROOT}") for name, path in found}


def settings(key: str = "references", **named: Any) -> str:
    said = {name: value if isinstance(value, dict) else {"path": value} for name, value in named.items()}
    return json.dumps({key: {name: {"description": "About it.", **value} for name, value in said.items()}})


def test_a_path_goes_from_the_folder_of_its_settings_file(ask: Ask, tmp_path: Path) -> None:
    found = ask(
        {
            "home/.config/opencode/opencode.json": settings(home="./x", over="./home"),
            "ws/opencode.json": settings(beside="../x", over="./plain", own="~/x", absolute="/etc/./x"),
            "ws/.opencode/opencode.jsonc": settings(over="./dot"),
        }
    )
    assert listed(found, tmp_path) == {
        "absolute": "/etc/./x",
        "beside": "{ROOT}/x",
        "home": "{ROOT}/home/.config/opencode/x",
        "over": "{ROOT}/workspace/.opencode/dot",
        "own": "{ROOT}/home/x",
    }


@pytest.mark.parametrize(
    ("disk", "env"),
    [
        ({"home/.config/opencode/config.json": settings(a="x")}, {}),
        ({"home/.opencode/opencode.json": settings(a="x")}, {}),
        ({"home/one.json": settings(a="x")}, {"OPENCODE_CONFIG": "{ROOT}/home/one.json"}),
        ({}, {"OPENCODE_CONFIG_CONTENT": settings(a="x")}),
        ({"home/.config/opencode/opencode.json": settings(a="x")}, {"OPENCODE_CONFIG_DIR": "{ROOT}/home/else"}),
        (
            {"ws/opencode.json": json.dumps({"references": {}, **json.loads(settings("reference", a="x"))})},
            {},
        ),
        ({"ws/opencode.json": settings(**{"a b": "x", "a/b": "x", "a,b": "x", "a`b": "x", "": "x"})}, {}),
    ],
    ids=["config.json", "~/.opencode", "OPENCODE_CONFIG", "content", "another folder", "both keys", "names"],
)
def test_other_settings_list_none(ask: Ask, tmp_path: Path, disk: dict[str, str], env: dict[str, str]) -> None:
    filled = {name: value.replace("{ROOT}", str(tmp_path)) for name, value in env.items()}
    assert listed(ask(disk, env=filled), tmp_path) == {}


def test_they_count_where_the_projects_settings_are_disabled(ask: Ask, tmp_path: Path) -> None:
    disk = {"ws/opencode.json": settings(a="x"), "ws/.opencode/opencode.json": settings("reference", b="x")}
    assert [*listed(ask(disk, env={"OPENCODE_DISABLE_PROJECT_CONFIG": "1"}), tmp_path)] == ["a", "b"]


@pytest.mark.parametrize(
    ("repository", "folder"),
    [
        ("a/b", "github.com/a/b"),
        ("github:a/b.git", "github.com/a/b"),
        ("https://u:p@H.io:443/a/b.git#main", "h.io/a/b"),
        ("git+ssh://git@h.io:22/a", "h.io/22/a"),
        ("https://h.io/ä/../b c?x", "h.io/b%20c"),
        ("me@h.io:~/a/b/", "h.io/~/a/b"),
        ("h.io/a/b/c", "h.io/a/b/c"),
        ("a/b/c", None),
        ("a/..", None),
        ("file:///a/b", None),
        ("a b/c", None),
        ("solo", None),
    ],
)
def test_a_repository_is_listed_where_it_is_cloned_to(
    ask: Ask, tmp_path: Path, repository: str, folder: str | None
) -> None:
    found = listed(ask({"ws/opencode.json": settings(r={"repository": repository, "path": "x"})}), tmp_path)
    assert found == ({"r": "{ROOT}/home/.local/share/opencode/repos/" + folder} if folder else {})


@pytest.mark.parametrize(
    ("branch", "folder"), [("f/x", "b@f%2Fx"), ("", "b"), ("a..b", None), ("-x", None), ("x+y", None)]
)
def test_a_branch_is_part_of_the_folders_name(ask: Ask, tmp_path: Path, branch: str, folder: str | None) -> None:
    found = listed(ask({"ws/opencode.json": settings(r={"repository": "a/b", "branch": branch})}), tmp_path)
    assert [path.rpartition("/")[2] for path in found.values()] == ([folder] if folder else [])


@pytest.mark.parametrize(
    "value", [{}, {"path": 7}, {"path": "x", "hidden": "yes"}, {"repository": "a/b", "branch": 7}], ids=str
)
def test_what_is_no_reference_stops_the_start(ask: Ask, value: Any) -> None:
    found = ask({"ws/opencode.json": json.dumps({"references": {"r": value}})})
    assert "agent-refuses" in [note.code for note in found.diagnostics]
