"""OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from promptscope_engine.formats.document import Json

from .content import Block, Content, Message, SentTool, as_json, leading, objects, word

CARRIER = "additional_tools"
"""The type of an input item that carries tools in place of the body's key."""

_RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


def read(path: str, body: Mapping[str, Json]) -> Content:  # noqa: ARG001 - the shape of all four
    """The content of a body for `/v1/responses`; the instructions and what developers say first are the system
    prompt."""
    given = body.get("input")
    items = objects(given) if not isinstance(given, str) else [{"role": "user", "content": given}]
    sent = [_message(item) for item in items if item.get("type") != CARRIER]
    system, messages = leading(sent, "system", "developer")
    instructions = word(body.get("instructions"))
    carried = [tool for item in items if item.get("type") == CARRIER for tool in objects(item.get("tools"))]
    return Content(
        protocol="responses",
        model=word(body.get("model")) or None,
        system=((Block(instructions),) if instructions else ()) + system,
        messages=messages,
        tools=tuple(found for each in (*objects(body.get("tools")), *carried) for found in _tools(each)),
    )


def _message(item: Mapping[str, Json]) -> Message:
    kind = word(item.get("type")) or "message"
    if kind == "message":
        return Message(word(item.get("role")) or "user", tuple(_blocks(item.get("content"))))
    if kind in _RESULTS:
        output = item.get("output")
        return Message("user", tuple(Block(b.text, "tool_result") for b in _blocks(output)))
    hidden = ("id", "encrypted_content", "status")
    return Message("assistant", (Block(as_json({k: v for k, v in item.items() if k not in hidden}), kind),))


def _blocks(content: Json) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(content)
    for part in objects(content):
        text = part.get("text")
        yield Block(text) if isinstance(text, str) else Block("", word(part.get("type")))


def _tools(tool: Mapping[str, Json]) -> Iterator[SentTool]:
    kind = word(tool.get("type")) or "function"
    inner = objects(tool.get("tools"))
    if inner:  # a namespace of tools
        for each in inner:
            yield from _tools(each)
        return
    named = ("name", "description", "parameters", "type", "strict")
    schema = tool.get("parameters", tool.get("format"))
    if schema is None:
        schema = {key: value for key, value in tool.items() if key not in named}
    yield SentTool(word(tool.get("name")) or kind, word(tool.get("description")), schema, kind)
