"""The conditions that several parts of Codex's prompt share (specs/codex.md 1.3, 3.3, 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Named, Observed
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.model import Lever

from .catalogue import CLASSIC, DEFAULT, SECOND_KIND, UNKNOWN, Model

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


def _of_model(model: Model, ok: bool, yes: str, no: str, on: str, off: str) -> Condition:
    """Something that the model decides; `on` and `off` are models where it is so, and where it is not."""
    name = model.name
    return Observed(
        "model", "id", ok, yes.replace("{model}", name), no.replace("{model}", name), actual=name,
        on=(Lever("model", on),), off=(Lever("model", off),),
        remedy=f"choose another model, such as {off if ok else on}",
    )  # fmt: skip


@frozen
class Gates:
    """The conditions of one scenario. `features` has those of every feature that decides something."""

    features: Mapping[str, Condition]
    lite: Condition
    known: Condition
    """The model is in the catalogue."""
    direct: Condition
    """MCP tools and sub-agents v1 are tools; models of the catalogue have them named in the prompt instead (7.4)."""
    searches: Condition
    """The web search is among the tools (7.2)."""
    current: Condition
    second_kind: Condition
    """Sub-agents v2."""
    first_kind: Condition
    """Sub-agents v1, as tools or named in the prompt."""
    usage_of_skills: Condition
    environment: Condition
    permissions: Condition
    collaboration_mode: Condition
    skills: Condition
    own_base: Condition
    developer: Condition
    memory: Condition
    personality: Condition
    proactive: Condition
    sandbox: Mapping[str, Condition]
    """By name: that it is the one in force."""
    reviewed: Condition
    """A reviewer decides what a command may not do by itself."""
    escalation: Condition
    """The model is told how to ask for more than the sandbox lets it do."""
    granular: Condition
    asks_untrusted: Condition
    """An interactive session in an untrusted project: neither headings nor policy."""
    never: Condition
    servers: Condition
    """Any server is configured and enabled: the tools for resources are there."""
    mcp_tools: Condition
    deferred: Condition
    """Something is named in the prompt in place of its schema."""
    web_search: Condition
    session_hook: Condition
    prompt_hook: Condition
    roles: Condition

    def on(self, name: str) -> Condition:
        """The feature is on."""
        return self.features[name]


def of_model(model: Model) -> dict[str, Condition]:
    """The gates that the model alone decides."""
    made = {
        "lite": (model.lite, "the tools of {model} travel as the first input item",
                 "the tools of {model} travel in the body", DEFAULT, CLASSIC),
        "known": (model.known, "{model} is in the catalogue", "{model} is not in the catalogue", CLASSIC, UNKNOWN),
        "direct": (not model.known, "{model} is given every tool at the start", "{model} finds such tools by searching",
                   UNKNOWN, CLASSIC),
        "searches": (not model.lite, "{model} may be given the web search",
                     "{model} has no web search with an API key", CLASSIC, DEFAULT),
        "current": (model.current, "{model} is a gpt-6 or 6.1 model", "{model} is no gpt-6 or 6.1 model",
                    DEFAULT, SECOND_KIND),
        "usage_of_skills": (model.slug == CLASSIC, "{model} is told how to use skills",
                            "the base instructions of {model} tell how to use skills", CLASSIC, DEFAULT),
    }  # fmt: skip
    return {name: _of_model(model, *each) for name, each in made.items()}


def second_kind(model: Model, switched_on: Condition) -> Condition:
    """Sub-agents v2: the model's own, or by feature."""
    yes, no = "{model} has sub-agents of the second kind", "{model} has none of the second kind"
    own = _of_model(model, model.sub_agents == "v2", yes, no, DEFAULT, CLASSIC)
    return Named("flag", "multi_agent_v2", own | switched_on, "sub-agents of the second kind are on")
