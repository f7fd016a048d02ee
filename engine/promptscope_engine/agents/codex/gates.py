"""The conditions that several parts of Codex's prompt share (specs/codex.md 1.3, 3.3, 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Named, Observed
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.model import Lever

from .catalogue import Model, table

INTERACTIVE: Condition = equals(
    "entry", "interactive", yes="the session is interactive", no="the session is `codex exec`"
)
PLANNING: Condition = Named(
    "flag",
    "plan",
    INTERACTIVE & equals("collaboration", "plan", yes="plan mode is chosen", no="plan mode is not chosen"),
    "the session is in plan mode",
)
CHATGPT: Condition = equals("auth", "chatgpt", yes="the user is logged in with ChatGPT", no="an API key is used")


def feature(name: str, known: Known[bool]) -> Condition:
    """The feature is on."""
    return known.is_(True, unset=False, yes=f"the feature `{name}` is on", no=f"the feature `{name}` is off")


def of_model(model: Model) -> dict[str, Condition]:
    """The gates that the model alone decides: `[by_model]` of agent.toml."""
    return {name: _of_model(model, **said) for name, said in table("by_model").items()}


def _of_model(model: Model, is_: Mapping[str, Json], yes: str, no: str, on: str, off: str) -> Condition:
    """`is_` is what the catalogue has to say of the model; `on` and `off` are models where it is so, and is not."""
    name = model.name
    ok = all(getattr(model, key) == value for key, value in is_.items())
    return Observed(
        "model", "id", ok, yes.replace("{model}", name), no.replace("{model}", name), actual=name,
        on=(Lever("model", on),), off=(Lever("model", off),),
        remedy=f"choose another model, such as {off if ok else on}",
    )  # fmt: skip


def second_kind(own: Condition, switched_on: Condition) -> Condition:
    """Sub-agents v2: the model's own, or by feature."""
    return Named("flag", "multi_agent_v2", own | switched_on, "sub-agents of the second kind are on")
