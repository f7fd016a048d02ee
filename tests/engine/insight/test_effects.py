"""What a switch would do: the short way to the totals says what the whole assembly says."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.assembler import Totals, totals
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.effects import WhatIf, effect, effects, switches
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

FILES = {
    "AGENTS.md": "# Rules\n\nKeep it short.\n",
    "CLAUDE.md": "See @AGENTS.md.\n",
    ".claude/rules/ts.md": "---\npaths: '*.ts'\n---\nStrict types.\n",
    ".roo/rules/a.md": "Test first.\n",
    "SOUL.md": "Be kind.\n",
}
VERSIONS = [
    (agent, version)
    for agent in agent_ids()
    for version in dict.fromkeys((load_agent(agent).versions[0], load_agent(agent).versions[-1]))
]
"""The oldest and the newest version of each agent: those between differ in texts alone."""


@pytest.fixture(scope="module")
def counter() -> Counter:
    return Counter(get_tokenizer("o200k_base"))


def scenario_in(folder: Path, agent: str, version: str) -> Scenario:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    server = {"name": "s", "tools": [{"name": "t", "description": "Does it."}], "instructions": "Use t."}
    return Scenario.model_validate(
        {
            "agent": agent,
            "agent_version": version,
            "workspace": str(folder),
            "home": str(folder / "home"),
            "managed": str(folder / "managed"),
            "env": {},
            "tokenizer": "o200k_base",
            "mcp_servers": [server],
            "model": "gpt-5.4" if agent == "copilot" else None,
            "params": {"trusted": True} if agent == "gemini" else {},  # else it does not start
            "environment": {"date": "2026-11-20T10:00:00Z", "timezone": "UTC"},
        }
    )


@pytest.mark.parametrize(("agent", "version"), VERSIONS)
@pytest.mark.slow
def test_totals_are_those_of_the_assembly_for_every_switch(
    agent: str, version: str, tmp_path: Path, counter: Counter
) -> None:
    scenario = scenario_in(tmp_path, agent, version)
    workspace = Workspace()
    base = assemble(scenario, workspace, counter)
    assert totals(scenario, workspace, counter) == Totals.of(base)
    seen = {Totals.of(base)}
    for param, value, _ in [*switches(scenario, base)][::2]:  # they all take the same two ways
        other = scenario.with_value(param, value)
        try:
            whole = assemble(other, workspace, counter)
        except ScenarioError as error:
            with pytest.raises(ScenarioError, match=str(error)[:20]):
                totals(other, workspace, counter)
            continue
        assert totals(other, workspace, counter) == Totals.of(whole), (param, value)
        seen.add(Totals.of(whole))
    assert len(seen) > 4  # most switches change something, so the comparison says something


@pytest.mark.slow
def test_an_effect_names_what_comes_and_goes(tmp_path: Path, counter: Counter) -> None:
    scenario = scenario_in(tmp_path, "roo", "3.28.16").with_value("mode", "ask")
    workspace = Workspace()
    base = assemble(scenario, workspace, counter)
    found = {(effect.param, str(effect.value)): effect for effect in effects(scenario, workspace, counter, base)}
    code = found["mode", "code"]
    after = assemble(scenario.with_value("mode", "code"), workspace, counter)
    assert {"write_to_file", "execute_command"} <= set(code.tools_added)
    assert code.tools_removed == ()
    assert after.tokens.expected is not None
    assert base.tokens.expected is not None
    assert code.tokens == after.tokens.expected - base.tokens.expected
    assert "settings.todoListEnabled" in {param for param, _ in found}
    assert "update_todo_list" in found["settings.todoListEnabled", "False"].tools_removed


def test_a_value_that_cannot_be_assembled_says_why_and_nothing_else(tmp_path: Path, counter: Counter) -> None:
    scenario = scenario_in(tmp_path, "openclaw", load_agent("openclaw").versions[0])
    base = assemble(scenario, Workspace(), counter)
    found = effect(WhatIf(scenario, Workspace(), counter, base), "mode", "nonsense", "Nonsense")
    assert (found.tokens, found.sections_added, found.sections_removed) == (0, (), ())
    assert (found.tools_added, found.tools_removed) == ((), ())
    assert "nonsense" in (found.error or "")
