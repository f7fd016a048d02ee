"""What the texts of Gemini CLI may name in one scenario."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, computed, environment, label, param_value
from promptscope_engine.prompt.leaves import given

from .materials import Materials
from .selection import active, in_plan_mode
from .texts import FOLDER


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values that stand in texts, and the word that asks for a tool."""
    names = {
        **m.gates,
        "skills.listed": computed("skills", ", ".join(f"'{skill.name}'" for skill in m.skills)),
        "plans": computed("plans", f"{m.plans_shown}/"),
        "plans.absolute": computed("plans", f"{m.plans}/"),
        "plan_tools": lambda: list(_plan_tools(m)),
        "context_files": tuple(_context_files(m)),
        "private_memory": computed("private_memory", m.private_memory),
        "global_memory": computed("global_memory", m.global_memory),
        "tracker.folder": computed("tracker", m.tracker),
        "date": computed("date", m.date),
        "platform": environment("platform", m.inputs.environment.platform or ""),
        "temporary": computed("temporary", m.temporary),
        "directories": [{"path": computed("directory", folder)} for folder in m.directories],
        "hooks": {name: param_value("hooks", _entities(text or "")) for name, text in m.params.hooks},
        "session_hook": _adds(m, "SessionStart"),
        "prompt_hook": _adds(m, "BeforeAgent"),
        "first": m.prompt[0],
    }
    words = {"tool": lambda name: active(m, name), "switch": lambda name: m.switches[name]}
    return Scope(names, words, m.params)


def _entities(text: str) -> str:
    """A hook's text, in which angle brackets are written as entities."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _adds(m: Materials, hook: str) -> Condition:
    yes, no = f"the hook {hook} adds something", f"no hook {hook} adds anything"
    return m.gates["hooks"] & given(f"hooks.{hook}", yes=yes, no=no)


def text(m: Materials, name: str, **own: object) -> Iterator[Piece]:
    """The pieces of `sections/NAME.md`, of `NAME@legacy.md` for older models where there is one.

    It may also name what is `own` to this place.
    """
    older = f"{name}@legacy"
    legacy = m.model.variant == "legacy" and older in FOLDER.sources.sections
    return FOLDER.pieces(older if legacy else name, scope_of(m).within(own))


def _context_files(m: Materials) -> Iterator[Piece]:
    """The names of context files: `A`, `B` or `C`."""
    for number, name in enumerate(m.names):
        if number:
            yield label(" or " if number == len(m.names) - 1 else ", ")
        yield label("`")
        yield computed("context.fileName", name)
        yield label("`")


def _plan_tools(m: Materials) -> Iterator[dict[str, object]]:
    """The tools that plan mode leaves, sorted by what the client calls them on the screen."""
    rows = list(in_plan_mode(m))
    own, known = {tool.name: tool.own_name for tool in m.mcp_tools}, FOLDER.agent["titles"]
    titles = [f"{own[name]} ({server} MCP Server)" if server else known[name] for name, server, _ in rows]
    for at in locale_order(titles):
        name, server, when = rows[at]
        closes = label(f"` ({server})</tool>" if server else "`</tool>")
        yield {"name": computed("tool", name), "closes": closes, "when": when}
