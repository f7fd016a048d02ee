"""What Roo computes from its other inputs, and what a person may set in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from promptscope_engine.agents.roo.gather.gather import find_model
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import Assembly, Lever

Roo = Callable[..., Assembly]
CLAUDE = "claude-sonnet-4-5"
OPEN = {"name": "x", "status": "connecting"}


def has_browser(assembly: Assembly) -> bool:
    return next(tool for tool in assembly.tools if tool.name == "browser_action").present


@pytest.mark.parametrize(
    ("provider", "model", "can", "words"),
    [
        (None, None, False, "no model is set"),
        (None, CLAUDE, True, f"{CLAUDE} can use a computer (the list of anthropic)"),
        ("xai", CLAUDE, False, f"the list of xai lacks {CLAUDE}"),
        ("openrouter", CLAUDE, False, f"openrouter is asked for its models at run time: {CLAUDE} is not known here"),
        ("deepseek", "deepseek-chat", False, "deepseek-chat cannot use a computer (the list of deepseek)"),
        (None, "mine", False, "no provider's list has mine"),
    ],
)
def test_the_model_is_looked_up_by_provider_and_id(provider: str | None, model: str | None, can: bool, words: str):
    verdict = find_model(provider, model).value.evaluate(Facts())
    assert (verdict.ok, verdict.text) == (can, words)


def test_an_unknown_provider_names_the_nearest():
    (note,) = find_model("antropic", CLAUDE).diagnostics
    assert note.message == "Roo has no provider 'antropic'; known: anthropic"
    (note,) = find_model("?", CLAUDE).diagnostics
    assert "anthropic, " in note.message


def test_the_setting_switches_the_browser_off(roo: Roo):
    assert has_browser(roo(model=CLAUDE))
    off = roo(model=CLAUDE, browserToolEnabled=False)
    tool = next(tool for tool in off.tools if tool.name == "browser_action")
    assert not tool.present
    assert tool.why.text == "absent: `supportsComputerUse` is off (derived: `browserToolEnabled` is off)"
    assert tool.why.levers == (Lever("browserToolEnabled", True),)


def test_what_was_set_by_hand_counts_and_is_noted(roo: Roo):
    assembly = roo(model=CLAUDE, supportsComputerUse=False)
    found = assembly.derivation("supportsComputerUse")
    assert found is not None
    assert (found.value, found.computed, found.overridden) == (False, True, True)
    assert not has_browser(assembly)
    tool = next(tool for tool in assembly.tools if tool.name == "browser_action")
    assert "(set by hand; the agent derives on)" in tool.why.text
    assert tool.why.levers == (Lever("supportsComputerUse", True),)


@pytest.mark.parametrize(
    ("given", "noted"),
    [
        ({"model": CLAUDE, "supportsComputerUse": False}, True),
        ({"model": CLAUDE, "supportsComputerUse": True}, False),
        ({"model": "mine", "supportsComputerUse": True}, False),  # nobody knows what it can do
        ({"model": "mine", "supportsComputerUse": True, "browserToolEnabled": False}, True),
        ({"partialReadsEnabled": True}, True),
        ({"partialReadsEnabled": True, "editor": {"maxReadFileLine": 0}}, False),
        ({"diffStrategy": "multi-file-search-replace"}, True),
        ({"experiments": {"multiFileApplyDiff": True}}, False),
    ],
)
def test_contradicting_inputs_are_an_info(roo: Roo, given: dict[str, Any], noted: bool):
    notes = [each for each in roo(**given).diagnostics if each.code == "set-against-derived"]
    assert [note.severity for note in notes] == ["info"] * noted


@pytest.mark.parametrize(("limit", "partial"), [(-1, False), (0, True), (1, True)])
def test_partial_reads_follow_the_limit_of_lines(roo: Roo, limit: int, partial: bool):
    read = next(tool for tool in roo(editor={"maxReadFileLine": limit}).tools if tool.name == "read_file")
    assert any(parameter.name == "line_range" for parameter in read.parameters) is partial


@pytest.mark.parametrize(("seconds", "connected"), [(None, False), (9, True), (10, True), (11, False)])
def test_a_task_waits_ten_seconds_for_servers(roo: Roo, seconds: int | None, connected: bool):
    section = roo(mcp_servers=[OPEN], mcpConnectSeconds=seconds).section("mcp_servers")
    assert section is not None
    assert section.present
    assert ("## x" in section.text) is connected


def test_without_the_setting_no_server_is_looked_at(roo: Roo):
    section = roo(mcp_servers=[{"name": "x"}], mcpEnabled=False).section("mcp_servers")
    assert section is not None
    assert section.why.text == "absent: `mcpEnabled` is off"


@pytest.mark.parametrize(("limit", "other"), [(-1, 500), (1, -1)])
def test_a_limit_of_lines_is_what_switches_partial_reads(roo: Roo, limit: int, other: int):
    found = roo(editor={"maxReadFileLine": limit}).derivation("partialReadsEnabled")
    assert found is not None
    assert found.why.condition is not None
    assert found.why.condition.remedy == f"`--set editor.maxReadFileLine={other}`"


@pytest.mark.parametrize(("given", "overridden"), [({}, None), ({"language": "de"}, True), ({"language": None}, False)])
def test_the_language_is_the_editors_unless_it_is_set(roo: Roo, given: dict[str, Any], overridden: bool | None):
    found = roo(**given).derivation("language")
    assert (found and found.overridden) is overridden
    assert found is None or (found.computed, found.why.text) == ("en", "the editor speaks en")


def test_shells_are_computed_from_the_machine(roo: Roo):
    found = roo().derivation("vscodeShell")
    assert found is not None
    assert found.computed == "/bin/bash"
