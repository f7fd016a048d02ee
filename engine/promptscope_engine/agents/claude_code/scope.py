"""What the texts of Claude Code may name in one scenario, but for its gates and settings (answers.py)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, computed, unpredictable

from .answers import BUILT_IN_PROMPTS, answers, style_is
from .materials import Materials, MemoryCut, SubAgent
from .selection import offers
from .texts import FOLDER


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values that stand in texts, and the words that ask for a layout, a model or a tool.

    `text.NAME` is what `sections/NAME.md` says: for a text that stands in more than one place.
    """
    names = {
        **m.gates.by_name,
        **answers(m),
        **{f"text.{name}": partial(_text, m, name) for name in FOLDER.sources.sections},
        "text.memory.moved": lambda: tuple(text(m, "memory.long", moved=True)),
        "version": computed("version", m.version),
        "build": unpredictable("build", "000"),
        "cch": unpredictable("cch", "00000"),
        "prompt_id": unpredictable("prompt_id", "00000000-0000-0000-0000-000000000000"),
        "style.built_in": lambda: [
            {"text": tuple(text(m, f"styles.{name.lower()}")), "when": style_is(m, name)}
            for name in FOLDER.agent["styles"]
        ],
        "prompt.agent": lambda: agents_prompt(m, m.main_agent),
        "prompt.subagent": lambda: agents_prompt(m, m.sub_agent),
        "moved": False,
        "of_agent": False,
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
    return FOLDER.pieces(name, scope_of(m).within(own))


def _text(m: Materials, name: str) -> tuple[Piece, ...]:
    return tuple(text(m, name))


def agents_prompt(m: Materials, agent: SubAgent | None) -> tuple[Piece, ...]:
    """The text of an agent's file, or our wording of a built-in one's prompt."""
    if agent is None or agent.source != "built-in":
        return agent.body if agent else ()
    return _text(m, f"subagents.{BUILT_IN_PROMPTS[agent.name]}") if agent.name in BUILT_IN_PROMPTS else ()


def memory_cut(m: Materials, cut: MemoryCut) -> Iterator[Piece]:
    """How long a MEMORY.md is, and from where on it is missing."""
    both = bool(cut.lines and cut.size)
    where = f" lines are missing, from line {cut.line} on" + (f' ("{cut.start}")' if cut.start else "")
    missing = f"line {cut.line} ends after 25000 characters" if cut.inside else f"{cut.total - cut.line + 1}{where}"
    return text(
        m,
        "context.memory_cut",
        size=computed("memory.size", f"{cut.lines} and {cut.size}" if both else cut.lines or cut.size),
        limit=None if both else computed("memory.limit", "200" if cut.lines else "24.4KB"),
        missing=computed("memory.missing", missing),
    )


def _family(m: Materials, model: str) -> Condition:
    """`claude-opus-5-5`: the model is of this family and version."""
    family, *version = model.removeprefix("claude-").split("-")
    major, minor = (*map(int, version), 0)[:2]
    return m.gates.model_is(family, (major, minor))
