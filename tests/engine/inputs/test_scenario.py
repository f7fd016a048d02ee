"""Scenarios: read from three kinds of file, and errors that say file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario, load_scenario


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.json", '{"agent": "roo", "params": {"diffEnabled": false}}'),
        ("s.yaml", "agent: roo\nparams:\n  diffEnabled: false\n"),
        ("s.toml", 'agent = "roo"\n[params]\ndiffEnabled = false\n'),
    ],
)
def test_one_scenario_in_three_notations(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert load_scenario(path).to_dict() == {"agent": "roo", "params": {"diffEnabled": False}}


@pytest.mark.parametrize(
    ("name", "text", "line", "says"),
    [
        ("s.json", '{\n "agent": "roo",\n "mod": "code"\n}', 3, "mode"),
        ("s.json", '{\n "agent": "roo",\n}', 3, "property name"),
        ("s.yaml", "agent: roo\nmode: [code\n", 3, ""),
        ("s.yaml", "- agent\n", 1, "object"),
        ("s.yaml", "agent: roo\nreads: 3\n", 2, "list"),
    ],
)
def test_an_error_says_file_and_line(tmp_path: Path, name: str, text: str, line: int, says: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert caught.value.where == f"{path}:{line}"
    assert says in str(caught.value)


def test_a_missing_or_binary_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="No such file"):
        load_scenario(tmp_path / "none.json")
    (tmp_path / "b.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        load_scenario(tmp_path / "b.json")


def test_with_value_changes_top_level_keys_and_params_in_a_copy() -> None:
    base = Scenario(agent="roo", params={"settings": {"a": 1}})
    assert base.with_value("mode", "ask").mode == "ask"
    assert base.with_value("settings.b", 2).params == {"settings": {"a": 1, "b": 2}}
    assert base.params == {"settings": {"a": 1}}
