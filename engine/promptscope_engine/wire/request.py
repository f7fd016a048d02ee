"""Requests in the shapes of three protocols, Anthropic's first, whole bodies, and how tools are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json

Field = Literal["system", "messages", "tools"]
"""The parts of a request."""


class WireBlock(Struct, frozen=True):
    """A text, an image or a tool of a request: the part it belongs to, its place in it, and who says it."""

    field: Field
    at: tuple[int, ...]
    value: dict[str, Json]
    role: str = ""

    @property
    def text(self) -> str:
        """Its text; what is not text, as JSON."""
        return str(self.value["text"]) if "text" in self.value else json.dumps(self.value, indent=2, ensure_ascii=False)


class Request(Struct, frozen=True):
    """What would go over the wire, Anthropic-shaped, as plain JSON values."""

    system: tuple[dict[str, Json], ...] = ()
    messages: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] = ()
    protocol: Literal["anthropic"] = "anthropic"

    def blocks(self) -> Iterator[WireBlock]:
        """Every block in the order in which they are sent; a message of plain text is one block."""
        for number, block in enumerate(self.system):
            yield WireBlock("system", (number,), block)
        for number, message in enumerate(self.messages):
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for part, block in enumerate(parts):
                yield WireBlock("messages", (number, part), block, str(message["role"]))
        for number, tool in enumerate(self.tools):
            yield WireBlock("tools", (number,), tool)


def wire_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as it goes over the wire."""
    return {"name": name, "description": description, "input_schema": input_schema}


def wire_json(value: Json) -> str:
    """JSON as the agents' clients send it: compact, and not escaped beyond need."""
    return _COMPACT.encode(value)


_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class FixedSchema(dict[str, Json]):
    """A tool's schema that is the same in every prompt, and that nobody changes: it is written as JSON once.

    But for `listed`: the names of one enum, which are the scenario's.
    """

    def __init__(self, schema: Mapping[str, Json], listed: Sequence[str] = ()) -> None:
        super().__init__(schema)
        self.listed = listed
        self._forms: dict[Hashable, FixedSchema] = {}

    @cached_property
    def json(self) -> str:
        """The block as it is sent."""
        return wire_json(self)

    def form(self, key: Hashable, make: Callable[[Mapping[str, Json]], Mapping[str, Json]]) -> FixedSchema:
        """Another form of the schema, which is known by the key: the same object each time."""
        if key not in self._forms:
            self._forms[key] = FixedSchema(make(self))
        return self._forms[key]

    def without(self, names: frozenset[str]) -> FixedSchema:
        """The schema without these parameters."""
        return self.form(names, lambda schema: _without(schema, names))


def without_parameters(schema: Json, names: Set[str]) -> Json:
    """A tool's schema without some of its parameters."""
    if not names or not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return schema
    return schema.without(frozenset(names)) if isinstance(schema, FixedSchema) else _without(schema, names)


def _without(schema: Mapping[str, Json], names: Set[str]) -> dict[str, Json]:
    return {**schema, "properties": {name: part for name, part in schema["properties"].items() if name not in names}}


def tool_json(tool: Mapping[str, Json]) -> str:
    """`wire_json` of a tool as `wire_tool` makes it, which may have further keys."""
    parts = [f"{_text_json(key)}:{v.json if isinstance(v, FixedSchema) else _own_json(v)}" for key, v in tool.items()]
    return f"{{{','.join(parts)}}}"


def _own_json(value: Json) -> str:
    """`wire_json`, for a text of usual length as it was written before."""
    return _text_json(value) if isinstance(value, str) and len(value) <= _LONGEST_KEPT else wire_json(value)


_LONGEST_KEPT = 32_768
"""Characters of a text whose JSON is kept: strangers' servers may describe their tools at any length."""


@lru_cache(maxsize=256)  # an assembly writes the names and descriptions of the last one
def _text_json(text: str) -> str:
    return wire_json(text)


# --- OpenAI's Responses API -------------------------------------------------------------------------------------------


TOOL_CARRIER = "additional_tools"
"""The type of an input item that carries the tools in place of the body's key."""


