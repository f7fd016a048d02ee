"""Which protocol a request speaks: told by its path, or by the keys of its body."""

from __future__ import annotations

import re
from collections.abc import Mapping

from promptscope_engine.formats.document import Json

from .content import objects, word
from .model import Protocol

_PATHS: tuple[tuple[re.Pattern[str], Protocol], ...] = (
    (re.compile(r"/messages(/count_tokens)?/?$"), "anthropic"),
    (re.compile(r"/chat/completions/?$"), "chat"),
    (re.compile(r"/responses(/compact|/input_tokens)?/?$"), "responses"),
    (re.compile(r":(streamGenerateContent|generateContent|countTokens)$"), "gemini"),
)
_COUNTS = re.compile(r"/messages/count_tokens/?$|/responses/input_tokens/?$|:countTokens$")


def route(path: str) -> str:
    """The path without query, host and what follows."""
    path = path.partition("?")[0].partition("#")[0]
    return re.sub(r"^[a-z]+://[^/]*", "", path)


def protocol_of(path: str) -> Protocol | None:
    """The protocol of a path on any host; None for one that no model answers."""
    here = route(path)
    return next((protocol for pattern, protocol in _PATHS if pattern.search(here)), None)


def is_count(path: str) -> bool:
    """Whether the path asks for a number of tokens only."""
    return bool(_COUNTS.search(route(path)))


def protocol_of_body(body: Json) -> Protocol | None:
    """The protocol of a bare body; None if it is a request of none of the four."""
    if not isinstance(body, Mapping):
        return None
    wrapped = body.get("request")
    if isinstance(body.get("contents"), list) or (isinstance(wrapped, dict) and "contents" in wrapped):
        return "gemini"
    if isinstance(body.get("input"), (str, list)):
        return "responses"
    if not isinstance(body.get("messages"), list):
        return None
    messages, tools = objects(body["messages"]), objects(body.get("tools"))
    of_chat = any(each.get("role") in ("system", "developer", "tool") or "tool_calls" in each for each in messages)
    if "system" in body or any("input_schema" in tool for tool in tools):
        return "anthropic"
    if of_chat or any("function" in tool for tool in tools):
        return "chat"
    return "anthropic" if "claude" in word(body.get("model")) or "max_tokens" in body else "chat"
