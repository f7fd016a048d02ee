"""Which agents there are, and which one a workspace asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import ScenarioError, Workspace
from promptscope_engine.agents.registry import (
    DEFINITION,
    agent_ids,
    declared_in,
    definition_in,
    detect,
    is_registered,
    last_read,
    load_agent,
    observed_id,
)

BUILT_IN = ("claude-code", "roo", "openclaw", "codex", "gemini")


def put(folder: Path, agent_id: str) -> str:
    """The path of a definition of this agent."""
    folder.mkdir(exist_ok=True)
    (folder / DEFINITION).write_text(f'id = "{agent_id}"\n')
    return str(folder / DEFINITION)


def allowed(folder: Path) -> Workspace:
    workspace = Workspace()
    workspace.allow([str(folder)])
    return workspace


def test_ids_that_are_known_without_a_file() -> None:
    assert agent_ids()[:5] == BUILT_IN
    assert [is_registered(name) for name in ("roo", "observed/roo", "observed/x", "none")] == [True, True, True, False]
    assert [load_agent(name).id for name in (*BUILT_IN, "observed/x")] == [*BUILT_IN, "observed/x"]
    assert (observed_id("x"), observed_id("observed/x")) == ("observed/x", "observed/x")
    with pytest.raises(ScenarioError, match="codex"):
        load_agent("codexx")


def test_an_agent_that_a_file_defines_is_the_one_last_read_from_it(tmp_path: Path) -> None:
    workspace = allowed(tmp_path)
    first, second = put(tmp_path / "a", "registry-first"), put(tmp_path / "b", "registry-second")
    assert (last_read(first), last_read(second)) == (None, None)
    agents = [declared_in(path, workspace) for path in (first, second)]
    assert [last_read(path) for path in (first, second)] == agents
    assert [load_agent(agent.id) for agent in agents] == agents
    assert last_read(str(tmp_path / "c")) is None
    put(tmp_path / "a", "registry-third")
    again = declared_in(first, allowed(tmp_path))
    assert again.id == "registry-third"
    assert again.about.definition
    assert load_agent("registry-third") is again


def test_a_workspace_asks_for_the_agent_with_the_most_files(tmp_path: Path) -> None:
    def detected() -> str:
        return detect(allowed(tmp_path), str(tmp_path)).id

    assert detected() == "claude-code"
    (tmp_path / "GEMINI.md").write_text("")
    assert detected() == "gemini"
    for name in load_agent("openclaw").about.own_files[:2]:
        (tmp_path / name).write_text("")
    assert detected() == "openclaw"
    put(tmp_path, "registry-own")
    assert detected() == "registry-own"


@pytest.mark.parametrize(("text", "defines"), [('id = "roo"', False), ('id = "mine"', True), ("", True), ("[", True)])
def test_an_agent_toml_that_corrects_no_built_in_agent_defines_one(tmp_path: Path, text: str, defines: bool) -> None:
    (tmp_path / "agent.toml").write_text(text, "utf-8")
    assert (definition_in(tmp_path) is not None) is defines
