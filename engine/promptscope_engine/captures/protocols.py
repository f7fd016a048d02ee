"""Reads the four request protocols, recognised by path or body, into one shape; finds which agent sent a request."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.request import TOOL_CARRIER, wire_json

from .model import Block, Content, Message, Protocol, SentTool, Usage, cache_of, leading, objects, word

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
    return _protocol_of_messages(body) if isinstance(body.get("messages"), list) else None


def _protocol_of_messages(body: Mapping[str, Json]) -> Protocol:
    """Anthropic's, or the one for chats, which are alike."""
    messages, tools = objects(body["messages"]), objects(body.get("tools"))
    of_chat = any(each.get("role") in ("system", "developer", "tool") or "tool_calls" in each for each in messages)
    if "system" in body or any("input_schema" in tool for tool in tools):
        return "anthropic"
    if of_chat or any("function" in tool for tool in tools):
        return "chat"
    return "anthropic" if "claude" in word(body.get("model")) or "max_tokens" in body else "chat"


_AGENTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"claude-(?:cli|code)/(\S+)", re.IGNORECASE), "claude-code"),
    (re.compile(r"codex[\w-]*/(\S+)", re.IGNORECASE), "codex"),
    (re.compile(r"gemini-?cli(?:-\w+)?/([^/\s]+)", re.IGNORECASE), "gemini"),
    (re.compile(r"qwen-?code/([^/\s]+)", re.IGNORECASE), "qwen"),
    (re.compile(r"opencode/(\S+)", re.IGNORECASE), "opencode"),
    (re.compile(r"copilot[\w-]*/(\S+)", re.IGNORECASE), "copilot"),
    (re.compile(r"openclaw/(\S+)", re.IGNORECASE), "openclaw"),
    (re.compile(r"aider[\w-]*/(\S+)", re.IGNORECASE), "aider"),
)


def agent_from_user_agents(user_agents: Iterable[str]) -> tuple[str, str | None] | None:
    """The agent and its version by the first header that names one; None if none does."""
    for header in user_agents:
        for pattern, agent in _AGENTS:
            if found := pattern.search(header):
                return agent, found[1].strip("(),;")
    return None


_NAMES = ((re.compile(r"\bOpenClaw\b"), "openclaw"), (re.compile(r"\bYou are Roo\b"), "roo"))
_INTRODUCED = 300
"""Characters of a system prompt in which an agent says its name."""


def agent_from_prompt(content: Content) -> str | None:
    """The agent by what its system prompt calls it, for those whose client is any vendor's."""
    start = "".join([block.text for block in content.system])[:_INTRODUCED]
    return next((agent for pattern, agent in _NAMES if pattern.search(start)), None)


def content_of(protocol: Protocol, path: str, body: Json) -> Content:
    """The content of a body; what does not have the protocol's shape is left out."""
    values = body if isinstance(body, dict) else {}
    return replace(_READERS[protocol](path, values), keys=tuple(values))


# --- Anthropic's Messages API -----------------------------------------------------------------------------------------


_MEDIA = ("image", "document")
_HIDDEN = ("signature", "cache_control")


def _read_anthropic(_: str, body: Mapping[str, Json]) -> Content:
    """The content of a body for `/v1/messages` or its token count."""
    return Content(
        protocol="anthropic",
        model=word(body.get("model")) or None,
        system=tuple(_anthropic_blocks(body.get("system"))),
        messages=tuple(
            Message(word(each.get("role")) or "user", tuple(_anthropic_blocks(each.get("content"))))
            for each in objects(body.get("messages"))
        ),
        tools=tuple(_anthropic_tool(each) for each in objects(body.get("tools"))),
    )


def _anthropic_blocks(value: Json) -> Iterator[Block]:
    if isinstance(value, str):
        yield Block(value)
    for each in objects(value):
        yield from _anthropic_block(each)


def _anthropic_block(block: Mapping[str, Json]) -> Iterator[Block]:
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
        yield Block(word(block.get("thinking")) or wire_json(shown), kind, cache)


def _anthropic_tool(tool: Mapping[str, Json]) -> SentTool:
    kind = word(tool.get("type")) or "custom"
    schema = tool.get("input_schema")
    if schema is None:  # one of the service's own: what is said of it is its settings
        schema = {key: value for key, value in tool.items() if key not in ("name", "description", "cache_control")}
    name, deferred = word(tool.get("name")) or kind, tool.get("defer_loading") is True
    return SentTool(name, word(tool.get("description")), schema, kind, deferred, cache_of(tool))


