"""What a provider's own counting endpoint is asked about a request, and what its answer says. Nothing is sent here."""

import re
from collections.abc import Mapping
from itertools import groupby
from typing import Literal

from msgspec import Struct

from promptscope_engine.captures.model import Recorded
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.models import parse_model
from promptscope_engine.wire.request import WireBlock

Provider = Literal["Anthropic", "Google"]

# What either endpoint takes of a body: what else was sent with it adds no tokens, or is refused.
_ANTHROPIC_KEYS = ("system", "messages", "tools", "tool_choice", "thinking", "mcp_servers")
_GOOGLE_KEYS = ("contents", "systemInstruction", "tools", "toolConfig", "cachedContent")

_PLACEHOLDER = "."
"""The message of a request that has none: both endpoints want one."""

_BEDROCK = re.compile(r"-v\d+$")


class NoEndpointError(Exception):
    """Nobody can be asked, and why."""


class Question(Struct, frozen=True):
    """A question to a provider: the `path` below its address, the `body`, and headers beside the key.

    `notes`: how it differs from what is sent.
    """

    provider: Provider
    path: str
    body: Mapping[str, Json]
    headers: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


def question_about(assembly: Assembly, sent: Recorded | None) -> Question:
    """What to ask about an assembly; `sent` is the captured request that it was made of.

    Raises NoEndpointError where the model's provider has no counting endpoint that promptscope knows.
    """
    if assembly.model is None:
        raise NoEndpointError("no model is named, and its provider does the counting: --model names one")
    if not any(True for _ in assembly.request.blocks()):
        raise NoEndpointError("the request is empty")
    if assembly.edited:  # its body is not what was sent
        sent = None
    name = parse_model(assembly.model)
    if name.claude is not None:
        return _for_anthropic(assembly, sent, _BEDROCK.sub("", name.bare).replace(".", "-"))
    if name.bare.startswith("gemini"):
        return _for_google(assembly, sent, name.bare)
    raise NoEndpointError(
        f"no counting endpoint is known for {assembly.model}: Anthropic's and Google's models have one"
    )


def count_in(provider: Provider, answer: Json) -> int | None:
    """The number of tokens that an answer says; None if it says none."""
    key = "input_tokens" if provider == "Anthropic" else "totalTokens"
    found = answer.get(key) if isinstance(answer, dict) else None
    return found if type(found) is int and found >= 0 else None


def _for_anthropic(assembly: Assembly, sent: Recorded | None, model: str) -> Question:
    headers = {"anthropic-version": "2023-06-01"}
    if sent is not None and sent.protocol == "anthropic" and isinstance(sent.body, dict):
        kept = {key: value for key, value in sent.body.items() if key in _ANTHROPIC_KEYS}
        headers |= {name: value for name, value in sent.headers.items() if name.startswith("anthropic-")}
        return Question("Anthropic", "/v1/messages/count_tokens", {"model": model, **kept}, headers, _masked(sent))
    blocks = list(assembly.request.blocks())
    body: dict[str, Json] = {"model": model}
    if system := [_text(block) for block in blocks if block.field == "system"]:
        body["system"] = [{"type": "text", "text": text} for text in system]
    messages, notes = _messages(blocks)
    body["messages"] = [
        {"role": role, "content": [{"type": "text", "text": text} for text in texts]} for role, texts in messages
    ]
    # A tool that is deferred is not in the context until the model asks for it.
    tools = [each.value for each in blocks if each.field == "tools" and not each.value.get("defer_loading")]
    if tools:
        body["tools"] = [_anthropic_tool(tool) for tool in tools]
    return Question("Anthropic", "/v1/messages/count_tokens", body, headers, notes)


def _anthropic_tool(tool: Mapping[str, Json]) -> dict[str, Json]:
    schema = tool.get("input_schema", tool.get("parameters")) or {"type": "object"}
    return {"name": tool.get("name"), "description": tool.get("description") or "", "input_schema": schema}


def _for_google(assembly: Assembly, sent: Recorded | None, model: str) -> Question:
    path = f"/v1beta/models/{model}:countTokens"
    if sent is not None and sent.protocol == "gemini" and isinstance(sent.body, dict):
        inner = sent.body.get("request")
        whole = inner if isinstance(inner, dict) and "contents" in inner else sent.body
        request = {key: value for key, value in whole.items() if key in _GOOGLE_KEYS}
        request["model"] = f"models/{model}"
        return Question("Google", path, {"generateContentRequest": request}, {}, _masked(sent))
    blocks = list(assembly.request.blocks())
    messages, notes = _messages(blocks)
    request = {
        "model": f"models/{model}",
        "contents": [
            {"role": "model" if role == "assistant" else "user", "parts": [{"text": text} for text in texts]}
            for role, texts in messages
        ],
    }
    if system := [_text(block) for block in blocks if block.field == "system"]:
        request["systemInstruction"] = {"parts": [{"text": text} for text in system]}
    if tools := [_google_tool(block.value) for block in blocks if block.field == "tools"]:
        request["tools"] = [{"functionDeclarations": tools}]
    return Question("Google", path, {"generateContentRequest": request}, {}, notes)


def _google_tool(tool: Mapping[str, Json]) -> dict[str, Json]:
    made = {"name": tool.get("name"), "description": tool.get("description") or ""}
    schema = tool.get("input_schema", tool.get("parameters"))
    return {**made, "parametersJsonSchema": schema} if schema else made


def _messages(blocks: list[WireBlock]) -> tuple[list[tuple[str, list[str]]], tuple[str, ...]]:
    """The texts of each message with its role, and what was added."""
    said = [block for block in blocks if block.field == "messages" and _text(block)]
    grouped = groupby(said, key=lambda block: (block.at[0], block.role))
    found = [(role, [_text(block) for block in group]) for (_, role), group in grouped]
    if not found:
        return [("user", [_PLACEHOLDER])], ("with a message of one character, which the endpoint wants",)
    return found, ()


def _text(block: WireBlock) -> str:
    return str(block.value.get("text") or "")


def _masked(sent: Recorded) -> tuple[str, ...]:
    return (f"with {sent.masked} masked keys",) if sent.masked else ()
