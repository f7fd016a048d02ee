"""All that the overview shows of an assembly at once, for a command: the app finds it out one after the other."""

from collections.abc import Callable

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly

from .findings import Details, Tools, checked
from .snapshot import Snapshot


def found_out(scenario: Scenario, assembly: Assembly, tools: Tools, of: Callable[[Agent], Scenario]) -> Snapshot:
    """All that the overview shows of an assembly, as the app finds it out one after the other."""
    check, now = LiveCheck(tools.counter), Snapshot(scenario, assembly)
    details = Details(tools, of, lambda: check)
    details.overview = True
    for update in checked(scenario, assembly, tools, check):
        now = update(now)
    for update in details.find(now):
        now = update(now)
    return now
