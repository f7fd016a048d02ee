"""A tool of a server that was not asked: settings decide over it by its name, whatever the server says of it."""

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.inputs.scenario import McpServer, Scenario
from promptscope_engine.prompt.model import Tool
from promptscope_engine.workspace import Workspace


def as_offered(
    server: str, tool: str, scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> Tool | None:
    """What would become of the tool if the server offered it; None where the agent has no such server."""
    stand_in = McpServer(name=server, tools=[{"name": tool}])
    supposed = scenario.model_copy(update={"mcp_servers": [stand_in]})
    asked = assemble(supposed, workspace.snapshot(), knowledge=knowledge, cached_only=True)
    return next((each for each in asked.tools if each.server == server), None)


def is_singled_out(
    server: str, tool: str, scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> Tool | None:
    """The tool as it would be if the server offered it, where something speaks of it by its name; else None."""
    found, other = (as_offered(server, name, scenario, workspace, knowledge) for name in (tool, f"{tool}_other"))
    if found is None or other is None:
        return None
    return found if found.why.text.replace(found.name, "") != other.why.text.replace(other.name, "") else None
