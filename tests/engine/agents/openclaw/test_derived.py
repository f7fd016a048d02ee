"""What OpenClaw makes of session, configuration and machine, each with the sentence that says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Claw

pytestmark = pytest.mark.slow

SHED = "agent:shed:telegram:group:7"


def said(chat: dict[str, Any], **more: Any) -> dict[str, Any]:
    sender = {"id": 5, "is_bot": False, "first_name": "Ada"}
    return {
        "chat": {"message": {"message_id": 1, "date": 1767323040, "from": sender, "text": "hi", "chat": chat, **more}}
    }


DIRECT, GROUP = {"id": 5, "type": "private"}, {"id": -100, "type": "supergroup", "title": "Garden"}


def agents(defaults: dict[str, Any] | None = None, *listed: dict[str, Any]) -> dict[str, Any]:
    return {"config": {"agents": {"defaults": defaults or {}, "list": [{"id": "main"}, *listed]}}}


def passed(**params: Any) -> dict[str, Any]:
    return {"passed": params}


@pytest.mark.parametrize(
    "case",
    [
        ({}, "model", "anthropic/claude-opus-4-6", "it is OpenClaw's own where the configuration names none"),
        (agents({"model": "a/b"}), "model", "a/b", "`agents.defaults.model` is a/b"),
        (agents({"model": {"primary": "a/b"}}), "model", "a/b", "`agents.defaults.model` is a/b"),
        (
            {**agents({"model": "a/b"}, {"id": "shed", "model": "c/d"}), "sessionKey": SHED},
            "model",
            "c/d",
            "`model` of its entry in `agents.list` is c/d",
        ),
        ({}, "mode", "full", "the session of the default agent is main"),
        ({"sessionKey": SHED}, "mode", "full", f"the session {SHED} is group"),
        ({"sessionKey": "agent:main:subagent:1"}, "promptParams.promptMode", "minimal", "is sub-agent"),
        ({"sessionKey": "agent:main:cron:job", "version": "2026.9.6"}, "mode", "minimal", "job is cron"),
        (said(DIRECT), "sessionKey", "agent:main:main", "`session.dmScope` is main"),
        (
            {**said(DIRECT), "config": {"session": {"dmScope": "per-channel-peer"}}},
            "sessionKey",
            "agent:main:telegram:direct:5",
            "`session.dmScope` is per-channel-peer",
        ),
        (said(GROUP), "sessionKey", "agent:main:telegram:group:-100", "the message was said in a group"),
        (said(GROUP, message_thread_id=4), "sessionKey", "agent:main:telegram:group:-100:topic:4", "in a group"),
        (said(GROUP), "mode", "full", "the session agent:main:telegram:group:-100 is group"),
        ({**said(GROUP), "sessionKey": SHED}, "sessionKey", SHED, "the message was said in a group"),
        ({"entry": "agent-exec", "sessionId": "s"}, "sessionKey", "agent:main:explicit:s", "`openclaw agent exec`"),
        ({"spawn": {"task": "x"}}, "mode", "minimal", "is sub-agent"),
        (said(DIRECT), "channel", "telegram", "the message came by it"),
        *(
            ({"sessionKey": f"agent:main:{rest}"}, "channel", wanted, f"`agent:main:{rest}` is one of {wanted}")
            for rest, wanted in (
                ("telegram:group:-100", "telegram"),
                ("signal:direct:1", "signal"),
                ("discord:channel:7:thread:8", "discord"),
                ("telegram:work:direct:5", "telegram"),
                ("zulip:group:1", "zulip"),
                ("irc:dm:1", "irc"),
            )
        ),
        (
            {"sessionKey": "agent:main:signal:direct:1", "channel": "telegram"},
            "channel",
            "telegram",
            "is one of signal",
        ),
        ({**agents({}, {"id": "shed"}), "sessionKey": SHED}, "agentId", "shed", "the session's key names shed"),
        (
            {"config": {"agents": {"list": [{"id": "main"}, {"id": "den", "workspace": "{place}/workspace"}]}}},
            "agentId",
            "den",
            "the folder is the workspace of the agent den in `agents.list`",
        ),
        (passed(promptMode="minimal"), "mode", "minimal", "OpenClaw takes minimal where no mode is given"),
        ({}, "heartbeatDefault", True, "main is the default agent"),
        ({"sessionKey": SHED}, "heartbeatDefault", False, "shed is not the default agent"),
        ({}, "promptParams.workspaceDir", "{place}/workspace", "it is the folder that the agent works in"),
        ({}, "promptParams.docsPath", None, "no documentation was found"),
        ({}, "promptParams.runtimeInfo.host", "studio", "it is the machine's name"),
        ({}, "promptParams.runtimeInfo.os", "Linux 6.8.0", "it is the machine's system"),
        (passed(runtimeInfo={"host": "h"}), "promptParams.runtimeInfo.host", "h", "it is the machine's name"),
        (passed(runtimeInfo={"host": "h"}), "promptParams.runtimeInfo.os", None, "runtimeInfo` is passed without it"),
        (passed(runtimeInfo={}), "promptParams.runtimeInfo.channel", None, "runtimeInfo` is passed without it"),
        ({}, "promptParams.runtimeInfo.channel", None, "the message has no channel"),
        ({"channel": "signal"}, "promptParams.runtimeInfo.channel", "signal", "the message came by this channel"),
        ({"channel": "signal"}, "promptParams.messageToolHints", None, "the plugin of signal may say some"),
        ({}, "env.OPENCLAW_STATE_DIR", "{place}/home/.openclaw", "it is in the home folder"),
        ({}, "env.OPENCLAW_CONFIG_PATH", "{place}/home/.openclaw/openclaw.json", "it is in the state folder"),
        ({"env": {"OPENCLAW_STATE_DIR": "~/s"}}, "managedSkillsDir", "{place}/home/s/skills", "in the state folder"),
        ({"env": {"OPENCLAW_BUNDLED_SKILLS_DIR": "/b"}}, "bundledSkillsDir", "/b", "DIR` names it"),
        ({}, "bundledSkillsDir", None, "its skills are not listed"),
        ({"version": "2026.9.6"}, "bundledSkillsDir", None, "of its skills, only those of its plugins are listed"),
        ({"version": "2026.9.6", "packageDir": "/o"}, "bundledSkillsDir", "/o/skills", "it is in the installed"),
        ({}, "skillFilter", None, "no list: it is offered all"),
        (agents({}, {"id": "shed"}), "skillFilter", None, "no list: it is offered all"),
        ({**agents({}, {"id": "shed", "skills": ["a"]}), "sessionKey": SHED}, "skillFilter", ["a"], "names them"),
        ({"skillFilter": ["b"]}, "skillFilter", ["b"], "no list: it is offered all"),
        ({"channel": "signal"}, "promptParams.reactionGuidance", {"level": "minimal", "channel": "Signal"}, "Signal"),
        (
            {"channel": "signal", "config": {"channels": {"signal": {"reactionLevel": "extensive"}}}},
            "promptParams.reactionGuidance",
            {"level": "extensive", "channel": "Signal"},
            "is extensive",
        ),
        ({}, "promptParams.reactionGuidance", None, "a message without a channel has no reactions"),
        (
            {"channel": "signal", **agents({"sandbox": {"mode": "all"}})},
            "promptParams.sandboxInfo",
            {"enabled": True, "containerWorkspaceDir": "/workspace"},
            "is all",
        ),
        (agents({"heartbeat": {"prompt": "Look."}}), "promptParams.heartbeatPrompt", "Look.", "has the heartbeat"),
        ({}, "promptParams.heartbeatPrompt", "the built-in prompt", "has the heartbeat"),
        ({"config": {"memory": {"citations": "off"}}}, "promptParams.memoryCitationsMode", "off", "is set"),
        ({"managedSkillsDir": "/m"}, "managedSkillsDir", "/m", "it is in the state folder"),
        ({"managedSkillsDir": ""}, "managedSkillsDir", "{place}/home/.openclaw/skills", "it is in the state folder"),
        ({"env": {"OPENCLAW_STATE_DIR": "/s"}}, "env.OPENCLAW_STATE_DIR", "/s", "it is in the home folder"),
    ],
)
def test_what_is_computed_and_why(claw: Claw, place: Path, case: tuple[dict[str, Any], str, Any, str]) -> None:
    asked, param, value, why = case
    asked = json.loads(json.dumps(asked).replace("{place}", str(place)))
    (found,) = [each for each in claw(**asked).derived if each.param == param]
    assert found.value == (value.format(place=place) if isinstance(value, str) else value)
    assert why in found.why.text


@pytest.mark.parametrize(
    "key",
    ["agent:main:main", "agent:main:direct:5", "agent:main:main:thread:7", "agent:main:cron:telegram:group:1"],
)
def test_a_session_that_names_no_channel_has_none(claw: Claw, key: str) -> None:
    assembly = claw(sessionKey=key)
    assert assembly.derivation("channel") is None
    assert "channel=" not in assembly.system_text


def test_a_channel_of_the_session_counts_as_one_that_is_set(claw: Claw) -> None:
    key = "agent:main:telegram:group:7"
    derived, given = claw(sessionKey=key), claw(sessionKey=key, channel="telegram")
    assert " | channel=telegram | " in derived.system_text
    assert derived.system_text == given.system_text
    assert "channel=" not in claw(sessionKey=key, channel="").system_text


def test_a_model_that_is_chosen_is_not_computed(claw: Claw) -> None:
    assert [each.param for each in claw(model="acme/a").derived if each.param == "model"] == []


def test_what_the_scenario_passes_has_no_cause_of_its_own(claw: Claw) -> None:
    names = {each.param for each in claw(passed={"sandboxInfo": {"enabled": True}, "ttsHint": None}).derived}
    assert names & {"promptParams.sandboxInfo", "promptParams.ttsHint", "promptParams.skillsPrompt"} == {
        "promptParams.skillsPrompt"
    }


@pytest.mark.parametrize(("citations", "is_off"), [("off", True), ("on", False), ("auto", False), (None, False)])
def test_the_configuration_switches_citations_off(claw: Claw, citations: str | None, is_off: bool) -> None:
    texts = [
        section.text
        for value in (citations, "off")
        for section in claw(config={"memory": {"citations": value}}).sections
        if section.id == "memory_recall"
    ]
    assert (texts[0] == texts[1]) is is_off


@pytest.mark.parametrize(("display", "is_hashed"), [("hash", True), ("raw", False), ("bogus", False), (None, False)])
def test_the_configuration_has_senders_hashed(claw: Claw, display: str | None, is_hashed: bool) -> None:
    commands = {"ownerDisplay": display, "ownerAllowFrom": ["+15550100"]}
    text = claw(config={"commands": commands}, channel="telegram").system_text
    assert (" +15550100." in text) is not is_hashed
