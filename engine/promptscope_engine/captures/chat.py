"""OpenAI's Chat Completions API, and the many services that speak it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from promptscope_engine.formats.document import Json

from .content import Block, Content, Message, SentTool, as_json, cache_of, leading, objects, word


def read(path: str, body: Mapping[str, Json]) -> Content:  # noqa: ARG001 - the shape of all four
    """The content of a body for `/v1/chat/completions`; system messages in front are the system prompt."""
    sent = [Message(word(each.get("role")) or "user", tuple(_blocks(each))) for each in objects(body.get("messages"))]
    system, messages = leading(sent, "system", "developer")
    return Content(
        protocol="chat",
        model=word(body.get("model")) or None,
        system=system,
        messages=messages,
        tools=tuple(_tool(each) for each in objects(body.get("tools"))),
    )


def _blocks(message: Mapping[str, Json]) -> Iterator[Block]:
    content = message.get("content")
    kind = "tool_result" if message.get("role") == "tool" else "text"
    if isinstance(content, str):
        yield Block(content, kind)
    for part in objects(content):
        text = part.get("text")
        yield Block(text, kind, cache_of(part)) if isinstance(text, str) else Block("", word(part.get("type")))
    for call in objects(message.get("tool_calls")):
        yield Block(as_json(call.get("function", call)), "tool_use")


def _tool(tool: Mapping[str, Json]) -> SentTool:
    kind = word(tool.get("type")) or "function"
    named = tool.get(kind)
    inner: Mapping[str, Json] = named if isinstance(named, dict) else tool
    schema = inner.get("parameters", inner.get("format"))
    return SentTool(word(inner.get("name")) or kind, word(inner.get("description")), schema or {}, kind)
