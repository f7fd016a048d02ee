"""How the tools that are not sent are found [2026.9.6]."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.prompt.model import Lever, Tool

from .conftest import Claw

FILES = ["apply_patch", "edit", "exec", "ls", "openclaw", "process", "read", "sessions_yield"]
BY_SEARCH = ["tool_call", "tool_describe", "tool_search"]


@pytest.mark.parametrize(
    ("tools", "sent"),
    [
        ({}, [*FILES, *BY_SEARCH, "write"]),
        ({"toolSearch": {"mode": "directory"}}, [*FILES, *BY_SEARCH, "write"]),
        ({"toolSearch": True}, [*FILES, "tool_search_code", "write"]),
        ({"codeMode": True}, ["exec", "openclaw", "sessions_yield", "wait"]),
        ({"profile": "minimal"}, BY_SEARCH),
    ],
)
def test_what_is_sent_goes_by_how_the_others_are_found(claw: Claw, tools: dict[str, Any], sent: list[str]) -> None:
    assembly = claw(version="2026.9.6", config={"tools": tools})
    assert [tool["name"] for tool in assembly.request.tools] == sent
    waiting = [tool for tool in assembly.tools if tool.present and tool.variant == "deferred"]
    assert not {tool.name for tool in waiting} & set(sent)
    assert waiting


def test_a_tool_that_waits_says_what_it_would_add_and_what_sends_it_right_away(claw: Claw) -> None:
    by_name = {tool.name: tool for tool in claw(version="2026.9.6").tools}
    browser, read, grep = by_name["browser"], by_name["read"], by_name["grep"]
    assert browser.waits is not None
    assert browser.waits.text.startswith("absent: tools are searched in the mode tools")
    assert browser.waits.levers == (Lever("configOverlay.tools.toolSearch", False),)
    assert (read.waits, read.tokens.loaded, grep.tokens.loaded) == (None, None, None)
    sent = {tool.name: tool for tool in claw(version="2026.9.6", config={"tools": {"toolSearch": False}}).tools}
    assert sent["browser"].waits is None


def test_loading_a_tool_adds_what_it_would_cost_if_it_were_sent(tmp_path: Path) -> None:
    def tools(search: bool) -> dict[str, Tool]:
        scenario = Scenario(
            agent="openclaw", workspace=str(tmp_path), home=str(tmp_path / "home"), env={},
            params={"config": {"tools": {"toolSearch": search, "deny": ["nodes"]}}},
        )  # fmt: skip
        return {tool.name: tool for tool in assemble(scenario, Workspace()).tools}

    waiting, sent = tools(True), tools(False)
    assert waiting["browser"].tokens.loaded == sent["browser"].tokens.expected
    assert not waiting["nodes"].present
    assert waiting["nodes"].tokens.loaded == sent["nodes"].tokens.expected


def _said(person: int) -> dict[str, Any]:
    sender = {"id": person, "is_bot": False, "first_name": "A"}
    return {
        "message": {
            "message_id": 1,
            "date": 1767323040,
            "from": sender,
            "text": "hi",
            "chat": {"id": person, "type": "private"},
        }
    }


@pytest.mark.parametrize(
    ("given", "reason", "lever"),
    [
        ({"chat": _said(7)}, "`commands.ownerAllowFrom` does not name telegram:7",
         Lever("configOverlay.commands.ownerAllowFrom", ["telegram:8", "telegram:7"])),
        ({"sessionKey": "agent:main:subagent:x"}, "the sub-agent's policy denies it", Lever("sessionKey", None)),
        ({"configOverlay": {"agents": {"defaults": {"sandbox": {"mode": "all"}}}}},
         "`tools.sandbox.tools.allow` does not allow it", None),
        ({"sessionKey": "agent:main:telegram:group:1",
          "configOverlay": {"channels": {"telegram": {"groups": {"1": {"tools": {"deny": ["group:automation"]}}}}}}},
         "`channels.telegram.groups.1.tools.deny` denies it (group:automation)",
         Lever("configOverlay.channels.telegram.groups.1.tools.deny",
               ["heartbeat_respond", "gateway", "plugins", "openclaw"])),
    ],
    ids=["owner", "sub-agent", "sandbox", "group"],
)  # fmt: skip
def test_a_hidden_tool_says_from_whom_and_what_would_show_it(
    claw: Claw, given: dict[str, Any], reason: str, lever: Lever | None
) -> None:
    config = {"commands": {"ownerAllowFrom": ["telegram:8"]}}
    found = next(t for t in claw(version="2026.9.6", config=config, **given).tools if t.name == "automations")
    assert not found.present
    assert reason in found.why.text
    assert lever is None or found.why.levers == (lever,)
    assert found.why.levers


def test_a_tool_says_who_would_not_be_offered_it(claw: Claw) -> None:
    found = next(t for t in claw(version="2026.9.6", config={}).tools if t.name == "automations")
    assert found.why.condition is not None
    said = [child.text for child in found.why.condition.children]
    assert "an owner may use it" in said
    assert said[-2:] == ["no sandbox hides it", "no sub-agent's policy hides it"]
