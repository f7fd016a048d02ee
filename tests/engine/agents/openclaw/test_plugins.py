"""Tools and skills of the plugins that come with the package: what switches them on."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.prompt.model import Assembly

from .conftest import Claw

SOURCES = {name: FOLDER.tool_source(name, "2026.2.24") for name in FOLDER.tool_order("2026.2.24")}
OWN = {name: source.head["plugin"] for name, source in SOURCES.items() if source and "plugin" in source.head}
"""The plugin of each tool that has one."""
TABLES = {name for name in OWN if name.startswith("feishu_bitable_")}
APP = {"appId": "a", "appSecret": "b"}
LANCEDB = {"config": {"embedding": {"apiKey": "k"}}}


def on(*plugins: str, **rest: Any) -> dict[str, Any]:
    return {"entries": {plugin: {"enabled": True} for plugin in plugins}, **rest}


def brought(assembly: Assembly) -> set[str]:
    """The tools that a plugin other than the usual one of the memory brings."""
    return {tool.name for tool in assembly.tools if tool.present and OWN.get(tool.name, "memory-core") != "memory-core"}


def skills(assembly: Assembly) -> list[str]:
    return [file.path.split("/")[-2] for file in assembly.files if file.kind == "skill" and file.present]


@pytest.mark.parametrize(
    ("config", "tools"),
    [
        ({}, set()),
        ({"plugins": on("voice-call", "zalouser")}, {"voice_call", "zalouser"}),
        ({"plugins": on("voice-call"), "tools": {"deny": ["voice-call"]}}, set()),
        ({"plugins": on("voice-call"), "tools": {"allow": ["read"]}}, set()),
        ({"plugins": on("voice-call", enabled=False)}, set()),
        ({"plugins": on("voice-call", deny=["voice-call"])}, set()),
        ({"plugins": on("voice-call", allow=["zalouser"])}, set()),
        ({"plugins": {"allow": ["voice-call"]}}, set()),
    ],
)
def test_a_plugin_brings_its_tools_where_its_entry_is_on(claw: Claw, config: dict[str, Any], tools: set[str]) -> None:
    assert brought(claw(config=config)) == tools


@pytest.mark.parametrize(
    ("tools", "offered"),
    [
        ({}, False),
        ({"alsoAllow": ["Lobster"]}, True),
        ({"alsoAllow": ["group:plugins"]}, True),
        ({"alsoAllow": ["*"]}, False),
        ({"alsoAllow": ["lob*"]}, False),
        ({"allow": ["lobster"]}, True),
        ({"allow": ["read", "lobster"], "deny": ["group:plugins"]}, False),
        ({"profile": "coding", "byProvider": {"anthropic": {"alsoAllow": ["lobster"]}}}, False),
        ({"profile": "coding", "alsoAllow": ["lobster"]}, True),
        ({"subagents": {"tools": {"alsoAllow": ["lobster"]}}}, False),
    ],
)
def test_an_optional_tool_has_to_be_named(claw: Claw, tools: dict[str, Any], offered: bool) -> None:
    assert brought(claw(config={"plugins": on("lobster"), "tools": tools})) == ({"lobster"} if offered else set())


def test_lobster_does_not_work_in_a_sandbox(claw: Claw) -> None:
    tools = {"alsoAllow": ["lobster"], "sandbox": {"tools": {"allow": ["lobster"]}}}
    config = {"plugins": on("lobster"), "tools": tools, "agents": {"defaults": {"sandbox": {"mode": "all"}}}}
    assert brought(claw(config=config)) == set()


@pytest.mark.parametrize(
    ("plugins", "recalls", "searches"),
    [
        (on("memory-lancedb"), False, True),
        ({"slots": {"memory": "memory-lancedb"}, "entries": {"memory-lancedb": LANCEDB}}, True, False),
        ({"slots": {"memory": " memory-lancedb "}, "entries": {"memory-lancedb": LANCEDB}}, True, False),
        ({"slots": {"memory": ""}, "entries": {"memory-lancedb": LANCEDB}}, False, True),
        ({"slots": {"memory": "None"}, "entries": {"memory-lancedb": LANCEDB}}, False, False),
    ],
)
def test_the_slot_names_the_memory(claw: Claw, plugins: dict[str, Any], recalls: bool, searches: bool) -> None:
    present = {tool.name for tool in claw(config={"plugins": plugins}).tools if tool.present}
    assert ("memory_recall" in present, "memory_search" in present) == (recalls, searches)


@pytest.mark.parametrize(
    ("channel", "tools"),
    [
        ({}, set()),
        (APP, {"feishu_doc", "feishu_app_scopes", "feishu_wiki", "feishu_drive", *TABLES}),
        ({**APP, "enabled": False}, TABLES),
        ({**APP, "appSecret": " "}, TABLES),
        (
            {**APP, "tools": {"perm": True, "scopes": False, "doc": False}},
            {"feishu_wiki", "feishu_drive", "feishu_perm", *TABLES},
        ),
        (
            {"accounts": {"b": {**APP, "tools": {"doc": False, "scopes": False}}, "A": APP}},
            {"feishu_wiki", "feishu_drive"},
        ),
        (
            {**APP, "tools": {"drive": False}, "accounts": {"z": {"tools": {"wiki": False}}, "a": {"enabled": False}}},
            {"feishu_doc", "feishu_app_scopes", "feishu_drive", *TABLES},
        ),
    ],
)
def test_feishu_goes_by_the_first_account_in_use(claw: Claw, channel: dict[str, Any], tools: set[str]) -> None:
    assert brought(claw(config={"plugins": on("feishu"), "channels": {"feishu": channel}})) == tools


def test_a_secret_is_not_shown(claw: Claw) -> None:
    config = {"plugins": on("feishu"), "channels": {"feishu": {**APP, "appSecret": "S3CRET"}}}
    assert not [tool.name for tool in claw(config=config).tools if "S3CRET" in repr(tool)]


@pytest.mark.parametrize("name", sorted(OWN))
def test_the_levers_of_an_absent_tool_bring_it_in(claw: Claw, name: str) -> None:
    files: dict[str, str | bytes] = {"home/.openclaw/openclaw.json": '{"plugins": {"slots": {"memory": "none"}}}'}
    base = claw(files)
    why = next(tool.why for tool in base.tools if tool.name == name)
    overlay: dict[str, Any] = {}
    for lever in why.levers:
        place, (_, *path, last) = overlay, lever.param.split(".")
        for part in path:
            place = place.setdefault(part, {})
        place[last] = lever.value
    after = claw(files, configOverlay=overlay)
    assert not [diagnostic for diagnostic in after.diagnostics if diagnostic.severity == "error"]
    assert name in {tool.name for tool in after.tools if tool.present}


def test_the_skills_of_a_plugin_come_with_it(claw: Claw) -> None:
    feishu = ["feishu-doc", "feishu-drive", "feishu-perm", "feishu-wiki"]
    assembly = claw(config={"plugins": on("feishu", "open-prose")})
    assert skills(assembly) == [*feishu, "prose"]
    assert "<name>feishu-wiki</name>" in assembly.system_text
    assert skills(claw(config={"plugins": on("feishu", deny=["feishu"])})) == []
    assert skills(claw(config={"plugins": on("feishu", enabled=False)})) == []


def test_lists_of_skills_hold_for_those_of_plugins(claw: Claw) -> None:
    agents = {"list": [{"id": "main", "skills": ["prose", "feishu-doc"]}]}
    assert skills(claw(config={"plugins": on("feishu", "open-prose"), "agents": agents})) == ["feishu-doc", "prose"]
    off = {"entries": {"feishu-wiki": {"enabled": False}}, "allowBundled": ["none"]}
    assert skills(claw(config={"plugins": on("feishu"), "skills": off})) == [
        "feishu-doc",
        "feishu-drive",
        "feishu-perm",
    ]


def test_a_skill_of_ones_own_replaces_that_of_a_plugin(claw: Claw) -> None:
    files: dict[str, str | bytes] = {"workspace/skills/prose/SKILL.md": "---\nname: prose\ndescription: mine\n---\n"}
    listed = claw(files, config={"plugins": on("open-prose")})
    assert "<description>mine</description>" in listed.system_text
    assert skills(listed) == ["prose"]
