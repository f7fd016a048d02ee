"""Copilot's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition
from promptscope_engine.prompt.drafts import computed, environment, label, unpredictable
from promptscope_engine.prompt.leaves import equals, flag

from .materials import Materials, Skill
from .params import CopilotParams

INTERACTIVE: Condition = equals(
    "entry", "interactive", yes="the session is interactive", no="the session is `copilot -p`"
)
FOLDER = Folder(
    Path(__file__).parent,
    Vocabulary(
        {"extensions": INTERACTIVE & flag("args.experimental")},
        lambda: {field.name: field for field in fields_of(CopilotParams)},
        words=frozenset({"tool"}),
        modes=("interactive", "plan", "autopilot"),
    ),
)


def tool_condition(m: Materials, name: str) -> Condition:
    """A tool of the client is there: its own condition, and the command line and the chosen agent leave it."""
    own = FOLDER.agent["tools"]["when"].get(name, "")
    return FOLDER.condition(own, Scope(m.gates), "agent.toml") & m.selected[name]


@lru_cache(maxsize=1)  # every section and tool of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values that are in texts, and the word that asks for a tool."""
    conditions = {name: tool_condition(m, name) for name in m.order}
    direct = ("rg", "grep", "glob", "view", "apply_patch", "edit")
    names = {
        **m.gates,
        "direct": AnyOf(tuple(conditions[name] for name in direct)),
        "direct_tools": tuple(_listed({name: conditions[name] for name in direct})),
        "any_agent": bool(m.agents),
        "blank": label(""),
        "version_number": label(FOLDER.versions[-1]),
        "model_name": computed("model", m.model.name),
        "here": {name: environment(name, text) for name, text in m.here.items()},
        "session": {"folder": (environment("session_folder", f"{m.session_folder}/"), _SESSION)},
        "now": unpredictable("clock", m.now),
        "prompt": m.prompt,
        "hooks": m.hooks,
        "agent_body": m.chosen,
        "listed_skills": [*map(_skill, m.skills)],
        "own_agents": [
            {"gap": label("\n\n" if number else "\n"), "name": computed("agent", a.name), "description": a.description}
            for number, a in enumerate(m.agents)
        ],
    }  # fmt: skip
    return Scope(names, {"tool": lambda name: conditions[name]})


def _skill(skill: Skill) -> dict[str, object]:
    shown = {"name": computed("skill", skill.name), "location": label(skill.location)}
    return {**shown, "description": skill.description, "when": skill.when}


_SESSION = unpredictable("session", "00000000-0000-4000-8000-000000000000")


def _listed(conditions: Mapping[str, Condition]) -> Iterator[dict[str, object]]:
    """The names one after the other, with commas between those that are there."""
    before: list[Condition] = []
    for name, when in conditions.items():
        gap = label(", ", when=AnyOf(tuple(before))) if before else label("", when=ALWAYS)
        yield {"gap": gap, "name": label(name), "when": when}
        before.append(when)
