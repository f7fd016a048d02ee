"""The tools of a run with everything that decides them: creation, the sender, the policies (specs/openclaw.md 2).

A tool costs twice: a bullet in the section Tooling, and its name, description and schema in the request. The same
policies decide over both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from promptscope_engine.agents.openclaw.gather.tools import CREATED, GROUP_OF, Surroundings, gate
from promptscope_engine.agents.openclaw.levers import admitting, denied_by
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.tool_policy import OWNER_ONLY, Policy, Subject, idle, normal, removed_by
from promptscope_engine.agents.shared.settings import mapping, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed
from promptscope_engine.prompt.drafts import ParameterDraft, Piece, ToolDraft, builtin, param_value
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Lever

from .descriptions import DESCRIPTIONS
from .schemas import schema

NO_PARAMETERS: Json = {"type": "object", "properties": {}}
CREATED_NEVER = ("grep", "find", "ls")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool before the policies."""

    draft: ToolDraft
    plugin: str | None
    owner_only: bool
    summary: str


def own_tools(around: Surroundings) -> list[Candidate]:
    """The tools that OpenClaw creates itself, in the request's order; then three that it has only a bullet for."""
    created = [_own(name, gate(name, around)) for name in CREATED]
    never = Observed("tool", "created", False, "", "OpenClaw lists it and never creates it")
    return [*created, *(_own(name, never) for name in CREATED_NEVER)]


def _own(name: str, when: Condition) -> Candidate:
    candidate = _constant(name)
    return replace(candidate, draft=replace(candidate.draft, when=when))


@cache
def _constant(name: str) -> Candidate:
    """The tool without its gate: the same in every run."""
    text = DESCRIPTIONS.get(name, "")
    parameters = NO_PARAMETERS if name in CREATED_NEVER else schema(name)
    draft = ToolDraft(
        name=name,
        group=GROUP_OF.get(name, "fs"),
        description=(builtin(f"tools.{name}", text),) if text else (),
        parameters=_parameters(parameters),
        input_schema=parameters,
        reference=f"tools.{name}",
    )
    plugin = "memory-core" if name.startswith("memory_") else None
    return Candidate(draft, plugin, name in OWNER_ONLY, text)


def stand_ins(tools: Sequence[ToolStandIn]) -> list[Candidate]:
    """The scenario's tools, in its order."""
    found = []
    for tool in tools:
        text = js_trim(tool.description or "")
        parameters = NO_PARAMETERS if tool.parameters is None else tool.parameters
        draft = ToolDraft(
            name=tool.name,
            group=tool.pluginId or GROUP_OF.get(normal(tool.name), "tools"),
            description=(param_value("tools", tool.description or ""),),
            parameters=_parameters(parameters),
            input_schema=parameters,
        )
        owner_only = tool.ownerOnly or normal(tool.name) in OWNER_ONLY
        found.append(Candidate(draft, tool.pluginId, owner_only, text or js_trim(tool.label or "")))
    return found


def _parameters(parameters: Json) -> tuple[ParameterDraft, ...]:
    required = texts(mapping(parameters).get("required")) or []
    return tuple(ParameterDraft(name, name in required) for name in mapping(mapping(parameters).get("properties")))


@dataclass(frozen=True, slots=True)
class Tools:
    """What the policies left: drafts with their conditions, and what the builder is passed of them."""

    drafts: tuple[ToolDraft, ...]
    names: tuple[str, ...]
    summaries: dict[str, str]
    conditions: dict[str, Condition]
    diagnostics: tuple[Diagnostic, ...] = ()


def decide(candidates: Sequence[Candidate], steps: Sequence[Policy], facts: Facts, *, sub_agent: bool) -> Tools:
    """The tools after sender and policies. `conditions` has the tool that is there, of several with one name."""
    owned = [_with_owner(candidate) for candidate in candidates]
    alive = [at for at, candidate in enumerate(owned) if candidate.draft.when.evaluate(facts).ok]
    subjects = [Subject(owned[at].draft.name, owned[at].plugin) for at in alive]
    everything = [Subject(candidate.draft.name, candidate.plugin) for candidate in owned]
    removed = _removals(subjects, steps)
    # a tool that is not created at all would have to pass them as well
    imagined = _removals(everything, steps) if len(alive) < len(owned) else {}
    ignored = tuple(
        Diagnostic("warning", "tools", f"{step.label}: the allow list names no core tool and is ignored")
        for step in idle(subjects, steps)
    )
    by_index = {**imagined, **{at: removed.get(n, []) for n, at in enumerate(alive)}}
    drafts: list[ToolDraft] = []
    names: list[str] = []
    summaries: dict[str, str] = {}
    conditions: dict[str, Condition] = {}
    for at, candidate in enumerate(owned):
        draft = candidate.draft
        present = at in alive and not by_index[at]
        if at in alive or (at in by_index and draft.name not in CREATED_NEVER):
            draft = replace(draft, when=draft.when & _policies(draft.name, by_index.get(at, []), sub_agent))
        drafts.append(draft)
        key = js_trim(draft.name).lower()
        if present:
            names.append(draft.name)
            if candidate.summary:
                # the whole description, not its first line; a later tool of that name replaces it
                summaries[draft.name.lower()] = candidate.summary
        if present or key not in conditions:
            conditions[key] = draft.when
    return Tools(tuple(drafts), tuple(names), summaries, conditions, ignored)


def _removals(tools: Sequence[Subject], steps: Sequence[Policy]) -> dict[int, list[tuple[Policy, str]]]:
    """Every step that removes a tool, each for itself: to bring the tool in, all of them have to be changed."""
    found: dict[int, list[tuple[Policy, str]]] = {}
    for step in steps:
        for at, (_, how) in removed_by(tools, [step]).items():
            found.setdefault(at, []).append((step, how))
    return found


def _with_owner(candidate: Candidate) -> Candidate:
    if not candidate.owner_only:
        return candidate
    owner = flag("senderIsOwner", yes="an owner may use it", no="only an owner may use it, and `senderIsOwner` is off")
    return replace(candidate, draft=replace(candidate.draft, when=candidate.draft.when & owner))


def _policies(name: str, found: Sequence[tuple[Policy, str]], sub_agent: bool) -> Condition:
    """What the policies say of a tool: the first step that removes it comes first."""
    if not found:
        return Observed("flag", "tool policies", True, "no policy removes it", "")
    combined: Condition = ALWAYS
    for policy, how in found:
        entry = denied_by(policy, name)
        no = f"{policy.label} {how} it" + (f" ({entry})" if entry not in (None, name) else "")
        levers = admitting(policy, name)
        if sub_agent and policy.label.startswith("the sub-agent"):
            levers = (Lever("sessionKey", None),)
        combined = combined & Observed("flag", policy.label, False, "", no, on=levers)
    return combined


def with_bullets(drafts: Sequence[ToolDraft], bullets: dict[str, tuple[Piece, ...]]) -> tuple[ToolDraft, ...]:
    """The drafts with their line in Tooling, for what it costs."""
    return tuple(replace(draft, listed=bullets.get(js_trim(draft.name).lower(), ())) for draft in drafts)
