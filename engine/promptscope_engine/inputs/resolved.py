"""A scenario with everything filled in."""

from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.learned import ServerAnswer

from .after import After
from .params import Params
from .scenario import Environment, McpServer


class Inputs(Struct, frozen=True):
    """A scenario with everything filled in: what an agent gathers from. Paths are absolute."""

    agent_version: str
    workspace: str
    home: str
    managed: str | None
    mode: str | None
    model: str | None
    params: Params
    environment: Environment
    env: Mapping[str, str]
    mcp_servers: tuple[McpServer, ...] | None
    reads: tuple[str, ...]
    after: After | None = None
    follow_links: bool = False
    """Whether links may lead out of the announced folders (the scenario's `outside_links`)."""
    in_listed_order: bool = False
    """Whether an agent that takes a folder's files as the system lists them does so here: not where the scenario says
    what machine it is for, since another one lists them in another order. Then they are taken by name."""
    capture: str | None = None
    """The capture file of an observed agent."""
    definition: str | None = None
    """The file that defines the agent, or the one that the scenario names beside another agent."""
    attended: Mapping[str, Json] | None = None
    """Of a session that somebody sits at, the params that were assumed for that, by dotted name."""
    answers: Mapping[str, ServerAnswer] = {}
    """What MCP servers answered on this machine, by name: of a session that somebody sits at, without stand-ins."""
    unknown_version: str | None = None
    """The version that was asked for where none of that name is modelled: `agent_version` is the nearest."""
