"""How the packages of the AI SDK write a request in their providers' protocols: options, schemas, marks, calls."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from promptscope_engine.formats.document import Json

from .protocols import Protocol

_PLAIN = ("enum", "required", "type")


def body_keys(
    protocol: Protocol, chosen: Mapping[str, Json], sampled: Mapping[str, Json], most: int, *, renames: bool = True
) -> dict[str, Json]:
    """The keys of the body: `chosen` are options, `sampled` of temperature, top_p and top_k, `most` the output limit.

    `renames`: a compatible package writes its options in another case, and asks for the usage of a stream.
    """
    if protocol == "messages":
        return _messages(chosen, sampled, most)
    if protocol == "responses":
        return _responses(chosen, sampled)
    if protocol == "gemini":
        names = {"temperature": "temperature", "top_k": "topK", "top_p": "topP"}
        made: dict[str, Json] = {"maxOutputTokens": most, **{names[key]: value for key, value in sampled.items()}}
        made |= {"thinkingConfig": chosen["thinkingConfig"]} if "thinkingConfig" in chosen else {}
        return {"generationConfig": made}
    cases = {"reasoningEffort": "reasoning_effort", "textVerbosity": "verbosity"} if renames else {}
    said = {cases.get(key, key): value for key, value in chosen.items()}
    plain = {key: value for key, value in sampled.items() if key != "top_k"}
    usage = {"stream_options": {"include_usage": True}} if renames else {}
    return {"max_tokens": most, **said, **plain, "stream": True, **usage}


def _messages(chosen: Mapping[str, Json], sampled: Mapping[str, Json], most: int) -> dict[str, Json]:
    made: dict[str, Json] = {"max_tokens": most, "stream": True}
    if isinstance(thinking := chosen.get("thinking"), dict):
        budget = thinking.get("budgetTokens")
        made["thinking"] = {key: value for key, value in thinking.items() if key != "budgetTokens"}
        if isinstance(budget, int):
            made["thinking"]["budget_tokens"], made["max_tokens"] = budget, most + budget
    else:
        made |= {key: value for key, value in sampled.items() if key == "temperature" or "temperature" not in sampled}
    return made | ({"output_config": {"effort": chosen["effort"]}} if chosen.get("effort") else {})


def _responses(chosen: Mapping[str, Json], sampled: Mapping[str, Json]) -> dict[str, Json]:
    reasoning = {
        k: chosen[n] for k, n in (("effort", "reasoningEffort"), ("summary", "reasoningSummary")) if n in chosen
    }
    made: dict[str, Json] = {"stream": True, **{key: chosen[key] for key in ("store", "include") if key in chosen}}
    made |= {"reasoning": reasoning} if reasoning else {}
    made |= {"text": {"verbosity": chosen["textVerbosity"]}} if "textVerbosity" in chosen else {}
    return {**made, **sampled}


def reduced(schema: Json, kept: Collection[str]) -> Json:
    """A schema with what is left of it where only some keys are known; `const` becomes `enum`."""
    if isinstance(schema, list):
        return [reduced(each, kept) for each in schema]
    if not isinstance(schema, dict | Mapping):
        return schema
    found: dict[str, Json] = {}
    for name, given in schema.items():
        key, value = ("enum", [given]) if name == "const" else (name, given)
        if key not in kept:
            continue
        if key in ("properties", "$defs") and isinstance(value, dict):
            found[key] = {inner: reduced(each, kept) for inner, each in value.items()}
        else:
            found[key] = value if key in _PLAIN else reduced(value, kept)
    return found


_TOOL_KEYS: Mapping[Protocol, Mapping[str, Json]] = {
    "messages": {"eager_input_streaming": True},
    "responses": {"strict": False},
}
"""What a package adds to a tool."""
_FIRST = ("description", "enum", "properties", "required", "items", "anyOf", "oneOf", "allOf", "type")
_SCHEMA_KEYS: Mapping[Protocol, frozenset[str]] = {
    "responses": frozenset({*_FIRST, "$ref", "$defs", "additionalProperties"}),
    "gemini": frozenset({*_FIRST, "format"}),
}
"""What a package leaves of a schema."""
TOOL_CHOICE: Mapping[Protocol, dict[str, Json]] = {
    "messages": {"tool_choice": {"type": "auto"}},
    "responses": {"tool_choice": "auto"},
    "chat": {"tool_choice": "auto"},
    "gemini": {"toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}},
}
"""What is sent beside tools, so that the model chooses one by itself."""


def schema_of(protocol: Protocol, schema: Json) -> Json:
    """A schema with what is left of it in a protocol."""
    kept = _SCHEMA_KEYS.get(protocol)
    return schema if kept is None else reduced(schema, kept)


def tool_of(protocol: Protocol, name: str, description: str, schema: Json) -> dict[str, Json]:
    """A tool, in Anthropic's shape, with the keys that the protocol adds."""
    return {"name": name, "description": description, "input_schema": schema, **_TOOL_KEYS.get(protocol, {})}


_MARKED = 2
"""How many of the last messages end in a cache mark."""


def marked(system: dict[str, Json], messages: Sequence[dict[str, Json]], protocol: Protocol, package: str) -> None:
    """Put the cache marks on the system text and on the last messages."""
    for each in (system, *(cached_at(message, protocol, package) for message in messages[-_MARKED:])):
        each["cache_control"] = {"type": "ephemeral"}


def cached_at(message: dict[str, Json], protocol: Protocol, package: str) -> dict[str, Json]:
    """What of a message has its cache mark: the last block; of a lone text of a compatible package the message."""
    blocks = message["content"]
    is_lone = protocol == "chat" and "openrouter" not in package and len(blocks) == 1
    found: dict[str, Json] = message if is_lone else blocks[-1]
    return found


def calls_and_results(
    protocol: Protocol, answers: Sequence[tuple[str, Mapping[str, Json], Mapping[str, Json]]]
) -> Iterator[dict[str, Json]]:
    """The messages of tools' calls and results, in Anthropic's shape: (name, input, block of the result) of each.

    Where a protocol has a message for each call or each result, so it is here.
    """
    calls = [{"type": "tool_use", "name": name, "input": dict(given)} for name, given, _ in answers]
    results = [{"type": "tool_result", "content": [dict(block)]} for _, _, block in answers]
    for role, blocks, alone in (("assistant", calls, _CALLS_ALONE), ("user", results, _RESULTS_ALONE)):
        contents = [[block] for block in blocks] if protocol in alone else [blocks]
        yield from ({"role": role, "content": content} for content in contents)


_CALLS_ALONE, _RESULTS_ALONE = ("responses",), ("chat", "responses")
