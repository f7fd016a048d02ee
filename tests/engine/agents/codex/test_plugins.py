"""Plugins of Codex's cache: which of them count, and what they bring along (docs/agents/codex.md#plugins-and-hooks)."""

from __future__ import annotations

import json

import pytest

from .conftest import Codex
from .test_skills import listed, skill

BARE = "[skills.bundled]\nenabled = false\n"
ON = f'{BARE}[plugins."box@shop"]\n'
CACHE = "home/.codex/plugins/cache/shop/box"


def plugin(version: str, *skills: str, manifest: str = ".codex-plugin/plugin.json") -> dict[str, str | bytes]:
    folder = f"{CACHE}/{version}"
    files = {f"{folder}/skills/{name}/SKILL.md": skill(name) for name in skills}
    return {f"{folder}/{manifest}": json.dumps({"name": "box"}), **files}


def lines(codex: Codex, files: dict[str, str | bytes], settings: str = ON) -> list[str]:
    return listed(codex({**files, "home/.codex/config.toml": settings}))


def names(codex: Codex, files: dict[str, str | bytes], settings: str = ON) -> list[str]:
    return [line.split()[1].rstrip(":") for line in lines(codex, files, settings)]


@pytest.mark.parametrize(
    ("settings", "counts"),
    [
        (ON, True),
        (f"{ON}enabled = false\n", False),
        (BARE, False),
        (f"{ON}[features]\nplugins = false\n", False),
    ],
)
def test_settings_name_the_plugins(codex: Codex, settings: str, *, counts: bool) -> None:
    assert names(codex, plugin("1.0.0", "fold"), settings) == (["box:fold"] if counts else [])


def test_the_newest_version_counts_but_for_a_local_one(codex: Codex) -> None:
    two = {**plugin("1.9.0", "old"), **plugin("1.10.0", "new")}
    assert names(codex, two) == ["box:new"]
    assert names(codex, {**two, **plugin("local", "own")}) == ["box:own"]


@pytest.mark.parametrize(("manifest", "counts"), [(".claude-plugin/plugin.json", True), ("plugin.json", False)])
def test_a_plugin_has_a_manifest(codex: Codex, manifest: str, *, counts: bool) -> None:
    assert names(codex, plugin("1.0.0", "fold", manifest=manifest)) == (["box:fold"] if counts else [])


def test_one_skill_alone_goes_by_the_folder_of_the_marketplace(codex: Codex) -> None:
    (alone,) = lines(codex, plugin("1.0.0", "fold"))
    assert alone.endswith("(file: r0/box/1.0.0/skills/fold/SKILL.md)")
    first, _ = lines(codex, plugin("1.0.0", "fold", "wrap"))
    assert first.endswith("(file: r0/fold/SKILL.md)")
