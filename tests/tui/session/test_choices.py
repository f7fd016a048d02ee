"""A listed choice means the same in the app, in `--set`, typed and in a scenario file: every one, of every agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField, validate, with_value
from promptscope_engine.inputs.scenario import load_scenario
from promptscope_tui.commands.options import parse_setting
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session

pytestmark = pytest.mark.slow

AGENTS = ("claude-code", "roo", "openclaw", "codex", "gemini")


def _answer(scenario: Scenario, place: Path, disk: Workspace | None = None) -> tuple[Json, dict[str, str]]:
    """What the agent is given: its params, with what was mentioned, and the variables."""
    placed = scenario.model_copy(update={"workspace": str(place), "home": str(place)})
    _, inputs = resolve(placed, disk or Workspace())
    return inputs.params.model_dump(exclude_unset=True), dict(inputs.env)


def _ways(agent: str, field: ParamField, label: str, folder: Path) -> dict[str, Scenario]:
    """The choice by its label, in each way that a person can write it."""
    start = Scenario(agent=agent, env={"OTHER": "1"})
    name, said = parse_setting(f"{field.name}={label}")
    values = with_value(start.to_dict(), name, said)
    ways = {"--set": Scenario.model_validate(values)}
    key = field.name if field.name.startswith("env.") else f"params.{field.name}"
    nested = with_value(start.to_dict(), key, label)
    for ending, text in (("json", json.dumps(nested)), ("yaml", yaml.safe_dump(nested))):
        (folder / f"scenario.{ending}").write_text(text)
        ways[ending] = load_scenario(folder / f"scenario.{ending}")
    if field.free:
        typed = AgentInputs.of(load_agent(agent), start).parse(field, label, start)
        ways["typed"] = start.with_value(field.name, typed)
    return ways


@pytest.mark.parametrize("agent", AGENTS)
def test_a_choice_by_its_label_is_the_choice(agent: str, tmp_path: Path) -> None:
    disk = Workspace()
    for field in inputs_of(load_agent(agent)):
        for label, value in field.choices:
            chosen = Scenario(agent=agent, env={"OTHER": "1"}).with_value(field.name, value)  # as the app's switch does
            wanted = _answer(chosen, tmp_path, disk)
            for way, scenario in _ways(agent, field, label, tmp_path).items():
                assert _answer(scenario, tmp_path, disk) == wanted, (field.name, label, way)


def test_bare_words_of_yaml_are_what_they_read_like(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("agent: roo\nparams: {codeIndex: off, diffEnabled: off}\n")
    params, _ = _answer(load_scenario(tmp_path / "s.yaml"), tmp_path)
    assert params == {"codeIndex": None, "diffEnabled": False}
    (tmp_path / "s.yaml").write_text("agent: roo\nenv: {A: null, B: b}\n")
    assert load_scenario(tmp_path / "s.yaml").env == {"B": "b"}
    (tmp_path / "s.yaml").write_text("agent: openclaw\nparams: {promptParams: {memoryCitationsMode: off}}\n")
    params, _ = _answer(load_scenario(tmp_path / "s.yaml"), tmp_path)
    assert params == {"promptParams": {"memoryCitationsMode": "off"}}


def test_a_word_that_is_no_choice_names_the_nearest() -> None:
    with pytest.raises(ScenarioError, match=r"params\.codeIndex: unknown choice 'raedy' \(did you mean ready\?\)"):
        validate(load_agent("roo").params, {"codeIndex": "raedy"})
    with pytest.raises(ScenarioError, match="did you mean container"):
        validate(load_agent("openclaw").params, {"promptParams": {"sandboxInfo": "contaner"}})


def test_a_part_of_a_labelled_choice_is_changed_alone(tmp_path: Path) -> None:
    start = Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), params={"codeIndex": "starting"})
    session = Session(start, lambda _: None)
    session.open()
    session.set("codeIndex.initialized", True)
    assert session.snapshot.scenario.params["codeIndex"] == {"enabled": True, "configured": True, "initialized": True}
