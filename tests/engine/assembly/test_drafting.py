"""The steps of every agent: what is told about its variables and derived inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.drafting import draft
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.drafts import Draft


def drafted(folder: Path, agent: str, **more: Any) -> Draft:
    workspace = Workspace()
    scenario = Scenario(agent=agent, workspace=str(folder), home=str(folder / "home"), **{"env": {}, **more})
    return draft(resolve(scenario, workspace), workspace)


def test_the_agents_variables_that_are_set_are_told_in_its_order(tmp_path: Path) -> None:
    first, *_, last = (field.title for field in load_agent("claude-code").about.variables)
    found = drafted(tmp_path, "claude-code", env={last: "b", "OTHER": "x", first: "a"}).variables
    assert [(variable.name, variable.value) for variable in found] == [(first, "a"), (last, "b")]


def test_what_an_agent_derives_itself_is_told_once(tmp_path: Path) -> None:
    def modes(**params: Any) -> list[str]:
        found = drafted(tmp_path, "openclaw", params=params)
        return [each.because.evaluate(found.facts).text for each in found.derived if each.param == "mode"]

    assert modes() == ["the session of the default agent is main"]
    assert modes(promptParams={"promptMode": "minimal"}) == ["OpenClaw takes minimal where no mode is given"]
