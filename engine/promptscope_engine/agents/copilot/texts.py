"""Copilot's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.prompt.conditions import AnyOf, Condition, Fact
from promptscope_engine.prompt.drafts import label
from promptscope_engine.prompt.leaves import equals, flag

from .materials import Instruction, Materials, Named

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `copilot -p`")
_EXTENSIONS = {"extensions": INTERACTIVE & flag("args.experimental")}
_WORDS, _MODES = frozenset({"tool", "env"}), ("interactive", "plan", "autopilot")
FOLDER = Folder.of(__file__, _EXTENSIONS, words=_WORDS, modes=_MODES)


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
        "direct_tools": _listed(direct),
        "any_agent": bool(m.agents),
        "blank": "",
        "listed_skills": m.skills,
        "servers": m.servers,
        "woken": m.woken,
        "first_agent": m.agents[:1],
        "further_agents": m.agents[1:],
    }
    return Scope(names, {"tool": lambda name: conditions[name]})


def _listed(tools: Mapping[str, Condition]) -> list[dict[str, object]]:
    """The names one after the other, with a comma before each that is not the first one present."""
    whens = [*tools.values()]
    gaps = ["", *(label(", ", when=AnyOf(tuple(whens[:number]))) for number in range(1, len(whens)))]
    return [{"gap": gap, "name": name, "when": tools[name]} for gap, name in zip(gaps, tools, strict=True)]


def _instructions(m: Materials) -> dict[str, object]:
    """The instruction files by how they are sent or named, and whether there are any."""
    blocks, loose = ([each for each in m.instructions if each.loose is kind] for kind in (False, True))
    directories, patterns = ([row for row in m.named if row.table == name] for name in ("directories", "patterns"))
    found: dict[str, Sequence[Instruction | Named]] = {"blocks": blocks, "others": [*loose, *m.named]}
    found |= {"directories": directories, "patterns": patterns}
    return {**found, "loose": loose, **{f"any_{name}": _any(items) for name, items in found.items()}}


def _any(items: Sequence[Instruction | Named]) -> Condition:
    nothing = Fact("file", "instructions", False, "", "there is no such file", remedy="write an AGENTS.md")
    return AnyOf(tuple(item.when for item in items)) if items else nothing
