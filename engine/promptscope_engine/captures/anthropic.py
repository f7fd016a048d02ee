"""Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from promptscope_engine.formats.document import Json

from .content import Block, Content, Message, SentTool, as_json, cache_of, objects, word

_MEDIA = ("image", "document")
_HIDDEN = ("signature", "cache_control")


def read(path: str, body: Mapping[str, Json]) -> Content:  # noqa: ARG001 - the shape of all four
    """The content of a body for `/v1/messages` or its token count."""
    return Content(
        protocol="anthropic",
        model=word(body.get("model")) or None,
        system=tuple(_blocks(body.get("system"))),
        messages=tuple(
            Message(word(each.get("role")) or "user", tuple(_blocks(each.get("content"))))
            for each in objects(body.get("messages"))
        ),
        tools=tuple(_tool(each) for each in objects(body.get("tools"))),
    )


def _blocks(value: Json) -> Iterator[Block]:
    if isinstance(value, str):
        yield Block(value)
    for each in objects(value):
        yield from _block(each)


def _block(block: Mapping[str, Json]) -> Iterator[Block]:
    kind, cache = word(block.get("type")) or "text", cache_of(block)
    if kind == "text":
        yield Block(word(block.get("text")), cache=cache)
    elif kind == "tool_result":
        inner = block.get("content")
        parts = [inner] if isinstance(inner, str) else [word(each.get("text")) for each in objects(inner)]
        yield Block("".join(parts), kind, cache)
    elif kind in _MEDIA:
        yield Block("", kind, cache)
    else:
        shown = {key: value for key, value in block.items() if key not in _HIDDEN}
        yield Block(word(block.get("thinking")) or as_json(shown), kind, cache)


def _tool(tool: Mapping[str, Json]) -> SentTool:
    kind = word(tool.get("type")) or "custom"
    schema = tool.get("input_schema")
    if schema is None:  # one of the service's own: what is said of it is its settings
        schema = {key: value for key, value in tool.items() if key not in ("name", "description", "cache_control")}
    return SentTool(word(tool.get("name")) or kind, word(tool.get("description")), schema, kind)
