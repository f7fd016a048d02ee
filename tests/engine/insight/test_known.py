"""What an agent knows by name: found in every spelling, with what its values would change."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.registry import built_in_ids
from promptscope_engine.insight.known import Known, known, near


def asked(folder: Path, name: str, agent: str) -> tuple[Known, ...]:
    values = {"agent": agent, "workspace": str(folder), "home": str(folder), "env": {}}
    scenario, workspace = Scenario.model_validate(values), Workspace()
    return known(name, assemble(scenario, workspace, cached_only=True), scenario, workspace)


@pytest.mark.parametrize("name", ["--no-custom-instructions", "noCustomInstructions", "args.noCustomInstructions"])
def test_an_option_in_every_spelling(tmp_path: Path, name: str) -> None:
    (found,) = asked(tmp_path, name, "copilot")
    assert (found.kind, found.name) == ("option", "--no-custom-instructions")


def test_the_end_of_a_dotted_name(tmp_path: Path) -> None:
    assert [each.name for each in asked(tmp_path, "allowBundled", "openclaw")] == ["skills.allowBundled"]


def test_an_exact_name_counts_before_a_pattern(tmp_path: Path) -> None:
    (found,) = asked(tmp_path, "features.goals", "codex")
    assert found.says == "the tools for a long-term goal"
    assert found.trials
    assert [(trial.lever.value, bool(trial.changes)) for trial in found.trials] == [(True, False), (False, True)]


def test_a_value_that_keeps_the_agent_from_starting(tmp_path: Path) -> None:
    (found,) = asked(tmp_path, "GEMINI_SYSTEM_MD", "gemini")
    assert "`GEMINI_SYSTEM_MD` replaces the built-in prompt" in next(each.refused for each in found.trials or ())


def test_names_that_are_near(tmp_path: Path) -> None:
    scenario = Scenario.model_validate({"agent": "claude-code", "workspace": str(tmp_path), "home": str(tmp_path)})
    assembly = assemble(scenario, Workspace(), cached_only=True)
    assert near("autoMemoryEnable", assembly)[0] == "autoMemoryEnabled"
    assert near("allowBundles", assembly, ["skills.allowBundled"])[0] == "skills.allowBundled"
    assert near("%%%%", assembly) == ()


@pytest.mark.parametrize("agent", built_in_ids())
def test_every_agent_tells_of_a_key_that_it_lists(tmp_path: Path, agent: str) -> None:
    assert asked(tmp_path, "no such name", agent) == ()
