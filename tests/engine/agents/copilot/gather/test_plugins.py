"""Installed plugins, and what counts of a plugin, as Copilot CLI 1.0.102 takes them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from .conftest import Assembled

ENTRY = {"name": "box", "marketplace": "shop", "enabled": True, "installed_at": "2026-01-01T00:00:00.000Z"}
FOLDER = "home/.copilot/installed-plugins/shop/box"
SKILL = {f"{FOLDER}/skills/fold/SKILL.md": "---\nname: fold\ndescription: folds\n---\nx\n"}


def config(path: object = None, **more: Any) -> dict[str, str]:
    entry = {**ENTRY, **({"cache_path": path} if path else {}), **more}
    return {"home/.copilot/config.json": json.dumps({"installed_plugins": [entry]})}


def lists_skill(assembled: Assembled, files: dict[str, str], **params: Any) -> bool:
    section = assembled(files, **params).section("tools.skill")
    return section is not None and "<name>fold</name>" in section.text


@pytest.mark.parametrize(
    ("more", "settings", "counts"),
    [
        ({}, {}, True),
        ({"enabled": False}, {}, False),
        ({}, {"enabledPlugins": {"box@shop": False}}, False),
    ],
)
def test_an_installed_plugin_counts_until_it_is_off(
    assembled: Assembled, tmp_path: object, more: dict[str, Any], settings: dict[str, Any], *, counts: bool
) -> None:
    files = {**SKILL, **config(f"{tmp_path}/{FOLDER}", **more), "home/.copilot/settings.json": json.dumps(settings)}
    assert lists_skill(assembled, files) is counts


def test_what_only_lies_there_is_not_installed(assembled: Assembled) -> None:
    assert not lists_skill(assembled, {**SKILL, f"{FOLDER}/plugin.json": "{}"})


def test_without_its_folder_in_the_list_the_skills_do_not_count(assembled: Assembled) -> None:
    assert not lists_skill(assembled, {**SKILL, **config()})


@pytest.mark.parametrize("key", ["name", "marketplace", "enabled", "installed_at"])
def test_an_entry_that_lacks_a_key_stops_the_start(assembled: Assembled, key: str) -> None:
    assert "agent-refuses" in [each.code for each in assembled(config(**{key: None})).diagnostics]


def test_its_files_come_before_what_its_manifest_holds(assembled: Assembled, tmp_path: object) -> None:
    files = {
        **config(f"{tmp_path}/{FOLDER}"),
        f"{FOLDER}/plugin.json": json.dumps({"name": "box", "mcpServers": {"inside": {"command": "x"}}}),
    }
    assert [server.name for server in assembled(files).servers] == ["inside"]
    beside = json.dumps({"mcpServers": {"beside": {"command": "x"}}})
    assert [server.name for server in assembled({**files, f"{FOLDER}/.mcp.json": beside}).servers] == ["beside"]


@pytest.mark.parametrize(
    ("own", "listed"),
    [
        ("", ["left:same", "other", "right:same", "mine", "box:same"]),
        ("home/.copilot/skills/same", ["left:same", "other", "right:same", "mine", "box:same"]),
        ("ws/.github/skills/same", ["same", "other", "mine"]),
    ],
)
def test_skills_of_one_name_are_told_apart_by_their_plugins(
    assembled: Assembled, tmp_path: object, own: str, listed: list[str]
) -> None:
    """Those of `--plugin-dir` go before the user's own, which go before those of installed plugins."""
    text = "---\nname: {}\ndescription: d\n---\nx\n"
    files = {
        **config(f"{tmp_path}/{FOLDER}"),
        f"{FOLDER}/skills/same/SKILL.md": text.format("same"),
        "home/.copilot/skills/mine/SKILL.md": text.format("mine"),
        **({f"{own}/SKILL.md": text.format("same")} if own else {}),
    }
    for name in ("left", "right"):
        files |= {f"ws/{name}/plugin.json": json.dumps({"name": name})}
        files |= {f"ws/{name}/skills/same/SKILL.md": text.format("same")}
    files |= {"ws/left/skills/other/SKILL.md": text.format("other")}
    section = assembled(files, args={"pluginDir": ["left", "right"]}).section("tools.skill")
    assert section is not None
    names = re.findall("<name>(.*)</name>", section.text)
    assert [name for name in names if name.split(":")[-1] in ("same", "other", "mine")] == listed
