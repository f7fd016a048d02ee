"""Versions that are not modelled, and links that lead out of the announced folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, ScenarioError, Workspace, assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.resolve import nearest_version, resolve
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_engine.workspace.disk import EmptyDisk

KNOWN = ("2.1.100", "2.1.329", "2.1.330", "2.1.331", "2.1.332")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("2.1.329", "2.1.329"),
        ("2.1.333", "2.1.332"),
        ("2.1.214", "2.1.100"),
        ("2.1.215", "2.1.329"),
        ("2.2.0", "2.1.332"),
        ("3.0.1-beta.2", "2.1.332"),
        ("1.0.0", "2.1.100"),
        ("2.1", "2.1.100"),
        ("latest", "2.1.332"),
    ],
)
def test_the_nearest_version(asked: str, nearest: str) -> None:
    assert nearest_version(asked, KNOWN) == nearest


@pytest.mark.parametrize(
    ("agent", "asked", "used"),
    [("claude-code", "2.1.333", "2.1.332"), ("roo", "4.0", "3.28.16"), ("openclaw", "2026.3.1", "2026.2.24")],
)
def test_an_unknown_version_is_answered_by_the_nearest(tmp_path: Path, agent: str, asked: str, used: str) -> None:
    where = {"agent": agent, "workspace": str(tmp_path), "home": str(tmp_path), "env": {}}
    assembly = assemble(Scenario.model_validate({**where, "agent_version": asked}), cached_only=True)
    assert assembly.agent_version == used
    (note,) = [d for d in assembly.diagnostics if d.code == "unknown-version"]
    assert note.severity == "warning"
    assert asked in note.message
    assert used in note.message
    known = assemble(Scenario.model_validate({**where, "agent_version": used}), cached_only=True)
    assert "unknown-version" not in [d.code for d in known.diagnostics]
    assert known.request == assembly.request


@pytest.mark.parametrize(("learned", "used"), [(True, "2.1.330"), (False, KNOWN[-1])])
def test_what_was_learned_counts_where_it_is_asked_for(learned: bool, used: str) -> None:
    known = Knowledge(Learned((LearnedVersion("claude-code", "2.1.330", ()),)))
    scenario = Scenario(agent="claude-code", workspace="/w", home="/h", env={}, learned=learned)
    assert resolve(scenario, Workspace(EmptyDisk()), known).inputs.agent_version == used


def test_of_versions_that_are_as_near_the_older_one_is_taken() -> None:
    assert nearest_version("1.2", ("1.1", "1.3")) == "1.1"
    assert nearest_version("1.2", ("1.3",)) == "1.3"
    assert nearest_version("1.2", ("1.0", "1.1")) == "1.1"
    assert nearest_version("v1.1", ("1.0", "1.1", "1.2")) == "1.1"
    assert nearest_version("1.2.2", ("1.2", "1.2.3")) == "1.2.3", "a number that is missing is 0"
    assert nearest_version("2.0", ("1.0", "1.9", "3.0")) == "3.0", "1.0 has a newer one behind it"


def scenario(**values: Any) -> Scenario:
    return Scenario.model_validate({"agent": "roo", "workspace": "/w", "home": "/h", "env": {}, **values})


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({}, None),
        ({"workspace": "/a\0b"}, "workspace"),
        ({"home": "/\ud800"}, "home"),
        ({"managed": "/\0"}, "managed"),
        ({"capture": "/\0"}, "capture"),
        ({"definition": "/\0"}, "definition"),
        ({"params": {"language": float("inf")}}, "params.language"),
        ({"mcp_servers": [{"name": "a"}, {"name": "b", "config": {"x": float("inf")}}]}, "mcp_servers.1.config.x"),
        ({"environment": {"date": "yesterday"}}, "environment.date"),
        ({"environment": {"date": "0001-12-31"}}, "environment.date"),
        ({"environment": {"date": "0002-01-01"}}, None),
        ({"environment": {"date": "9998-12-31T12:00:00+02:00"}}, None),
        ({"environment": {"date": "9999-01-01"}}, "environment.date"),
    ],
)
def test_what_no_agent_could_be_started_with_is_refused(values: dict[str, Any], place: str | None) -> None:
    if place is None:
        resolve(scenario(**values), Workspace(EmptyDisk()))
    else:
        with pytest.raises(ScenarioError) as raised:
            resolve(scenario(**values), Workspace(EmptyDisk()))
        assert raised.value.where == place


@pytest.mark.parametrize(
    ("path", "absolute"),
    [("~", "/h"), ("~/a", "/h/a"), ("/~/a", "/~/a"), ("/w/../a/", "/a"), ("~nobody-of-this-name/a", None)],
)
def test_a_path_may_begin_with_the_home_folder_of_the_scenario(path: str, absolute: str | None) -> None:
    _, inputs = resolve(scenario(workspace=path, managed=path), Workspace(EmptyDisk()))
    expected = absolute or str(Path.cwd() / path)
    assert (inputs.workspace, inputs.managed, inputs.home) == (expected, expected, "/h")
