"""What some agents can do besides having a prompt: small protocols, so that nobody needs to know an agent by name.

if isinstance(agent, Reporting):
    report = agent.report(scenario, workspace, assembly)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from .model import Assembly, Json
from .scenario import Scenario
from .workspace import Workspace


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of an agent's report as the agent prints it; `notes` say what it leaves out or gets wrong."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentReport:
    """What an agent's own report on its context would print for a prompt.

    `views` are its forms by name, the first being what it prints unless asked for another; `data` is the report as
    JSON, and `notes` are what concerns the report as a whole.
    """

    command: str
    views: Mapping[str, tuple[ReportLine, ...]]
    data: Json
    notes: tuple[str, ...] = ()


@runtime_checkable
class Reporting(Protocol):
    """An agent with a command that reports on its own context."""

    def report(self, scenario: Scenario, workspace: Workspace, assembly: Assembly) -> AgentReport:
        """The report on the scenario's assembly. Raises ScenarioError for a scenario that cannot be assembled."""
        ...
