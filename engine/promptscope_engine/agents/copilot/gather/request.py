"""The keys of the body beside texts and tools, by protocol and model."""

import base64

from promptscope_engine.agents.copilot.gates import MESSAGES, Model, Protocol, is_claude
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve

from .session import Session, model_of

_CLAUDE = 32_000
"""Tokens of an answer of a Claude that is not known."""
_BUDGETS = {"minimal": 1_024, "low": 1_024, "high": 4_096, "xhigh": 8_192, "max": 16_384}
"""Tokens for thinking by effort, of models that are given a number: `high` was recorded, the others follow it."""
_WIRES = {"claude-": "messages", "gpt-": "responses", "mai-": "responses"}
"""With a GitHub login: the protocol of a model's maker."""


def protocol_of(inputs: Inputs, login: bool, model: Model) -> Protocol:
    """The protocol that the provider speaks."""
    env = inputs.env
    if env.get("COPILOT_PROVIDER_TYPE") == MESSAGES:
        return "messages"
    if env.get("COPILOT_PROVIDER_WIRE_API") == "responses":
        return "responses"
    if not login or "COPILOT_PROVIDER_TYPE" in env or "COPILOT_PROVIDER_WIRE_API" in env:
        return "completions"
    found = next((wire for start, wire in _WIRES.items() if model.name.startswith(start)), "completions")
    return "messages" if found == "messages" else "responses" if found == "responses" else "completions"


def options(session: Session, model: Model, protocol: Protocol) -> dict[str, Json]:
    """The keys in the order in which they are sent."""
    args, env = session.params.args, session.inputs.env
    effort = args.reasoningEffort or (model.effort or None if model.known or model.family else None)
    given = env.get("COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", "")
    limit = int(given) if given.isdigit() else None
    found: dict[str, Json] = {"model": model_of(session.inputs)[1] or model.name}
    by = {"messages": _messages, "responses": _responses, "completions": _completions}[protocol]
    found |= by(model, effort, limit)
    if args.stream != "off":
        found["stream"] = True
        if protocol == "completions":
            found["stream_options"] = {"include_usage": True}
    return found


def _completions(model: Model, effort: str | None, limit: int | None) -> dict[str, Json]:
    most = limit or (model.output if model.known else None)
    if effort in (None, "none"):
        usual: dict[str, Json] = {"temperature": 0, "top_p": 0.95, "frequency_penalty": 0, "presence_penalty": 0}
        return {**usual, **({"max_tokens": most} if most else {})}
    choice = {"tool_choice": "validated"} if model.kind == "gemini" else {}
    return {"reasoning_effort": effort, "temperature": 1, **({"max_tokens": most} if most else {}), **choice}


def _responses(model: Model, effort: str | None, limit: int | None) -> dict[str, Json]:
    reasoning: dict[str, Json] = {"effort": effort} if effort else {}
    most = limit or (model.output if model.known else None)
    found: dict[str, Json] = {"reasoning": reasoning if effort == "none" else {**reasoning, "summary": "auto"}}
    found |= {"max_output_tokens": most} if most else {}
    found["store"] = False
    if effort != "none":
        found["include"] = ["reasoning.encrypted_content"]
    return {**found, "parallel_tool_calls": True}


def _messages(model: Model, effort: str | None, limit: int | None) -> dict[str, Json]:
    if effort is None:
        return {"max_tokens": limit or 8_192, "temperature": 0}
    usual = model.messages or model.output if model.known else _CLAUDE if is_claude(model) else 8_192
    found: dict[str, Json] = {"max_tokens": limit or usual}
    if model.kind == "gemini":
        found["tool_choice"] = {"type": "auto"}
    if effort == "none":
        return {**found, "temperature": 0, "thinking": {"type": "disabled"}}
    if "claude" not in model.traits or model.budget:
        tokens = model.budget or _BUDGETS.get(effort, 2_048)
        budget = {"type": "enabled", "budget_tokens": tokens, "display": "summarized"}
        return {**found, "temperature": 1, "thinking": budget}
    thinking: dict[str, Json] = {"type": "adaptive", "display": "summarized"}
    if model.bound:
        thinking["block_binding"] = {"prefix_mismatch_behavior": "drop_block"}
    return {**found, "temperature": 1, "thinking": thinking, "output_config": {"effort": effort}}


_IMAGES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}


def attachments(session: Session) -> tuple[tuple[str, str], ...]:
    """The path and the data of each image; any other file stops the start."""
    found = []
    for given in session.params.args.attachment:
        path = resolve(session.cwd, given)
        file = session.workspace.read(path)
        kind = next((name for start, name in _IMAGES.items() if file.data.startswith(start)), "") if file.found else ""
        if not kind:
            session.refuse(f"--attachment {given}: it is not an image", path)
            continue
        found.append((path, f"data:image/{kind};base64,{base64.b64encode(file.data).decode()}"))
    return tuple(found)