class ResponsesRequest(Struct, frozen=True):
    """What would go over the wire, as plain JSON values; None where the body has no such key."""

    model: str | None = None
    instructions: str | None = None
    input: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] | None = None
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None
    reasoning: dict[str, Json] | None = None
    text: dict[str, Json] | None = None
    store: bool | None = None
    stream: bool | None = None
    include: tuple[str, ...] | None = None
    service_tier: str | None = None
    protocol: Literal["responses"] = "responses"

    def blocks(self) -> Iterator[WireBlock]:
        """Every part of the input in order, what developers say as `system`; then the tools, wherever they travel."""
        carried: list[dict[str, Json]] = []
        for number, item in enumerate(self.input):
            role = str(item.get("role") or "")
            if item["type"] == TOOL_CARRIER:
                carried += item["tools"]
            for part, block in enumerate(item.get("content") or ()):
                yield WireBlock("system" if role == "developer" else "messages", (number, part), block, role)
        for number, tool in enumerate(self.tools or carried):
            yield WireBlock("tools", (number,), tool)


# --- OpenAI's Chat Completions API ------------------------------------------------------------------------------------


class ChatRequest(Struct, frozen=True):
    """What would go over the wire, as plain JSON values; `tools` is None where the body has no such key."""

    model: str | None = None
    messages: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] | None = None
    protocol: Literal["chat"] = "chat"

    def blocks(self) -> Iterator[WireBlock]:
        """Every message in order, each one text; then the tools."""
        for number, message in enumerate(self.messages):
            role = str(message["role"])
            field: Literal["system", "messages"] = "system" if role == "system" else "messages"
            yield WireBlock(field, (number, 0), {"type": "text", "text": message["content"]}, role)
        for number, tool in enumerate(self.tools or ()):
            yield WireBlock("tools", (number,), tool)


def chat_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as it goes over the wire."""
    function = {"name": name, "description": description, "parameters": input_schema}
    return {"type": "function", "function": function}


# --- a whole body -----------------------------------------------------------------------------------------------------


class BodyRequest(dict[str, Json]):
    """A request of an agent that speaks several protocols: the body as it is sent, whatever its keys are."""

    @property
    def protocol(self) -> Literal["anthropic", "responses", "chat"]:
        """The protocol whose shape the body has."""
        return "responses" if "input" in self else "anthropic" if "system" in self else "chat"

    def blocks(self) -> Iterator[WireBlock]:
        """Every text in the order in which they are sent, what the system says first; then the tools."""
        first = self.get("instructions") or self.get("system") or ()
        for number, block in enumerate(_parts(first)):
            yield WireBlock("system", (number,), block)
        for number, message in enumerate(self.get("messages") or self.get("input") or ()):
            role = str(message["role"])
            field: Literal["system", "messages"] = "system" if role in ("system", "developer") else "messages"
            for part, block in enumerate(_parts(message["content"])):
                yield WireBlock(field, (number, part), block, role)
        for number, tool in enumerate(self.get("tools") or ()):
            yield WireBlock("tools", (number,), tool)


def _parts(content: Json) -> Json:
    """The parts of what is said; a plain text is one."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


# --- one shape for the protocols of several providers -----------------------------------------------------------------


class NeutralRequest(Struct, frozen=True):
    """What an agent sends in the protocol of the model's provider, in one shape for all: Anthropic's.

    `options` are the other keys of the body, under their own names. A message's content are texts, files as the
    protocol has them, calls of tools (`tool_use`) and their results (`tool_result`, with content of their own).
    """

    system: tuple[dict[str, Json], ...] = ()
    messages: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] = ()
    options: dict[str, Json] = {}
    protocol: Literal["messages", "responses", "chat", "gemini"] = "messages"

    def blocks(self) -> Iterator[WireBlock]:
        """Every block in the order in which they are sent; of a tool's result its text."""
        for number, block in enumerate(self.system):
            yield WireBlock("system", (number,), block)
        for number, message in enumerate(self.messages):
            for part, block in enumerate(message["content"]):
                shown = block["content"][0] if block["type"] == "tool_result" else block
                yield WireBlock("messages", (number, part), shown, str(message["role"]))
        for number, tool in enumerate(self.tools):
            yield WireBlock("tools", (number,), tool)


AnyRequest = Request | ResponsesRequest | ChatRequest | BodyRequest | NeutralRequest
_REQUESTS: Mapping[str, type[AnyRequest]] = {
    "anthropic": Request, "responses": ResponsesRequest, "chat": ChatRequest,
}  # fmt: skip


def request_type(values: Mapping[str, Json]) -> type[AnyRequest]:
    """The class of a request that was written as JSON: a whole body names no protocol. Raises LookupError."""
    if "options" in values:
        return NeutralRequest
    return _REQUESTS[values["protocol"]] if "protocol" in values else BodyRequest
