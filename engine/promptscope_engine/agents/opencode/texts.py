"""OpenCode's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from promptscope_engine.agents.kit.described import Described
from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.markup import IN_QUOTES
from promptscope_engine.agents.kit.servers import OfferedTool
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, computed, of_server
from promptscope_engine.wire.request import wire_json

from .gates import INTERACTIVE
from .materials import Agent, Materials, Server
from .params import OpenCodeParams

_WORDS = frozenset({"on", "experiment"})
FOLDER = Folder(Path(__file__).parent, Vocabulary.of(OpenCodeParams, {"interactive": INTERACTIVE}, words=_WORDS))
_ESCAPES = IN_QUOTES | str.maketrans({"'": "&#39;"})


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values and the lists that are in texts."""
    names = {
        **m.gates,
        **m.values,
        "references": m.references,
        "instructions": m.instructions,
        "servers": [{"said": of_server(each.name, *_said(each))} for each in m.servers if each.instructions],
        "skill_list": tuple(_skill_list(m)),
        "subagents": [
            {
                "name": agent.name,
                "description": agent.description or FOLDER.spans("agent_described", Scope({})),
                "when": when,
            }
            for agent, when in _sorted(m.listed)
        ],
        "catalogue": [
            {"said": of_server(server.name, computed("mcp.tool", _signature(tool)))}
            for server in m.servers
            for tool in sorted(server.tools, key=lambda tool: tool.name)
        ],
    }  # fmt: skip
    return Scope(names, params=None, version="")


def _sorted(listed: tuple[tuple[Agent, Condition], ...]) -> list[tuple[Agent, Condition]]:
    return [listed[at] for at in locale_order([agent.name for agent, _ in listed])]


def _said(server: Server) -> tuple[Span, ...]:
    lines = "\n".join(f"    {line}" for line in server.instructions.strip("\n").split("\n"))
    head = f'  <server name="{server.name}">\n'
    return (computed("mcp.name", head), computed(f"mcp.{server.name}", lines), computed("mcp.name", "\n  </server>"))


def _skill_list(m: Materials) -> Iterator[Described]:
    """The skills that have a description, by name."""
    shown = [skill for skill in m.skills if skill.description is not None]
    for at in locale_order([skill.name for skill in shown]):
        yield replace(shown[at], location=shown[at].location.translate(_ESCAPES))


def _signature(tool: OfferedTool) -> str:
    """A server's tool as the catalogue of code mode has it: the parameters, then what it does."""
    return f"- {tool.name}({wire_json(tool.schema)}): {tool.description}\n"
