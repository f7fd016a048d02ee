"""What the texts of Claude Code may name in one scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, computed, label

from .materials import DEFAULT_STYLE, Materials, SubAgent
from .selection import offers
from .texts import FOLDER
from .wording import commit_trailer, pull_request_footer

# Not those of `calendar`, which go by the locale of the process.
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_TASK_LISTS = {"todos": "TodoWrite", "tasks": "TaskCreate"}


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values that stand in texts, and the words that ask for a layout, a model or a tool."""
    names = {
        **{name: getattr(m.gates, name) for name in m.gates.__dataclass_fields__},
        "counts_tokens": m.gates.counts_tokens,
        "month": lambda: computed("month", _month(m)),
        "agents": [_listed(agent) for agent in m.agents],
        "trailer": tuple(commit_trailer(m)),
        "footer": pull_request_footer(m),
        "styled": style_gate(m),
        "moved": False,
        "of_agent": False,
        "memory.folder": computed("memory.folder", m.memory_folder + "/"),
        "plan.folder": computed("plan.folder", f"{m.config_folder}/plans/"),
        "task_list": {name: computed("tools.task_list", tool) for name, tool in _TASK_LISTS.items()},
    }
    words = {
        "layout": m.gates.layout_is,
        "messages": m.gates.messages_are,
        "tool": lambda name: offers(m, name),
        "family": lambda model: _family(m, model),
        "style_is": lambda name: style_is(m, name),
    }
    return Scope(names, words, m.params, m.version)


def text(m: Materials, name: str, **own: object) -> Iterator[Piece]:
    """The pieces of `sections/NAME.md`, which may also name what is `own` to this place."""
    scope = scope_of(m)
    for key, value in own.items():
        scope = scope.within(key, value)
    return FOLDER.pieces(name, scope)


def style_gate(m: Materials) -> Condition:
    """An output style other than the default is in force."""
    name, known = m.style.name, m.style_setting
    return replace(known, value=None if name == DEFAULT_STYLE else name).is_given(
        "Explanatory", DEFAULT_STYLE, yes=f"the output style {name} is in force", no="no output style is set"
    )


def style_is(m: Materials, name: str) -> Condition:
    """The built-in output style of this name is in force."""
    in_force = m.style.name if m.style.built_in else f"{m.style.name} of your own"
    return replace(m.style_setting, value=in_force).is_(name, unset=DEFAULT_STYLE, no="the output style is {actual}")


def _listed(agent: SubAgent) -> dict[str, object]:
    """An agent as the description of the tool Agent lists it."""
    tools = label(f" (Tools: {agent.tools})")
    return {"name": computed("agent.name", agent.name), "text": agent.pieces, "tools": tools, "when": agent.when}


def _month(m: Materials) -> str:
    """`November 2026`."""
    day = date.fromisoformat((m.inputs.environment.date or "")[:10])
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _family(m: Materials, model: str) -> Condition:
    """`claude-opus-5-5`: the model is of this family and version."""
    family, *version = model.removeprefix("claude-").split("-")
    major, minor = (*map(int, version), 0)[:2]
    return m.gates.model_is(family, (major, minor))
