"""Gemini's and Vertex's generateContent, streaming or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from promptscope_engine.formats.document import Json

from .content import Block, Content, Message, SentTool, as_json, objects, word

_MODEL = re.compile(r"models/([^/:?]+)")


def read(path: str, body: Mapping[str, Json]) -> Content:
    """The content of a body; the model stands in the path."""
    if isinstance(body.get("request"), dict) and "contents" not in body:  # wrapped, with an account login
        return read(f"models/{word(body.get('model'))}" if body.get("model") else path, body["request"])
    if isinstance(body.get("generateContentRequest"), dict):  # a token count
        return read(path, body["generateContentRequest"])
    found = _MODEL.search(path)
    system = body.get("systemInstruction", body.get("system_instruction"))
    return Content(
        protocol="gemini",
        model=found[1] if found else word(body.get("model")).rpartition("/")[2] or None,
        system=tuple(_blocks(system)),
        messages=tuple(
            Message("assistant" if each.get("role") == "model" else "user", tuple(_blocks(each)))
            for each in objects(body.get("contents"))
        ),
        tools=tuple(found for each in objects(body.get("tools")) for found in _tools(each)),
    )


def _blocks(content: Json) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(content)
    if not isinstance(content, dict):
        return
    parts = content.get("parts")
    for part in objects([parts] if isinstance(parts, dict) else parts):
        text = part.get("text")
        if isinstance(text, str):
            yield Block(text, "thinking" if part.get("thought") is True else "text")
        elif "functionCall" in part:
            yield Block(as_json(part["functionCall"]), "tool_use")
        elif "functionResponse" in part:
            yield Block(as_json(part["functionResponse"]), "tool_result")
        else:
            yield Block("", next(iter(part), "part"))


def _tools(tool: Mapping[str, Json]) -> Iterator[SentTool]:
    for kind, value in tool.items():
        if kind not in ("functionDeclarations", "function_declarations"):
            yield SentTool(kind, "", value if isinstance(value, dict) else {}, kind)
            continue
        for each in objects(value):
            schema = each.get("parametersJsonSchema", each.get("parameters"))
            yield SentTool(word(each.get("name")), word(each.get("description")), schema or {}, "function")
