"""The folders of the built-in agents: every text, guard and schema of every version can be made."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from promptscope_engine import Scenario
from promptscope_engine.agents.registry import agent_ids, built_in_ids, load_agent
from promptscope_engine.assembly.drafting import draft
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.workspace import Workspace

VERSIONS = [(name, version) for name in agent_ids() for version in load_agent(name).versions]


@pytest.mark.parametrize(("agent", "version"), VERSIONS)
def test_everything_that_a_version_could_send_can_be_made(agent: str, version: str, tmp_path: Path) -> None:
    workspace = Workspace()
    scenario = {"agent": agent, "agent_version": version, "workspace": str(tmp_path), "home": str(tmp_path / "home")}
    drafted = draft(resolve(Scenario.model_validate(scenario), workspace), workspace)
    for section in drafted.sections:
        assert all(span.when.evaluate(drafted.facts) for span in section.spans)
        assert section.when.evaluate(drafted.facts)
    for tool in drafted.tools:
        assert all(span.when.evaluate(drafted.facts) for span in tool.description)
        assert all(parameter.when.evaluate(drafted.facts) for parameter in tool.parameters)
        assert tool.when.evaluate(drafted.facts)


@pytest.mark.parametrize("agent", built_in_ids())
def test_every_version_says_when_it_was_modelled(agent: str) -> None:
    found = load_agent(agent)
    assert list(found.about.modelled) == list(found.versions)
    dates = [date.fromisoformat(each) for each in found.about.modelled.values()]
    assert dates == sorted(dates)
