"""Installed plugins: which of them are found, and what they are called."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.plugins import Plugins, gather_plugins
from promptscope_engine.agents.claude_code.gather.settings import Settings, Sources
from promptscope_engine.agents.kit.layered import Layer, LayeredSettings
from promptscope_engine.prompt.model import SettingSource

if TYPE_CHECKING:
    from .conftest import Project

NO_SETTINGS = Settings(LayeredSettings((), {}, SettingSource("unset")), (), ())


def installed(project: Project, listed: Any, settings: Settings = NO_SETTINGS) -> Plugins:
    project.write({"home/.claude/plugins/installed_plugins.json": json.dumps({"plugins": listed})})
    config = project.root / "home/.claude"
    project.workspace.allow([str(config)])
    return gather_plugins(settings, Sources(None), str(config), project.workspace)


@pytest.mark.parametrize(
    ("installs", "folder"),
    [
        ({"installPath": "/p/a"}, "/p/a"),
        ([{"installPath": "/p/a/"}, {"installPath": "/p/b"}], "/p/a"),
        ([{"installPath": "relative"}, {"installPath": "/p/b"}], "/p/b"),
        ([{"installPath": 5}, {"installPath": None}, {}, "odd", None, {"installPath": "/p/c"}], "/p/c"),
        ([{"installPath": "relative"}], None),
        ([], None),
        ("/p/a", None),
    ],
)
def test_a_plugin_lies_in_the_first_folder_that_is_one(project: Project, installs: Any, folder: str | None) -> None:
    found = installed(project, {"tools@shop": installs})
    assert [(each.name, each.folder) for each in found.all] == ([("tools", folder)] if folder else [])


@pytest.mark.parametrize(
    ("manifest", "name"),
    [
        ('{"name": "Fine"}', "Fine"),
        ('{"name": ""}', "tools"),
        ('{"name": 5}', "tools"),
        ("[]", "tools"),
        ("{", "tools"),
    ],
)
def test_a_plugin_is_called_as_its_manifest_says(project: Project, manifest: str, name: str) -> None:
    project.write({"home/.claude/plugins/p/.claude-plugin/plugin.json": manifest})
    found = installed(project, {"tools@shop": {"installPath": f"{project.root}/home/.claude/plugins/p"}})
    assert [each.name for each in found.all] == [name]


@pytest.mark.parametrize("listed", [[], None, "x", 5])
def test_a_list_of_plugins_that_is_none_is_not_used(project: Project, listed: Any) -> None:
    found = installed(project, listed)
    assert found.all == ()
    assert len(found.files) == 1


def test_without_the_file_there_is_nothing(project: Project) -> None:
    assert (
        gather_plugins(NO_SETTINGS, Sources(None), str(project.root / "home/.claude"), project.workspace) == Plugins()
    )


@pytest.mark.parametrize(("count", "looked_at"), [(499, 499), (500, 500), (501, 500)])
def test_five_hundred_plugins_are_looked_at(project: Project, count: int, looked_at: int) -> None:
    names = [f"p{number:03}" for number in range(count)]
    found = installed(project, {name: {"installPath": f"/p/{name}"} for name in names})
    assert [each.name for each in found.all] == names[:looked_at]


@pytest.mark.parametrize("value", [True, False, None, "true"])
def test_a_plugin_is_switched_on_by_its_key(project: Project, value: Any) -> None:
    layer = Layer({"enabledPlugins": {"tools@shop": value}})
    found = installed(
        project,
        {"tools@shop": {"installPath": "/p/a"}},
        replace(NO_SETTINGS, layered=replace(NO_SETTINGS.layered, layers=(layer,))),
    )
    assert [each.enabled for each in found.all] == [value is True]
