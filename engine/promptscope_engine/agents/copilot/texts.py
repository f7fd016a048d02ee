"""Copilot's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.prompt.conditions import AnyOf, Condition, Fact
from promptscope_engine.prompt.drafts import Span, label
from promptscope_engine.prompt.leaves import equals, flag

from .materials import Materials
from .params import CopilotParams

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `copilot -p`")
FOLDER = Folder(
    Path(__file__).parent,
    Vocabulary(
        {"extensions": INTERACTIVE & flag("args.experimental")},
        lambda: {field.name: field for field in fields_of(CopilotParams)},
        words=frozenset({"tool", "env"}),
        modes=("interactive", "plan", "autopilot"),
    ),
)


def tool_condition(m: Materials, name: str) -> Condition:
    """A tool of the client is there: its own condition, and the command line and the chosen agent leave it."""
    own = FOLDER.agent["tools"]["when"].get(name, "")
    return FOLDER.condition(own, Scope(m.gates), "agent.toml") & m.selected[name]


@lru_cache(maxsize=1)  # every section and tool of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values and lists that are in texts, and the word that asks for a tool."""
    conditions = {name: tool_condition(m, name) for name in m.order}
    direct = {name: conditions[name] for name in ("rg", "grep", "glob", "view", "apply_patch", "edit")}
    names = {
        **m.gates,
        **m.values,
        **_instructions(m),
        "direct": AnyOf(tuple(direct.values())),
        "direct_tools": _joined(direct, "", ", "),
        "any_agent": bool(m.agents),
        "blank": "",
        "listed_skills": m.skills,
        "servers": m.servers,
        "woken": m.woken,
        "own_agents": _joined({each: each.when for each in m.agents}, "\n", "\n"),
    }
    return Scope(names, {"tool": lambda name: conditions[name]})


class _Joined(Struct, frozen=True):
    """An item of a list that may be absent, and what is before it."""

    item: Any
    when: Condition
    gap: tuple[Span, ...]


def _joined(items: Mapping[Any, Condition], first: str, further: str) -> list[_Joined]:
    """Each item has `first` before it, and `further` where one before it is present."""
    before: list[Condition] = []
    found = []
    for item, when in items.items():
        more = (label(further, when=AnyOf(tuple(before))),) if before else ()
        found.append(_Joined(item, when, (label(first), *more)))
        before.append(when)
    return found


def _instructions(m: Materials) -> dict[str, object]:
    """The instruction files in the order of the wire, whether there are any, and what joins them.

    Nothing at all leaves two line breaks behind, and so do blocks with something after them.
    """
    blocks, loose = ({each: each.when for each in m.instructions if each.loose is kind} for kind in (False, True))
    tables = {name: [row for row in m.named if row.table == name] for name in ("directories", "patterns")}
    ends = {name: _any([row.when for row in rows]) for name, rows in tables.items()}
    joined = _joined({**blocks, **loose, **ends}, "\n", "\n")
    of_blocks, others = _any([*blocks.values()]), _any([*loose.values(), *ends.values()])
    return {
        **tables,
        **{f"any_{each.item}": each.when for each in joined[-len(ends) :]},
        **{f"gap_{each.item}": each.gap for each in joined[-len(ends) :]},
        "blocks": joined[: len(blocks)],
        "loose": joined[len(blocks) : -len(ends)],
        "ends_twice": (of_blocks & others) | ~(of_blocks | others),
    }


def _any(conditions: Sequence[Condition]) -> Condition:
    nothing = Fact("file", "instructions", False, "", "there is no such file", remedy="write an AGENTS.md")
    return AnyOf(tuple(conditions)) if conditions else nothing
