"""What a saved scenario holds, and where it goes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.inputs.scenario import Scenario, load_scenario
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_tui.session.saving import named, pinned, question, save_scenario


@pytest.mark.parametrize("name", ["scenario.yaml", "scenario.json"])
def test_only_variables_that_matter_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("DISABLE_TELEMETRY", "1")
    env = {"API_KEY": "secret", "DISABLE_TELEMETRY": "1", "SET_HERE": "2"}
    path = save_scenario(Scenario(agent="claude-code", env=env), tmp_path / name)
    assert load_scenario(path).env == {"DISABLE_TELEMETRY": "1", "SET_HERE": "2"}


def test_a_scenario_without_variables_is_saved_without(tmp_path: Path) -> None:
    path = save_scenario(Scenario(agent="roo"), tmp_path / "scenario.yaml")
    assert "env" not in path.read_text()


def test_a_full_disk_leaves_what_was_saved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_scenario(Scenario(agent="roo"), tmp_path / "scenario.yaml")
    before = path.read_text()

    def full(*_: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        save_scenario(Scenario(agent="openclaw"), path)
    assert [each.name for each in tmp_path.iterdir()] == ["scenario.yaml"]
    assert path.read_text() == before


@pytest.mark.parametrize("agent", [agent.id for agent in all_agents()])
def test_what_was_answered_is_pinned_and_is_the_same_prompt(tmp_path: Path, agent: str) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    given = Scenario(agent=agent, workspace=str(tmp_path / "shop"), home=str(tmp_path), env={})
    before = assemble(given)
    path = save_scenario(pinned(given, before), tmp_path / "scenario.yaml")
    saved = load_scenario(path)
    assert (saved.agent, saved.agent_version) == (agent, before.agent_version)
    assert (saved.mode, saved.model) == (before.mode, before.model)
    after = assemble(saved.model_copy(update={"environment": given.environment}))
    assert (after.request, after.tokens.expected) == (before.request, before.tokens.expected)


def test_an_agent_that_was_found_is_pinned_and_one_that_failed_pins_nothing(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Use pnpm.\n")
    answer = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), mode="ask"))
    found = pinned(Scenario(workspace=str(tmp_path)), answer)
    assert (found.agent, found.mode) == ("roo", "ask")
    other = Scenario(agent="openclaw", mode="none")
    assert pinned(other, answer) is other
    assert pinned(other, None) is other


def test_a_version_that_was_learned_is_pinned_by_its_own_name(tmp_path: Path) -> None:
    known = Knowledge(Learned((LearnedVersion("codex", "0.999.0", ()),)))
    given = Scenario(agent="codex", workspace=str(tmp_path), home=str(tmp_path), env={}, learned=True)
    assert pinned(given, assemble(given, knowledge=known)).agent_version == "0.999.0"


def test_a_name_alone_goes_into_the_state_folder(tmp_path: Path) -> None:
    ours = tmp_path / "scenarios"
    assert named("mine", tmp_path) == ours / "mine.yaml"
    assert named("mine.json", tmp_path) == ours / "mine.json"
    assert named("./mine.json", tmp_path) == Path("mine.json")
    assert named("~/mine.json", tmp_path) == Path.home() / "mine.json"
    assert named(str(tmp_path / "x" / "mine"), tmp_path) == tmp_path / "x" / "mine"


def test_it_asks_before_it_replaces_a_file_or_makes_a_folder(tmp_path: Path) -> None:
    there = tmp_path / "there.yaml"
    there.write_text("")
    assert "there.yaml exists" in (question(there, tmp_path) or "")
    assert f"no folder {tmp_path / 'new'}" in (question(tmp_path / "new" / "a.yaml", tmp_path) or "")
    assert question(tmp_path / "a.yaml", tmp_path) is None
    assert question(named("mine", tmp_path), tmp_path) is None, "the state folder is our own"
