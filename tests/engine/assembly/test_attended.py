"""Somebody sits at it: what nothing says otherwise is an interactive session in a trusted folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.repository import write

from promptscope_engine import Assembly, Scenario, assemble

FILES = {"repo/.git/HEAD": "ref: refs/heads/main\n", "repo/GEMINI.md": "Be kind.\n", "repo/AGENTS.md": "Be kind.\n"}
SETTINGS = {
    "repo/.gemini/settings.json": json.dumps({"tools": {"exclude": ["glob"]}}),
    "repo/.codex/config.toml": 'developer_instructions = "Be quick."\n',
}


def started(root: Path, agent: str, **more: Any) -> Assembly:
    home, repo = str(root / "home"), str(root / "repo")
    (root / "home").mkdir(exist_ok=True)
    return assemble(Scenario.model_validate({"agent": agent, "workspace": repo, "home": home, "env": {}, **more}))


def assumed(assembly: Assembly) -> list[str]:
    return [each.text for each in assembly.assumed]


@pytest.mark.parametrize(("agent", "file"), [("gemini", "GEMINI.md"), ("codex", "AGENTS.md")])
def test_the_session_is_interactive_and_the_folder_trusted(agent: str, file: str, tmp_path: Path) -> None:
    write(tmp_path, {**FILES, **SETTINGS})
    found = started(tmp_path, agent, attended=True)
    assert assumed(found) == ["interactive", "trusted"]
    assert any(each.path.endswith(file) and each.present for each in found.files)
    own = next(
        each for each in found.files if each.path.endswith(("repo/.gemini/settings.json", "repo/.codex/config.toml"))
    )
    assert own.why.ok, "the settings of a folder that is trusted count"
    assert not [each for each in found.diagnostics if each.severity == "error"]


@pytest.mark.parametrize("agent", ["gemini", "codex", "claude-code", "openclaw", "roo"])
def test_a_scenario_by_itself_assumes_nothing(agent: str, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    assert Scenario().attended is False
    assert started(tmp_path, agent).assumed == ()


@pytest.mark.parametrize(
    ("agent", "marked", "more"),
    [
        ("gemini", {"home/.gemini/trustedFolders.json": '{"ROOT/repo": "DO_NOT_TRUST"}'}, {}),
        ("gemini", {}, {"params": {"trusted": False}}),
        ("gemini", {}, {"env": {"GEMINI_CLI_TRUST_WORKSPACE": "false"}}),
        ("codex", {"home/.codex/config.toml": '[projects."ROOT/repo"]\ntrust_level = "untrusted"\n'}, {}),
    ],
)
def test_a_folder_that_is_marked_stays_untrusted(
    agent: str, marked: dict[str, str], more: dict[str, Any], tmp_path: Path
) -> None:
    write(tmp_path, {**FILES, **{path: text.replace("ROOT", str(tmp_path)) for path, text in marked.items()}})
    found = started(tmp_path, agent, attended=True, **more)
    assert assumed(found) == ["interactive"]
    project = [each for each in found.files if each.path.endswith(("repo/GEMINI.md", "repo/AGENTS.md"))]
    assert not any(each.present for each in project)


@pytest.mark.parametrize(
    ("agent", "params"), [("gemini", {"args": {"print": True}}), ("codex", {"entry": "exec"}), ("codex", {"args": 5})]
)
def test_what_the_scenario_says_is_taken_as_it_is(agent: str, params: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, FILES)
    if params.get("args") == 5:
        with pytest.raises(ValueError, match=r"args"):
            started(tmp_path, agent, attended=True, params=params)
        return
    assert assumed(started(tmp_path, agent, attended=True, params=params)) == ["trusted"]


@pytest.mark.parametrize("agent", ["copilot", "opencode"])
def test_what_takes_several_inputs_is_one_assumption(agent: str, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    assert assumed(started(tmp_path, agent, attended=True)) == ["interactive"]


@pytest.mark.parametrize("agent", ["gemini", "codex", "copilot", "opencode"])
def test_each_assumption_has_the_switches_for_its_opposite(agent: str, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    scenario = Scenario.of({"agent": agent, "workspace": str(tmp_path / "repo"), "home": str(tmp_path), "env": {}})
    scenario = scenario.model_copy(update={"attended": True})
    for each in assemble(scenario).assumed:
        other = scenario
        for lever in each.otherwise:
            other = other.with_value(lever.param, lever.value)
        assert each.text not in assumed(assemble(other))
