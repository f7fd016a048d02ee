"""The tools that OpenClaw creates itself, their gates and what they cost (docs/agents/openclaw.md#tools)."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents import openclaw
from promptscope_engine.agents.openclaw.sections import has_tool
from promptscope_engine.agents.openclaw.texts import FOLDER, tool_text
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import Assembly, Lever, Tool, to_json

from .conftest import Claw

REQUEST = [
    "read", "edit", "write", "exec", "process", "browser", "canvas", "nodes", "cron", "message", "tts", "gateway",
    "agents_list", "sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents",
    "session_status", "web_search", "web_fetch", "memory_search", "memory_get",
]  # fmt: skip


def present(assembly: Assembly) -> list[str]:
    return [tool["name"] for tool in assembly.request.tools]


def tool(assembly: Assembly, name: str) -> Tool:
    return next(t for t in assembly.tools if t.name == name)


def test_the_order_of_creation_is_that_of_the_request(claw: Claw) -> None:
    assembly = claw()
    assert present(assembly) == REQUEST
    sources = FOLDER.sources.tools.items()
    plugins = {name.partition("@")[0] for name, source in sources if "plugin" in source.head}
    assert {t.name for t in assembly.tools if not t.present} - plugins == {
        "apply_patch", "whatsapp_login", "image", "grep", "find", "ls",
    }  # fmt: skip


def at(path: str, value: Any) -> dict[str, Any]:
    for part in reversed(path.split(".")):
        value = {part: value}
    return value  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("name", "config", "reason"),
    [
        ("web_search", at("tools.web.search.enabled", False), "`tools.web.search.enabled` is off"),
        ("web_fetch", at("tools.web.fetch.enabled", False), "`tools.web.fetch.enabled` is off"),
        ("memory_get", at("plugins.slots.memory", "none"), "`plugins.slots.memory` is none"),
        (
            "memory_search",
            at("agents.defaults.memorySearch.enabled", False),
            "memorySearch.enabled` is off",
        ),
        ("memory_search", at("plugins.enabled", False), "`plugins.enabled` is off"),
        ("exec", at("tools.deny", ["group:runtime"]), "`tools.deny` denies it (group:runtime)"),
        ("browser", at("tools.profile", "coding"), "`tools.profile (coding)` does not allow it"),
        (
            "read",
            at("tools.byProvider", {"anthropic": {"deny": ["read"]}}),
            "byProvider.anthropic.deny` denies it",
        ),
        (
            "read",
            at("agents.list", [{"id": "main", "tools": {"deny": ["read"]}}]),
            "list[0].tools.deny` denies it",
        ),
    ],
)
def test_a_shut_gate_or_a_policy_is_the_reason(claw: Claw, name: str, config: dict[str, Any], reason: str) -> None:
    found = tool(claw(config=config), name)
    assert not found.present
    assert reason in found.why.text


@pytest.mark.parametrize(
    ("name", "config", "model"),
    [
        ("apply_patch", at("tools.exec.applyPatch", {"enabled": True}), "openai/gpt-5.2"),
        (
            "apply_patch",
            at("tools.exec.applyPatch", {"enabled": True, "allowModels": ["GPT-5.2"]}),
            "openai-codex/gpt-5.2",
        ),
        ("image", at("agents.defaults.imageModel", {"primary": "acme/eye"}), None),
    ],
)
def test_an_open_gate_brings_a_tool_in(claw: Claw, name: str, config: dict[str, Any], model: str | None) -> None:
    assert tool(claw(config=config, model=model), name).present


@pytest.mark.parametrize(
    ("name", "config", "is_there"),
    [
        ("image_generate", at("agents.defaults.mediaModels.image", "a/b"), True),
        ("image_generate", at("agents.defaults.mediaModels.image", {"fallbacks": ["a/b"]}), True),
        ("image_generate", at("agents.defaults.mediaModels.image", {"fallbacks": []}), False),
        ("music_generate", at("agents.defaults.mediaModels.music.primary", "a/b"), True),
        ("video_generate", at("agents.defaults.mediaModels.video", ""), False),
        ("view_image", at("agents.defaults.imageModel", "a/b"), True),
        ("pdf", at("agents.defaults.imageModel", "a/b"), True),
        ("pdf", at("agents.defaults.pdfModel", "a/b"), True),
        ("view_image", at("agents.defaults.pdfModel", "a/b"), False),
        ("agents_wait", at("tools.swarm", False), False),
        ("agents_wait", at("tools.swarm.enabled", True), True),
        ("memory_search", at("memory.search.enabled", False), False),
    ],
)
def test_settings_of_a_newer_version_bring_tools_in(
    claw: Claw, name: str, config: dict[str, Any], is_there: bool
) -> None:
    assembly = claw(version="2026.9.6", config=config)
    assert tool(assembly, name).present is is_there
    if not is_there:
        assert tool(assembly, name).why.levers


def test_while_something_is_being_made_the_model_is_told_so(claw: Claw) -> None:
    models = {"image": "a/b", "video": "a/b"}
    assembly = claw(version="2026.9.6", config=at("agents.defaults.mediaModels", models))
    said = json.dumps(to_json(assembly.request))
    assert "tool=image_generate; none" in said
    assert "tool=music_generate; none" not in said


@pytest.mark.parametrize("name", ["exec", "process"])
@pytest.mark.parametrize(
    "config",
    [
        at("tools.deny", ["automations"]),
        at("agents.defaults.experimental.localModelLean", True),
        {"tools": {"deny": ["cron"], "exec": {"mode": "auto"}}},
    ],
)
def test_without_automations_no_tool_names_them(claw: Claw, name: str, config: dict[str, Any]) -> None:
    """Each was asked."""
    texts = {
        str(each["name"]): str(each["description"]) for each in claw(version="2026.9.6", config=config).request.tools
    }
    assert "automations" not in texts[name]


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({}, 8),
        (at("agents.defaults.experimental.localModelLean", True), 5),
        (at("agents.entries.main", {"default": True, "experimental": {"localModelLean": True}}), 5),
        (at("tools.toolSearch", {"mode": "tools", "searchDefaultLimit": 7}), 7),
    ],
)
def test_a_search_says_how_many_tools_it_finds(claw: Claw, config: dict[str, Any], count: int) -> None:
    found = claw(version="2026.9.6", config=config).request.tools
    said = next(str(each["description"]) for each in found if each["name"] == "tool_search")
    assert said.endswith(f"there are {count}.")


@pytest.mark.parametrize(
    ("config", "is_there"),
    [
        ({}, True),
        (at("tools.exec.applyPatch", {"enabled": False}), False),
        (at("tools.exec.applyPatch", {"allowModels": ["other"]}), False),
        (at("tools.allow", ["write"]), True),
        (at("tools.allow", ["exec"]), False),
    ],
)
def test_a_newer_version_lets_any_model_patch_that_may_write(
    claw: Claw, config: dict[str, Any], is_there: bool
) -> None:
    assert tool(claw(version="2026.9.6", config=config), "apply_patch").present is is_there


@pytest.mark.parametrize(
    ("allow", "is_refused"), [([], False), (["none-such"], True), (["none-such", "read"], False), (["group:fs"], False)]
)
def test_an_allow_list_that_fits_no_tool_stops_the_run(claw: Claw, allow: list[str], is_refused: bool) -> None:
    """Each was asked. An empty list is taken for what is wanted."""
    assembly = claw(version="2026.9.6", config={"tools": {"allow": allow}})
    assert any("OpenClaw sends nothing" in each.message for each in assembly.diagnostics) is is_refused


def test_an_empty_allow_list_leaves_the_tools_that_find_others(claw: Claw) -> None:
    assembly = claw(version="2026.9.6", config={"tools": {"allow": []}})
    assert present(assembly) == ["tool_call", "tool_describe", "tool_search"]


@pytest.mark.parametrize(
    ("name", "config", "says"),
    [
        ("openclaw", {}, "without asking"),
        ("openclaw", at("tools.exec.mode", "deny"), "waits for the user"),
        ("openclaw", at("tools.exec.security", "allowlist"), "waits for the user"),
        ("sessions_yield", {}, "agents_wait"),
        ("sessions_yield", at("tools.swarm", False), "collected by name"),
        ("sessions_yield", at("tools.deny", ["agents_wait"]), "collected by name"),
        ("memory_search", {"memory": {"search": {"extraPaths": ["/notes"]}}}, "further places"),
        ("openclaw", at("tools.exec.host", "sandbox"), "waits for the user"),
        ("openclaw", at("tools.fs.workspaceOnly", True), "waits for the user"),
        (
            "openclaw",
            at("agents.entries.main", {"default": True, "tools": {"exec": {"ask": "always"}}}),
            "waits for the",
        ),
        ("exec", {}, "use automations"),
        ("exec", at("tools.exec.mode", "auto"), "A reviewer"),
        ("process", {}, "automations"),
        ("message", {}, "Actions: broadcast, send."),
        ("message", at("tools.message.actions.allow", ["send"]), "Actions: send."),
        ("sessions_spawn", {}, "agents_list"),
    ],
)
def test_a_description_goes_by_the_settings(claw: Claw, name: str, config: dict[str, Any], says: str) -> None:
    assembly = claw(version="2026.9.6", config={**config, "tools": {"toolSearch": False, **config.get("tools", {})}})
    assert says in next(str(each["description"]) for each in assembly.request.tools if each["name"] == name)


@pytest.mark.parametrize(
    ("channel", "config", "reason"),
    [
        ("whatsapp", at("channels.whatsapp", {"enabled": True}), None),
        ("telegram", at("channels.whatsapp", {"dmPolicy": "open", "allowFrom": ["*"]}), None),
        (None, at("channels.whatsapp", {"enabled": True}), "the message has no channel"),
        ("whatsapp", at("channels.whatsapp", {}), "`channels.whatsapp` is not configured"),
        ("whatsapp", at("channels.whatsapp", {"enabled": False}), "`channels.whatsapp.enabled` is off"),
        (
            "whatsapp",
            {"channels": {"whatsapp": {"enabled": True}}, "plugins": {"deny": ["whatsapp"]}},
            "names whatsapp",
        ),
    ],
)
def test_a_message_by_a_channel_may_link_whatsapp(
    claw: Claw, channel: str | None, config: dict[str, Any], reason: str | None
) -> None:
    found = tool(claw(config=config, channel=channel), "whatsapp_login")
    assert found.present is (reason is None)
    assert reason is None or reason in found.why.text


def patching(**own: Any) -> dict[str, Any]:
    """`apply_patch` is switched on for all agents; the agent has settings of its own."""
    shared = {"exec": {"applyPatch": {"enabled": True}}}
    return {"tools": shared, "agents": {"list": [{"id": "main", "tools": own}]}}


@pytest.mark.parametrize(
    ("config", "present"),
    [
        (patching(), True),
        (patching(exec={"applyPatch": {}}), True),
        (patching(exec={"applyPatch": {"enabled": False}}), False),
        (patching(exec={"applyPatch": {"enabled": True, "allowModels": ["other"]}}), False),
        (patching(exec={"applyPatch": {"enabled": True, "allowModels": ["openai/gpt-5.2"]}}), True),
        (patching(exec={"applyPatch": {"allowModels": ["gpt-5.2"]}}), False),
    ],
)
def test_an_agents_own_settings_of_a_tool_replace_those_of_all(
    claw: Claw, config: dict[str, Any], present: bool
) -> None:
    assert tool(claw(config=config, model="openai/gpt-5.2"), "apply_patch").present is present


def test_only_an_owner_is_offered_three_tools(claw: Claw) -> None:
    assembly = claw(senderIsOwner=False, channel="whatsapp", config=at("channels.whatsapp", {"enabled": True}))
    removed = [tool(assembly, name) for name in ("cron", "gateway", "whatsapp_login")]
    assert not any(t.present for t in removed)
    assert [[(lever.param, lever.value) for lever in t.why.levers] for t in removed] == [[("senderIsOwner", True)]] * 3


def test_a_lever_denies_a_tool_beside_those_that_are_denied(claw: Claw) -> None:
    found = tool(claw(config={"tools": {"deny": ["exec"]}}), "read")
    assert [(lever.param, lever.value) for lever in found.why.levers] == [
        ("configOverlay.tools.deny", ["exec", "read"])
    ]


def test_a_profile_is_named_where_it_stands(claw: Claw) -> None:
    found = tool(claw(config={"tools": {"profile": "minimal"}}), "exec")
    assert found.why.text == "absent: `tools.profile (minimal)` does not allow it (in `config`)"
    assert [(lever.param, lever.value) for lever in found.why.levers] == [("configOverlay.tools.alsoAllow", ["exec"])]


def test_a_passed_list_of_tools_decides(place: Path) -> None:
    def levers(names: list[str], to: bool) -> object:
        workspace = Workspace()
        scenario = Scenario(
            agent="openclaw", agent_version="2026.2.24", workspace=str(place / "workspace"), home=str(place / "home"),
            env={}, params={"promptParams": {"toolNames": names}},
        )  # fmt: skip
        agent, inputs = resolve(scenario, workspace)
        return has_tool(agent.gather(inputs, workspace).materials, "message").levers(Facts(), to)

    assert levers(["read", "Message"], False) == (Lever("promptParams.toolNames", ["read"]),)
    assert levers(["read", "Message"], True) == ()
    assert levers(["read"], True) == (Lever("promptParams.toolNames", ["read", "message"]),)


def test_a_sub_agent_is_told_which_policy_removes_a_tool(claw: Claw) -> None:
    found = tool(claw(sessionKey="agent:main:subagent:1"), "session_status")
    assert found.why.text == "absent: the sub-agent's policy denies it (`tools.subagents.tools.alsoAllow` may allow it)"
    assert [(lever.param, lever.value) for lever in found.why.levers] == [("sessionKey", None)]
    denied = tool(claw(sessionKey="agent:main:subagent:1", config={"tools": {"deny": ["exec"]}}), "exec")
    assert denied.why.text == "absent: `tools.deny` denies it (in `config`)"


def test_without_the_message_tool_its_block_is_gone(claw: Claw) -> None:
    assembly = claw(disableMessageTool=True)
    block = next(s for s in assembly.sections if s.id == "messaging.message_tool")
    assert not block.present
    assert [(lever.param, lever.value) for lever in block.why.levers] == [("disableMessageTool", False)]


def test_a_removed_tools_bullet_stands_among_the_absent(claw: Claw) -> None:
    section = claw(config=at("tools.deny", ["exec"])).section("tooling")
    assert section is not None
    assert "- exec" not in section.text
    absent = next(a for a in section.absent if a.origin.id == "tooling.exec")
    assert "denies it" in absent.why.text


def test_a_tool_costs_in_the_prompt_and_on_the_wire(claw: Claw) -> None:
    stand_in = {"name": "quill", "description": " Writes with\na feather. ", "pluginId": "pen"}
    assembly = claw(tools=[stand_in, {"name": "read", "description": "mine"}])
    section = assembly.section("tooling")
    assert section is not None
    assert "- quill: Writes with\na feather.\n" in section.text
    assert "mine" not in section.text
    assert assembly.request.tools[1] == {
        "name": "read", "description": "mine", "input_schema": {"type": "object", "properties": {}},
    }  # fmt: skip


def test_an_ignored_allow_list_is_said(claw: Claw) -> None:
    messages = [d.message for d in claw(config=at("tools.allow", ["web_*"])).diagnostics if d.code == "tools"]
    assert messages == ["tools.allow/deny: the allow list names no core tool and is ignored"]


def test_each_tool_has_as_many_parameters_as_measured(claw: Claw) -> None:
    measured = json.loads((files(openclaw) / "reference.json").read_text())["tools"]
    ours = {t["name"]: len(t["input_schema"].get("properties", {})) for t in claw().request.tools}
    assert ours["message"] == 85
    counted = {name for name in ours if (measured.get(name) or {}).get("schema")}
    assert len(counted) > 15
    assert {name: ours[name] for name in counted} == {name: measured[name]["schema"]["properties"] for name in counted}


def test_the_browser_alone_takes_an_action_as_an_object() -> None:
    schemas = FOLDER.sources.schemas.items()
    with_fields = {
        name
        for name, each in schemas
        if name.endswith("@2026.2.24") and each["properties"].get("request", {}).get("properties")
    }
    assert with_fields == {"browser@2026.2.24"}


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("acme/a", "the provider is acme, not openai"),
        ("/a", "the provider is not known, not openai"),
        ("openai/gpt-4", "`tools.exec.applyPatch.allowModels` lacks the model"),
    ],
)
def test_patches_are_for_the_models_of_openai_that_are_listed(claw: Claw, model: str, reason: str) -> None:
    config = at("tools.exec.applyPatch", {"enabled": True, "allowModels": ["gpt-5.2"]})
    assert reason in tool(claw(config=config, model=model), "apply_patch").why.text


def test_where_no_tool_is_known_the_summary_of_cron_begins_small(claw: Claw) -> None:
    [line] = [line for line in claw(passed={"toolNames": []}).system_text.split("\n") if line.startswith("- cron: ")]
    assert line.startswith("- cron: schedule jobs")
    assert line.removeprefix("- cron: ").lower() == tool_text("cron", "2026.2.24").summary.lower()