# --- OpenAI's Chat Completions API, and the many services that speak it -----------------------------------------------


def _read_chat(_: str, body: Mapping[str, Json]) -> Content:
    """The content of a body for `/v1/chat/completions`; system messages in front are the system prompt."""
    sent = [
        Message(word(each.get("role")) or "user", tuple(_chat_blocks(each))) for each in objects(body.get("messages"))
    ]
    system, messages = leading(sent, "system", "developer")
    return Content(
        protocol="chat",
        model=word(body.get("model")) or None,
        system=system,
        messages=messages,
        tools=tuple(_chat_tool(each) for each in objects(body.get("tools"))),
    )


def _chat_blocks(message: Mapping[str, Json]) -> Iterator[Block]:
    content = message.get("content")
    kind = "tool_result" if message.get("role") == "tool" else "text"
    if isinstance(content, str):
        yield Block(content, kind)
    for part in objects(content):
        text = part.get("text")
        yield Block(text, kind, cache_of(part)) if isinstance(text, str) else Block("", word(part.get("type")))
    for call in objects(message.get("tool_calls")):
        yield Block(wire_json(call.get("function", call)), "tool_use")


def _chat_tool(tool: Mapping[str, Json]) -> SentTool:
    kind = word(tool.get("type")) or "function"
    named = tool.get(kind)
    inner: Mapping[str, Json] = named if isinstance(named, dict) else tool
    schema = inner.get("parameters", inner.get("format"))
    return SentTool(word(inner.get("name")) or kind, word(inner.get("description")), schema or {}, kind)


# --- OpenAI's Responses API -------------------------------------------------------------------------------------------


_RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


def _read_responses(_: str, body: Mapping[str, Json]) -> Content:
    """The content of a body for `/v1/responses`.

    The instructions and the first messages of developers are the system prompt.
    """
    given = body.get("input")
    items = objects(given) if not isinstance(given, str) else [{"role": "user", "content": given}]
    sent = [_responses_message(item) for item in items if item.get("type") != TOOL_CARRIER]
    system, messages = leading(sent, "system", "developer")
    instructions = word(body.get("instructions"))
    carried = [tool for item in items if item.get("type") == TOOL_CARRIER for tool in objects(item.get("tools"))]
    return Content(
        protocol="responses",
        model=word(body.get("model")) or None,
        system=((Block(instructions),) if instructions else ()) + system,
        messages=messages,
        tools=tuple(found for each in (*objects(body.get("tools")), *carried) for found in _responses_tools(each)),
    )


def _responses_message(item: Mapping[str, Json]) -> Message:
    kind = word(item.get("type")) or "message"
    if kind == "message":
        return Message(word(item.get("role")) or "user", tuple(_responses_blocks(item.get("content"))))
    if kind in _RESULTS:
        output = item.get("output")
        return Message("user", tuple(Block(b.text, "tool_result") for b in _responses_blocks(output)))
    hidden = ("id", "encrypted_content", "status")
    return Message("assistant", (Block(wire_json({k: v for k, v in item.items() if k not in hidden}), kind),))


def _responses_blocks(content: Json) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(content)
    for part in objects(content):
        text = part.get("text")
        yield Block(text) if isinstance(text, str) else Block("", word(part.get("type")))


def _responses_tools(tool: Mapping[str, Json]) -> Iterator[SentTool]:
    kind = word(tool.get("type")) or "function"
    inner = objects(tool.get("tools"))
    if inner:  # a namespace of tools
        for each in inner:
            yield from _responses_tools(each)
        return
    named = ("name", "description", "parameters", "type", "strict")
    schema = tool.get("parameters", tool.get("format"))
    if schema is None:
        schema = {key: value for key, value in tool.items() if key not in named}
    yield SentTool(word(tool.get("name")) or kind, word(tool.get("description")), schema, kind)


# --- Gemini's and Vertex's generateContent, streaming or not ----------------------------------------------------------


_GEMINI_MODEL = re.compile(r"models/([^/:?]+)")


