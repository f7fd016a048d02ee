"""What is known on this machine, for a scenario."""

from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.inputs.scenario import Scenario

from . import servers, wordings


def knowledge_for(scenario: Scenario) -> Knowledge:
    """What MCP servers answered here, and what was learned if the scenario asks for that."""
    return Knowledge(wordings.load() if scenario.learned else None, servers.load)
