"""The protocol, and the keys of the body beside texts and tools."""

from msgspec.structs import asdict

from promptscope_engine.agents.copilot.materials import Model, table
from promptscope_engine.agents.kit.text.choosing import first_row, keys_for
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.model import Endpoint
from promptscope_engine.wire.protocols import Protocol, picture

from .session import Session, model_of

_USUAL_CLAUDE, _USUAL = 32_000, 8_192
"""Tokens of an answer of a model that is not known."""
_BUDGET = 2_048
_BUDGETS = {"minimal": 1024, "low": 1024, "high": 4096, "xhigh": 8192, "max": 16384}
"""Tokens for thinking by effort, of models that are given a number: `high` was recorded, the others follow it."""


def protocol_of(inputs: Inputs, login: bool, model: Model) -> Protocol:
    """The protocol that the provider speaks: `[[rows.protocol]]` of agent.toml."""
    found: Protocol = first_row(table("rows")["protocol"], _provider(inputs, login, model))["is"]
    return found


def _provider(inputs: Inputs, login: bool, model: Model) -> dict[str, Json]:
    kind, wire = (inputs.env.get(f"COPILOT_PROVIDER_{name}") for name in ("TYPE", "WIRE_API"))
    is_own = not login or kind is not None or wire is not None
    return {"kind": kind, "wire": wire, "own": is_own, "maker": model.name.partition("-")[0]}


def endpoint_of(inputs: Inputs, login: bool, model: Model, protocol: Protocol) -> Endpoint:
    """Where the request goes: `[[endpoints]]` of agent.toml."""
    version = inputs.env.get("COPILOT_PROVIDER_AZURE_API_VERSION")
    facts = {
        "protocol": protocol,
        "version": version,
        "dated": bool(version),
        "model": model_of(inputs)[1] or model.name,
    }
    return endpoint(table("endpoints"), {**_provider(inputs, login, model), **facts}, inputs.env)


def options(session: Session, model: Model, protocol: Protocol) -> dict[str, Json]:
    """The keys in the order in which they are sent: `[[rows.options]]` of agent.toml."""
    args, given = session.params.args, session.inputs.env.get("COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", "")
    effort = args.reasoningEffort or (model.effort if model.known or model.family else "")
    usual = _USUAL_CLAUDE if model.traits["claude"] and effort else _USUAL
    said = int(given) if given.isdigit() else None
    facts = {
        **asdict(model),
        "protocol": protocol,
        "effort": effort,
        "thinks": effort not in ("", "none"),
        "reasons": effort != "none",
        "adapts": model.traits["claude"] and not model.budget,
        "budget": model.budget or _BUDGETS.get(effort, _BUDGET),
        "most": said or (model.output if model.known else None),
        "most_said": said or (model.messages or model.output if model.known and effort else usual),
        "streams": args.stream != "off",
    }
    return {"model": model_of(session.inputs)[1] or model.name, **keys_for(table("rows")["options"], facts)}


def attachments(session: Session) -> tuple[tuple[str, tuple[str, str]], ...]:
    """The path, the media type and the data of each image; any other file stops the start."""
    found = []
    for given in session.params.args.attachment:
        path = resolve(session.cwd, given)
        file = session.workspace.read(path)
        image = picture(file.data) if file.found else None
        if image is None:
            session.refuse(f"--attachment {given}: it is not an image", path)
        else:
            found.append((path, image))
    return tuple(found)
