"""Slips of the agents themselves: where each shows in a prompt, and that what is named is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engine.contracts.scenarios import SCENARIOS, scenario_of, write

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.description import Quirk, of_version
from promptscope_engine.agents.features import WrittenAsText
from promptscope_engine.agents.registry import built_in_ids, load_agent
from promptscope_engine.insight.quirks import quirks_in, quirks_of, quirks_of_input
from promptscope_engine.prompt.model import Assembly


def blank(tmp_path: Path, **asked: object) -> Assembly:
    (tmp_path / "home").mkdir(exist_ok=True)
    values = {"workspace": str(tmp_path), "home": str(tmp_path / "home"), "env": {}, **asked}
    return assemble(Scenario.model_validate(values), Workspace(), cached_only=True)


def test_a_quirk_shows_in_the_section_that_has_its_text(tmp_path: Path) -> None:
    assembly = blank(tmp_path, agent="roo", mode="code")
    information, role = assembly.section("system_information"), assembly.section("role")
    assert information is not None
    assert role is not None
    (quirk,) = quirks_of(information, assembly)
    assert quirk.says.startswith("the example path '/test/path' is a leftover of the agent's own")
    assert quirks_of(role, assembly) == ()
    assert {each.fact: where for each, where in quirks_in(assembly)}["Prompt 9"] == "system_information"


def test_what_is_absent_shows_no_quirk(tmp_path: Path) -> None:
    (tmp_path / ".roo").mkdir()
    (tmp_path / ".roo/system-prompt-code").write_text("Mine.")
    assembly = blank(tmp_path, agent="roo", mode="code")
    information = assembly.section("system_information")
    assert information is not None
    assert quirks_of(information, assembly) == ()
    assert "Prompt 9" not in {each.fact for each, _ in quirks_in(assembly)}


def test_a_version_has_its_own_quirks() -> None:
    agent = load_agent("claude-code")
    older, newer = (
        {each.fact for each in of_version(agent.about.quirks, version, agent.versions)}
        for version in ("2.1.100", "2.1.332")
    )
    assert older - newer == {"Request 6"}


def test_an_input_has_its_quirks(tmp_path: Path) -> None:
    assembly = blank(tmp_path, agent="copilot", env={"COPILOT_MODEL": "gpt-5.2"})
    assert [each.fact for each in quirks_of_input("args.excludedTools", assembly)] == ["Tools 2"]


@pytest.mark.slow
@pytest.mark.parametrize("agent", built_in_ids())
def test_what_a_quirk_names_is_there(agent: str, tmp_path: Path) -> None:
    found = load_agent(agent)
    assert isinstance(found, WrittenAsText)
    names = [field.name for field in inputs_of(found)]
    for number, case in enumerate(each for each in SCENARIOS.values() if each.scenario["agent"] == agent):
        write(case, tmp_path / str(number))
        assembly = assemble(scenario_of(case, tmp_path / str(number)), Workspace(), cached_only=True)
        names += [section.id for section in assembly.sections]
        names += [f"tool:{tool.name}" for tool in assembly.tools]
        names += [f"file:{file.kind}" for file in assembly.files]
    for quirk in found.about.quirks:
        for each in quirk.at:
            one = Quirk(quirk.says, quirk.fact, (each,))
            assert found.folder.place_of(each) or any(map(one.covers, names)), f"{quirk.fact}: {each}"
