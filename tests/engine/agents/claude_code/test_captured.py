"""What a request tells of the servers that it was sent with."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.captured import servers
from promptscope_engine.captures.content import Block, Content, Message


def said(text: str) -> Content:
    return Content("anthropic", messages=(Message("user", (Block(text),)),))


def test_a_server_that_has_not_answered_yet_is_connecting() -> None:
    listed = "These are late; their tools (mcp__<server>__*) come soon:\nboxes\nscales and more\n\nAsk for them."
    found = servers(said(f"Be kind.\n\n{listed}"))
    assert [(server.name, server.status) for server in found] == [
        ("boxes", "connecting"),
        ("scales and more", "connecting"),
    ]


def test_a_server_that_failed_is_disconnected_with_its_error() -> None:
    (found,) = servers(said('Not there (mcp__<server>__*) in this session:\nboxes (ENOENT): "spawn none"\n\nBe kind.'))
    assert (found.name, found.status, found.errorCode, found.error) == (
        "boxes",
        "disconnected",
        "ENOENT",
        "spawn none",
    )
