"""What a request tells of the run: its MCP servers, and whether the maker's own were reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.claude_code.captured import params_from_request, servers
from promptscope_engine.captures.model import Block, Content, Message, SentTool


def said(text: str) -> Content:
    return Content("anthropic", messages=(Message("user", (Block(text),)),))


def test_a_server_that_has_not_answered_yet_is_connecting() -> None:
    listed = "These are late; their tools (mcp__<server>__*) come soon:\nboxes\nscales and more\n\nAsk for them."
    found = servers(said(f"Be kind.\n\n{listed}"))
    assert [(server.name, server.status) for server in found] == [
        ("boxes", "connecting"),
        ("scales and more", "connecting"),
    ]


@pytest.mark.parametrize(
    ("tools", "keys", "told"),
    [
        (("AskUserQuestion", "Bash"), ("tools",), {"online": False}),
        (("AskUserQuestion", "Artifact"), ("tools",), {}),
        (("AskUserQuestion", "Bash"), ("tools", "safeguards"), {}),
        (("Bash",), ("tools",), {}),
    ],
)
def test_an_interactive_run_tells_whether_the_makers_servers_answered(
    tools: tuple[str, ...], keys: tuple[str, ...], told: dict[str, object]
) -> None:
    sent = tuple(SentTool(name, "", {}, "function") for name in tools)
    assert params_from_request(Content("anthropic", tools=sent, keys=keys)) == told


@pytest.mark.parametrize(
    ("rest", "prompt"),
    [((), None), (("Be a pirate.",), "Be a pirate."), (("Be kind.\n# Harness\nx", "# Environment\ny"), "preset")],
)
def test_a_request_of_the_agent_sdk_tells_its_system_prompt(rest: tuple[str, ...], prompt: str | None) -> None:
    header = "x-anthropic-billing-header: cc_version=2.1.332.000; cc_entrypoint=sdk-py;"
    system = tuple(Block(text) for text in (header, "Who you are.", *rest))
    told = {"sdk": {"systemPrompt": prompt}, "env.CLAUDE_CODE_ENTRYPOINT": "sdk-py"}
    assert params_from_request(Content("anthropic", system=system)) == told
    of_client = (Block(header.replace("sdk-py", "sdk-cli")), *system[1:])
    assert params_from_request(Content("anthropic", system=of_client)) == {}


def test_a_server_that_failed_is_disconnected_with_its_error() -> None:
    (found,) = servers(said('Not there (mcp__<server>__*) in this session:\nboxes (ENOENT): "spawn none"\n\nBe kind.'))
    assert (found.name, found.status, found.errorCode, found.error) == (
        "boxes",
        "disconnected",
        "ENOENT",
        "spawn none",
    )


@pytest.mark.parametrize(
    ("online", "env", "mode", "publishes"),
    [
        (True, {}, "auto", True),
        (False, {}, "default", False),
        (False, {"ANTHROPIC_BASE_URL": "https://gateway.example"}, "auto", False),
    ],
)
def test_without_the_makers_servers_nothing_is_published_and_the_mode_is_the_usual_one(
    online: bool, env: dict[str, str], mode: str, publishes: bool, tmp_path: Path
) -> None:
    places = {"workspace": str(tmp_path), "home": str(tmp_path)}
    found = assemble(Scenario(agent="claude-code", params={"online": online}, env=env, **places))
    assert found.mode == mode
    assert any(tool.name == "Artifact" and tool.present for tool in found.tools) is publishes