def _read_gemini(path: str, body: Mapping[str, Json]) -> Content:
    """The content of a body; the model is in the path."""
    if isinstance(body.get("request"), dict) and "contents" not in body:  # wrapped, with an account login
        return _read_gemini(f"models/{word(body.get('model'))}" if body.get("model") else path, body["request"])
    if isinstance(body.get("generateContentRequest"), dict):  # a token count
        return _read_gemini(path, body["generateContentRequest"])
    found = _GEMINI_MODEL.search(path)
    system = body.get("systemInstruction", body.get("system_instruction"))
    return Content(
        protocol="gemini",
        model=found[1] if found else word(body.get("model")).rpartition("/")[2] or None,
        system=tuple(_gemini_blocks(system)),
        messages=tuple(
            Message("assistant" if each.get("role") == "model" else "user", tuple(_gemini_blocks(each)))
            for each in objects(body.get("contents"))
        ),
        tools=tuple(found for each in objects(body.get("tools")) for found in _gemini_tools(each)),
    )


def _gemini_blocks(content: Json) -> Iterator[Block]:
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
            yield Block(wire_json(part["functionCall"]), "tool_use")
        elif "functionResponse" in part:
            yield Block(wire_json(part["functionResponse"]), "tool_result")
        else:
            yield Block("", next(iter(part), "part"))


def _gemini_tools(tool: Mapping[str, Json]) -> Iterator[SentTool]:
    for kind, value in tool.items():
        if kind not in ("functionDeclarations", "function_declarations"):
            yield SentTool(kind, "", value if isinstance(value, dict) else {}, kind)
            continue
        for each in objects(value):
            schema = each.get("parametersJsonSchema", each.get("parameters"))
            yield SentTool(word(each.get("name")), word(each.get("description")), schema or {}, "function")


_READERS: dict[Protocol, Callable[[str, Mapping[str, Json]], Content]] = {
    "anthropic": _read_anthropic,
    "chat": _read_chat,
    "responses": _read_responses,
    "gemini": _read_gemini,
}


# --- usage: what a service says a request took ------------------------------------------------------------------------


def usage_of(reply: Json) -> Usage | None:
    """The usage in a reply: its JSON, the list of its events, or the text of either; None if it says nothing."""
    found: dict[str, int] = {}
    for part in _parts(reply):
        found |= _numbers(part)
    return Usage(**found) if found else None


def _parts(reply: Json) -> Iterator[Mapping[str, Json]]:
    if isinstance(reply, str):
        reply = list(_decoded(reply))
    for each in objects(reply) if isinstance(reply, list) else objects([reply]):
        data = each.get("data")
        if isinstance(data, str):
            yield from _decoded(data)
        else:
            yield data if isinstance(data, dict) else each


def _decoded(text: str) -> Iterator[dict[str, Json]]:
    """The objects of a text: one JSON value, or the data lines of a stream of events."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield from _events(text.splitlines())
    else:
        yield from objects(value if isinstance(value, list) else [value])


def _events(lines: Iterable[str]) -> Iterator[dict[str, Json]]:
    for line in lines:
        if line.startswith("data:") and "sage" in line:  # `usage` and `usageMetadata`
            try:
                yield from objects([json.loads(line[5:])])
            except (ValueError, RecursionError):
                continue


_KEYS = {
    "input": ("input_tokens", "prompt_tokens", "promptTokenCount"),
    "output": ("output_tokens", "completion_tokens", "candidatesTokenCount"),
    "cache_read": ("cache_read_input_tokens", "cachedContentTokenCount"),
    "cache_write": ("cache_creation_input_tokens",),
}


def _numbers(part: Mapping[str, Json]) -> dict[str, int]:
    inner = next((part[key] for key in ("message", "response") if isinstance(part.get(key), dict)), part)
    usage = next((each for each in (inner.get("usage"), inner.get("usageMetadata"), part.get("usage")) if each), None)
    if not isinstance(usage, dict):
        return {}
    found = {name: usage[key] for name, keys in _KEYS.items() for key in keys if type(usage.get(key)) is int}
    details = usage.get("input_tokens_details", usage.get("prompt_tokens_details"))
    if isinstance(details, dict) and type(details.get("cached_tokens")) is int:
        found["cache_read"] = details["cached_tokens"]
    return found


def input_tokens(usage: Usage, protocol: str) -> int | None:
    """All tokens of the request. Anthropic reports what its cache held or took beside the others, the rest within."""
    if usage.input is None or protocol != "anthropic":
        return usage.input
    return usage.input + (usage.cache_read or 0) + (usage.cache_write or 0)
