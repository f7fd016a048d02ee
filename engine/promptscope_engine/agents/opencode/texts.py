"""OpenCode's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Mapping
from functools import lru_cache
from operator import attrgetter
from textwrap import indent

from msgspec.structs import replace

from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.markup import IN_QUOTES
from promptscope_engine.agents.kit.servers import OfferedTool, Says
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, computed, of_server
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.sourced import variable
from promptscope_engine.wire.request import wire_json

from .materials import Materials

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `opencode run`")
EXPERIMENTAL = "OPENCODE_EXPERIMENTAL"


def switched(env: Mapping[str, str], name: str, *wanted: str) -> Condition:
    """A variable is on: `1` or `true`, in any case, or one of the values."""
    found = variable(env, name)
    return replace(found, value=found.value.lower()).is_(*(wanted or ("1", "true")), unset="")


def experimental(env: Mapping[str, str], name: str) -> Condition:
    """A flag of its own, or that of all experiments, from which its own may be taken out again."""
    own = switched(env, f"{EXPERIMENTAL}_{name}")
    if env.get(f"{EXPERIMENTAL}_{name}", "").lower() in ("0", "false"):
        return own
    return own | switched(env, EXPERIMENTAL)


_WORDS = frozenset({"on", "experiment"})
FOLDER = Folder.of(__file__, {"interactive": INTERACTIVE}, words=_WORDS)
IN_ALL_QUOTES = IN_QUOTES | str.maketrans({"'": "&#39;"})


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values and the lists that are in texts."""
    told, named = {server.name: server.instructions for server in m.servers}, attrgetter("name")
    names = {
        **m.gates,
        **m.values,
        "references": m.references,
        "instructions": m.instructions,
        "servers": [Says(name, of_server(name, *_said(name, said))) for name, said in told.items() if said],
        "skill_list": in_locale_order((skill for skill in m.skills if skill.description is not None), named),
        "subagents": in_locale_order(m.listed, named),
        "catalogue": [
            {"said": of_server(server, computed("mcp.tool", _signature(tool)))}
            for server in told
            for tool in sorted(m.mcp_tools, key=lambda tool: tool.name)
            if tool.server == server
        ],
    }  # fmt: skip
    return Scope(names, params=None, version="")


def _said(name: str, instructions: str) -> tuple[Span, ...]:
    lines = indent(instructions.strip("\n"), "    ", lambda _: True)
    head = f'  <server name="{name}">\n'
    return (computed("mcp.name", head), computed(f"mcp.{name}", lines), computed("mcp.name", "\n  </server>"))


def _signature(tool: OfferedTool) -> str:
    """A server's tool as the catalogue of code mode has it: the parameters, then what it does."""
    return f"- {tool.name}({wire_json(tool.schema)}): {tool.description}\n"
