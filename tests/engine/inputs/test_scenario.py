"""Scenarios: read from three kinds of file, and errors that say file and line."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario, load_scenario

MERGES = "".join(f"{new}: &{new} {{<<: [*{old}, *{old}]}}\n" for old, new in pairwise("abcdefghijklmnopq"))


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
        ("s.json", '{\n "agent": "roo"\n "mode": "code"}', 3, "delimiter"),
        ("s.yaml", "agent: roo\nmode: [code\n", 3, ""),
        ("s.yaml", "- agent\n", 1, "object"),
        ("s.yaml", "agent: roo\nreads: 3\n", 2, "list"),
        ("s.yaml", "# reads: no mode\nagent: roo\nenvironment:\n  shell: 3\n", 4, "environment.shell"),
        ("s.json", '{"agent": "mode",\n"env": {"a": "mode"},\n"mode": 3}', 3, "string"),
        ("s.json", '{"agent": "roo",\n"a.b": 3}', 1, "unknown key 'a.b'"),  # which line is not known
        ("s.json", '{"agent": "roo",\n"mcp_servers": [\n{"status": "connected"}]}', 3, "mcp_servers.0.name"),
        ("s.toml", 'agent = "roo"\n[environment]\nshell = 3\n', 3, "environment.shell"),
        ("s.yaml", "agent: roo\na: &a {k: v}\n" + MERGES, 15, "aliases are written out"),
        ("s.yaml", "agent: roo\nparams: &a {b: *a}\n", 2, "the very thing"),
    ],
)
def test_an_error_says_file_and_line(tmp_path: Path, name: str, text: str, line: int, says: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert caught.value.where == f"{path}:{line}"
    assert says in str(caught.value)


@pytest.mark.parametrize("suffix", ["json", "yaml", "toml"])
@pytest.mark.parametrize("value", ["[" * 100_000, "1" * 5_000], ids=["deep", "long"])
def test_what_no_parser_bears_is_an_error(tmp_path: Path, suffix: str, value: str) -> None:
    path = tmp_path / f"s.{suffix}"
    path.write_text({"json": f'{{"mode": {value}}}', "yaml": f"mode: {value}", "toml": f"mode = {value}"}[suffix])
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert (caught.value.where or "").startswith(str(path))


def test_a_date_is_text(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("agent: roo\nenvironment: {date: 2026-11-20}\n")
    assert load_scenario(path).environment.date == "2026-11-20"


def test_a_missing_or_binary_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="No such file"):
        load_scenario(tmp_path / "none.json")
    (tmp_path / "b.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        load_scenario(tmp_path / "b.json")


def test_a_scenario_may_come_out_of_a_pipe_of_the_shell() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"agent": "roo"}')
    os.close(writing)
    assert load_scenario(f"/dev/fd/{reading}").agent == "roo"
    os.close(reading)


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ScenarioError, match="not a regular file"):
        load_scenario(tmp_path / "pipe.json")


@pytest.mark.slow
@pytest.mark.parametrize("more", [0, 1])
def test_a_scenario_has_a_largest_size(tmp_path: Path, more: int) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b'{"agent": "roo"}'.ljust(32 * 1024 * 1024 + more))
    if more:
        with pytest.raises(ScenarioError, match="larger than 33,554,432 bytes"):
            load_scenario(path)
    else:
        assert load_scenario(path).agent == "roo"


def test_with_value_changes_top_level_keys_and_params_in_a_copy() -> None:
    base = Scenario(agent="roo", params={"settings": {"a": 1}})
    assert base.with_value("mode", "ask").mode == "ask"
    assert base.with_value("settings.b", 2).params == {"settings": {"a": 1, "b": 2}}
    assert base.params == {"settings": {"a": 1}}


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"agent": "roo", "workspace": "/shop", "definition": "a.toml", "env": {"HOME": "/home/me", "NAME": "\udc80"}},
        {"env": {"A": "1", "B": None}},
        {"outside_links": "follow", "learned": True, "environment": {"date": "2026-01-01"}},
        {"reads": ["a.md"], "edits": [{"drop": "rules"}], "params": {"diffEnabled": False}},
    ],
)
def test_a_scenario_of_values_is_the_validated_one(values: dict[str, Any]) -> None:
    made, validated = Scenario.of(values), Scenario.model_validate(values)
    assert made == validated
    assert made.model_fields_set == validated.model_fields_set
    assert made.to_dict() == validated.to_dict()


@pytest.mark.parametrize(
    "values",
    [
        {"agent": 1},
        {"agents": "roo"},
        {"outside_links": "all"},
        {"env": {"A": 1}},
        {"env": ""},
    ],
)
def test_values_that_do_not_fit_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Scenario.of(values)
