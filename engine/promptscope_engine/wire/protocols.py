"""How a message and its parts are written in the protocols of several providers."""

import base64
from collections.abc import Mapping
from typing import Literal

from promptscope_engine.formats.document import Json

Protocol = Literal["messages", "responses", "chat", "gemini"]
_PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


def picture(data: bytes) -> tuple[str, str] | None:
    """The media type of a picture and its bytes in base64, by how it begins; None for anything else."""
    kind = next((kind for start, kind in _PICTURES.items() if data.startswith(start)), "")
    kind = "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else kind
    return (kind, base64.b64encode(data).decode("ascii")) if kind else None


def image(protocol: Protocol, kind: str, data: str) -> dict[str, Json]:
    """An image, in base64, as a part of a message."""
    url = f"data:{kind};base64,{data}"
    if protocol == "messages":
        return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}
    if protocol == "responses":
        return {"type": "input_image", "image_url": url}
    if protocol == "gemini":
        return {"type": "inline", "inlineData": {"mimeType": kind, "data": data}}
    return {"type": "image_url", "image_url": {"url": url}}


def tool_of(protocol: Protocol, name: str, description: str, schema: Json) -> dict[str, Json]:
    """A tool. One whose schema is a grammar takes a text, which only OpenAI's protocols know."""
    said = {"name": name, "description": description}
    is_grammar = isinstance(schema, dict) and schema.get("type") == "grammar"
    if protocol not in ("chat", "responses"):
        return {**said, "input_schema": schema}
    if protocol == "responses":
        return (
            function_of(name, description, schema) if not is_grammar else {**said, "type": "custom", "format": schema}
        )
    if not is_grammar:
        return {"type": "function", "function": {**said, "parameters": schema}}
    grammar = {key: value for key, value in schema.items() if key != "type"}
    return {"type": "custom", "custom": {**said, "format": {"type": "grammar", "grammar": grammar}}}


def function_of(name: str, description: str, schema: Json) -> dict[str, Json]:
    """An ordinary tool of the Responses API."""
    return {"type": "function", "name": name, "description": description, "strict": False, "parameters": schema}


def message_of(protocol: Protocol, message: Mapping[str, Json]) -> dict[str, Json]:
    """A message of text blocks and images as OpenAI's protocols have it; a lone text of a chat has no parts."""
    content = message["content"]
    if protocol == "responses":
        parts = [{**part, "type": "input_text"} if part["type"] == "text" else part for part in content]
        return {**message, "content": parts, "type": "message"}
    if protocol == "chat" and [part["type"] for part in content] == ["text"]:
        return {**message, "content": content[0]["text"]}
    return dict(message)
