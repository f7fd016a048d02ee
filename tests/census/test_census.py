"""promptscope predicts what turning a knob changed in the real clients' requests, but for what is known."""

from __future__ import annotations

import json
from functools import cache

import pytest
from tests.oracle.samples import quick

from .comparing import groups, verdicts
from .knobs import knobs_of, turns_of
from .known import EXCUSED, PENDING, excuse, pending
from .news import names_in
from .pairs import pairs
from .store import STORE, Row, rows
from .told import file_of, told
from .worlds import AGENTS, turned, variants

ASKED = [agent for agent in AGENTS if (STORE / f"{agent}.jsonl").exists()]


@cache
def _rows(agent: str) -> list[Row]:
    return rows(agent)


@cache
def _groups(agent: str) -> list[list[Row]]:
    return groups(_rows(agent))


ALL = [f"{agent}/{number}" for agent in ASKED for number in range(len(_groups(agent)))]
QUICK, SAMPLE = quick(ALL, 80), quick(ALL, 300)
"""Of the store, which `python -m tests.census` holds promptscope against as a whole: that takes minutes."""


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[] if one in QUICK else [pytest.mark.slow]) for one in sorted(SAMPLE)]
)
def test_turned_knobs_change_what_the_client_changes(name: str) -> None:
    agent, number = name.split("/")
    known = pending(agent)
    for one in verdicts(_groups(agent)[int(number)]):
        key = one.row.key
        if one.is_right:
            assert key not in known, "no longer wrong: run `python -m tests.census pending`"
        else:
            assert key in known or excuse(agent, key), f"{one.name}: {key}\n" + "\n".join(one.why)


def test_known_mistakes_are_of_rows() -> None:
    for agent, found in json.loads(PENDING.read_text()).items():
        assert {*found} <= {row.key for row in _rows(agent)}
    for agent, reasons in json.loads(EXCUSED.read_text()).items():
        keys = [row.key for row in _rows(agent)]
        assert [part for part in reasons if not any(part in key for key in keys)] == []
        assert all(reasons.values())


@pytest.mark.parametrize("agent", ASKED)
def test_rows_hold_facts_alone(agent: str) -> None:
    sizes = {"tools~", "text+", "text-", "marks+", "marks-"}
    for row in _rows(agent):
        for key, value in (row.change or {}).items():
            assert key in {*sizes, "tools+", "tools-", "own+", "own-", "order", "rest"}
            texts = [*value] if isinstance(value, dict | list) else []
            assert all(len(text) < 90 for text in texts), row.key
            assert key not in sizes or all(isinstance(size, int) for size in value.values())


@pytest.mark.parametrize("agent", [agent for agent in AGENTS if knobs_of(agent)])
def test_every_turn_can_be_made(agent: str) -> None:
    turns = list(turns_of(agent))
    assert len({turn.key for turn in turns}) == len(turns)
    for turn in turns:
        assert turn.knob.world in {"base", *variants(agent)}
        turned(agent, turn.knob.world, [turn])


def test_rows_of_other_drivers_are_read(tmp_path) -> None:
    by_roles = {"knob": "features.goals", "kind": "config", "where": "home/.codex/config.toml", "value": False}
    (tmp_path / "codex.jsonl").write_text(
        json.dumps({**by_roles, "real": {"started": True}, "dr": {"tools-": ["create_goal"]}, "verdict": "same"}) + "\n"
    )
    assert [row.change for row in rows("codex", tmp_path)] == [{"tools-": ["create_goal"]}]
    by_places = {"knob": "language", "kind": "setting", "where": "user", "value": "french"}
    real = {
        "system": {"chars": [-10, 40], "marks": [[], ["ZQx"]]},
        "tool:Agent": {"chars": [-9, 0], "marks": [["ZQa"], []], "tool": "-"},
    }
    lines = [{**by_places, "verdict": "same", "real": real}, {**by_places, "value": "x", "verdict": "refused, said"}]
    (tmp_path / "claude-code.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    first, second = rows("claude-code", tmp_path)
    assert first.change == {
        "tools-": ["Agent"],
        "text-": {"system": 10},
        "text+": {"system": 40},
        "marks+": {"system ZQx": 1},
        "marks-": {"tool ZQa": 1},
    }
    assert first.turns[0].knob.file == "home/.claude/settings.json"
    assert second.change is None


def test_new_names_are_found_in_schemas_and_help() -> None:
    schema = {"properties": {"one": {"properties": {"two": {}}}}, "definitions": {"x": {"properties": {"three": {}}}}}
    assert names_in(json.dumps(schema)) == {"one", "two", "three"}
    assert names_in("  --model <name>  SOME_VARIABLE\n  goals   stable  true\n") == {
        "--model",
        "SOME_VARIABLE",
        "goals",
    }


@pytest.mark.parametrize("agent", ASKED)
def test_pairs_are_of_knobs_that_change_something(agent: str) -> None:
    changing = {turn.key for row in _rows(agent) if row.change for turn in row.turns}
    for turns in pairs(_rows(agent), seed=1):
        assert len(turns) > 1
        assert {turn.key for turn in turns} <= changing
        assert len({turn.spot for turn in turns}) == len(turns)


@pytest.mark.parametrize("agent", ASKED)
def test_what_why_tells_of_knobs_is_that_of_the_store(agent: str) -> None:
    assert file_of(agent).read_text("utf-8") == told(agent), f"run `python -m tests.census told {agent}`"
