"""What of a captured request becomes the scenario that is compared with it."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine import Scenario, ScenarioError
from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.captures.content import Block, Content, Message, SentTool
from promptscope_engine.captures.model import Capture, Header, Protocol, Recorded
from promptscope_engine.inputs.scenario import Environment, McpServer
from promptscope_engine.insight.captured_scenario import alternatives, scenario_of, typed

REQUEST = Recorded(1, "POST", "/v1/messages", "anthropic")
SERVER_TOOL = SentTool("mcp__shop__buy", "Buys.", {"type": "object"}, "custom")


def message(role: str, *texts: str, kind: str = "text") -> Message:
    return Message(role, tuple(Block(text, kind) for text in texts))


def content(*messages: Message, protocol: Protocol = "anthropic", **more: Any) -> Content:
    return Content(protocol, messages=messages or (message("user", "hi"),), **more)


def of(header: Header, base: Scenario | None = None, sent: Content | None = None) -> Scenario:
    return scenario_of(Capture(header, (REQUEST,)), REQUEST, sent or content(), base or Scenario())


def test_the_agent_is_the_one_that_was_recorded_unless_another_is_asked_for() -> None:
    assert of(Header("codex")).agent == "codex"
    assert of(Header(f"{OBSERVED}codex")).agent == "codex"
    assert of(Header("codex"), Scenario(agent="claude-code")).agent == "claude-code"
    with pytest.raises(ScenarioError, match="aider is not modelled, so there is no prediction"):
        of(Header("aider"))


def test_what_the_header_tells_counts_where_the_base_says_nothing() -> None:
    header = Header("claude-code", "2.1.100", home="/home/ada", started="2026-05-05T10:00:00Z", prompt="Do it.")
    told = of(header, sent=content(model="claude-opus-4-1"))
    assert (told.agent_version, told.model, told.home) == ("2.1.100", "claude-opus-4-1", "/home/ada")
    assert told.environment.date == "2026-05-05T10:00:00Z"
    base = Scenario(
        agent_version="2.1.329", model="m", home="/h", environment=Environment(date="2026-01-01", username="bob")
    )
    asked = of(header, base, content(model="claude-opus-4-1"))
    assert (asked.agent_version, asked.model, asked.home) == ("2.1.329", "m", "/h")
    assert asked.environment == base.environment
    silent = of(Header("claude-code"))
    assert (silent.agent_version, silent.model, silent.home, silent.environment.date) == (None, None, None, None)
    other = of(header, Scenario(environment=Environment(username="bob")))
    assert (other.environment.username, other.environment.date) == ("bob", "2026-05-05T10:00:00Z")
    undated = of(Header("claude-code"), Scenario(environment=Environment(date="2026-01-01")))
    assert undated.environment.date == "2026-01-01"


def test_the_prompt_is_what_was_typed() -> None:
    assert of(Header("claude-code", prompt="Do it.")).params["prompt"] == "Do it."
    assert of(Header("claude-code")).params["prompt"] == "hi"
    assert of(Header("claude-code", prompt="Do it."), Scenario(params={"prompt": "mine"})).params["prompt"] == "mine"


@pytest.mark.parametrize(
    ("agent", "is_told"),
    [("claude-code", True), ("codex", True), ("gemini", True), ("roo", False), ("openclaw", False)],
)
def test_what_was_typed_is_told_where_it_is_an_input(agent: str, is_told: bool) -> None:
    assert ("prompt" in of(Header(agent, prompt="Do it.")).params) is is_told


@pytest.mark.parametrize(
    ("source", "login", "is_set"),
    [("capture", "dummy", True), ("capture", "kept", True), ("capture", None, False), ("har", "dummy", False)],
)
def test_variables_that_the_recording_set_are_inputs_of_the_run(source: Any, login: Any, is_set: bool) -> None:
    """Those that the agent looks at to find the recording server are not, nor are those of other agents' recordings."""
    found = of(Header("gemini", source=source, login=login), Scenario(env={"A": "b", "OPENAI_BASE_URL": "http://x"}))
    set_by_it = {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    assert found.env is not None
    assert found.env.items() >= {"A": "b", **(set_by_it if is_set else {})}.items()
    assert ("GEMINI_CLI_TRUST_WORKSPACE" in found.env) is is_set
    assert not found.env.keys() & {"OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"}
    assert found.capture is None


def test_settings_may_name_the_variables_that_led_to_the_recording_server() -> None:
    env = of(Header("openclaw", source="capture", login="dummy")).env or {}
    assert env["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1")
    assert env["ANTHROPIC_API_KEY"]


def test_servers_are_told_by_the_tools_that_were_sent_unless_the_base_names_some() -> None:
    sent = content(tools=(SERVER_TOOL,))
    told = of(Header("claude-code"), sent=sent).mcp_servers
    assert told is not None
    assert [server.name for server in told] == ["shop"]
    assert of(Header("claude-code")).mcp_servers is None
    assert of(Header("claude-code"), Scenario(mcp_servers=[]), sent).mcp_servers == []
    named = [McpServer(name="other")]
    assert of(Header("claude-code"), Scenario(mcp_servers=named), sent).mcp_servers == named


def test_alternatives_leave_what_the_base_or_the_recording_says() -> None:
    header, telemetry = Header("claude-code"), {"env.DISABLE_TELEMETRY": "1"}
    every = [*alternatives("claude-code", header, content(), Scenario(env={}))]
    assert telemetry in every
    base = Scenario(env={"DISABLE_TELEMETRY": "0"})
    assert [*alternatives("claude-code", header, content(), base)] == [each for each in every if each != telemetry]
    params = Scenario(params={"env": {"DISABLE_TELEMETRY": "x"}})
    assert [*alternatives("claude-code", header, content(), params)] == every, "a param of that name is no variable"
    assert not [*alternatives("claude-code", Header("claude-code", variables={}), content(), Scenario(env={}))]


PASTED = """You are Roo.

====

SYSTEM INFORMATION

Operating System: Linux 6.1
Default Shell: /bin/zsh
Home Directory: /home/ada
Current Workspace Directory: /home/ada/shop
"""


def pasted(base: Scenario, text: str = PASTED) -> Scenario:
    sent = Content("chat", system=(Block(text),))
    return scenario_of(Capture(Header("roo", source="prompt"), (REQUEST,)), REQUEST, sent, base)


def test_of_a_pasted_prompt_its_own_words_count_where_the_base_says_nothing() -> None:
    told = pasted(Scenario())
    assert (told.agent, told.home, told.params["terminalShell"]) == ("roo", "/home/ada", "/bin/zsh")
    assert told.environment.os_name == "Linux 6.1"
    facts = Environment(os_name="BSD", date="2026-01-01")
    base = Scenario(home="/h", params={"terminalShell": "sh"}, environment=facts)
    said = pasted(base)
    assert (said.home, said.params["terminalShell"], said.environment) == ("/h", "sh", facts)
    other = pasted(Scenario(environment=Environment(date="2026-01-01"), params={"mode": {"terminalShell": "sh"}}))
    assert (other.environment.os_name, other.environment.date) == ("Linux 6.1", "2026-01-01")
    assert other.params["terminalShell"] == "/bin/zsh"


def test_servers_that_a_pasted_prompt_names_are_those_of_its_scenario() -> None:
    text = f"{PASTED}\n\n====\n\nMCP SERVERS\n\n# Connected MCP Servers\n\n## shop (`npx shop`)\n"
    told = pasted(Scenario(), text).mcp_servers
    assert told is not None
    assert [server.name for server in told] == ["shop"]
    assert pasted(Scenario(mcp_servers=[]), text).mcp_servers == []
    assert pasted(Scenario()).mcp_servers is None
    named = [McpServer(name="other")]
    assert pasted(Scenario(mcp_servers=named)).mcp_servers == named


@pytest.mark.parametrize(
    ("protocol", "messages", "expected"),
    [
        ("anthropic", (), None),
        ("anthropic", (message("user"),), None),
        ("anthropic", (message("user", "reminder", "hi"),), "hi"),
        ("anthropic", (message("user", "hi"), message("assistant", "yes"), message("user", "more")), "hi"),
        ("anthropic", (message("user", "hi"), message("user", "x", kind="image")), "hi"),
        ("anthropic", (Message("user", (Block("hi"), Block("{}", "tool_result"))),), "hi"),
        ("chat", (message("user", "one"), message("user", "two")), "one"),
        ("responses", (message("user", "context"), message("user", "hi")), "hi"),
        ("gemini", (message("user", "context"), message("assistant", "ok"), message("user", "hi")), "hi"),
        ("responses", (message("user", "hi"),), "hi"),
        ("responses", (message("assistant", "ok"), message("user", "hi")), "ok"),
        ("responses", (message("user", "hi"), Message("user", (Block("x", "tool_result"),))), None),
        ("responses", (message("user", "hi"), Message("user", (Block("a"), Block("x", "tool_result")))), "a"),
    ],
)
def test_what_was_typed_is_the_last_text_of_the_first_message_or_of_the_last(
    protocol: Protocol, messages: tuple[Message, ...], expected: str | None
) -> None:
    """Codex and Gemini send a message for each part, and what was typed last."""
    assert typed(Content(protocol, messages=messages)) == expected
