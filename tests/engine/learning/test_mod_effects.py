"""What mods did to a request, told from runs with and without each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine.insight.client_sections import ClientSection
from promptscope_engine.learning.mod_effects import (
    FORMAT,
    Effect,
    ModRun,
    Observation,
    Part,
    composed,
    effects_of,
    file_for,
    kept,
    last_run,
    observed,
)
from promptscope_engine.prompt.model import Program, Reason

EVENTS = {"a": ("prompt.section",), "b": ("prompt.context",), "c": ("*",)}


def written(**lists: Any) -> str:
    return json.dumps({"format": FORMAT, **lists})


def run(**texts: str | None) -> Observation:
    """A run whose sections have these texts."""
    told = [{"name": name, "text": None if text is None else [len(text), text]} for name, text in texts.items()]
    return observed(written(sections=told))[0]


def test_the_sections_that_a_prompt_was_composed_of_have_their_texts() -> None:
    first = {"sections": [{"id": "intro", "text": "Be."}, {"id": "no name", "text": "x"}, {"id": "e", "text": None}]}
    found = list(composed(written(compose=[first, {"sections": [{"id": "of-another", "text": "y"}]}])))
    assert found == [ClientSection("intro", "Be.")]
    assert list(composed(written(compose="none"))) == []
    with pytest.raises(ValueError, match="cannot be read"):
        list(composed("{"))


def test_where_texts_were_written_an_effect_has_both_of_them() -> None:
    bare, whole = (observed(written(sections=[{"name": "intro", "text": text}]))[0] for text in ("Be.", "Be kind."))
    [effect] = effects_of(bare, whole, {"a": bare}, {"a": ("prompt.section",)})
    assert (effect.before, effect.after, effect.texts) == (3, 8, ("Be.", "Be kind."))
    assert effect.plain.texts == ("", "")


def test_parts_have_the_clients_names() -> None:
    text = written(
        sections=[{"name": "intro", "text": [5, "x"]}, {"name": "empty", "text": None}],
        compose=[{"sections": [{"id": "intro", "text": [5, "x"]}, {"id": "more", "text": [2, "y"]}]}],
        context=[
            {
                "blocks": [{"name": "claudeMd", "text": [9, "z"]}],
                "files": [{"path": "/w/A.md", "kind": "project", "text": [3, "f"]}],
            }
        ],
        tools=[{"name": "Bash", "text": [7, "t"]}, {"name": "Read", "text": [8, "r"], "isDeferred": True}],
        agents=[{"agent": "x", "description": [1, "d"], "isOffered": False}],
        trace=[
            {"event": "prompt.submit", "tier": "user", "received": {"text": [2, "a"]}},
            {"event": "prompt.submit", "tier": "core", "received": {"text": [4, "b"]}},
            {"event": "prompt.context", "plugin": "mine", "tier": "user", "isChanged": True},
            {"event": "prompt.context", "plugin": "mine", "tier": "user", "isChanged": True},
            {"event": "prompt.compose", "plugin": "mine", "tier": "user", "isChanged": False},
            {"event": "prompt.context", "plugin": "engine", "tier": "core", "isChanged": True},
        ],
    )
    parts, sections, files, traced = observed(text)
    assert {part: answer.length for part, answer in parts.items()} == {
        Part("section", "intro"): 5,
        Part("composed section", "more"): 2,
        Part("file", "/w/A.md"): 3,
        Part("tool", "Bash"): 7,
        Part("deferred tool", "Read"): 8,
        Part("message", "prompt.submit"): 4,
    }
    assert sections == {"intro": 5, "empty": 0}
    assert files == {"/w/A.md": "project"}
    assert traced == (("mine", "prompt.context"),)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": "other"}'])
def test_what_the_observing_mod_did_not_write_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="observing mod wrote"):
        observed(text)


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [7], [{}], [{"name": 7, "text": 5}], [{"sections": 7}]])
def test_odd_values_are_no_parts(value: Any) -> None:
    parts, *_ = observed(written(sections=value, compose=value, context=value, tools=value, trace=value))
    assert parts == {}


@pytest.mark.parametrize(
    ("bare", "whole", "without", "found"),
    [
        ({"s": "x"}, {"s": "x"}, {"a": {"s": "x"}}, []),
        ({"s": "x"}, {}, {"a": {"s": "x"}}, [Effect("a", "removed", "section", "s", 1, 0)]),
        ({}, {"s": "xy"}, {"a": {}}, [Effect("a", "wrote", "section", "s", 0, 2)]),
        ({"s": "x"}, {"s": "xy"}, {"a": {"s": "x"}}, [Effect("a", "changed", "section", "s", 1, 2)]),
    ],
)
def test_a_mod_did_what_differs_without_it(
    bare: Mapping[str, str], whole: Mapping[str, str], without: Mapping[str, Mapping[str, str]], found: list[Effect]
) -> None:
    runs = {mod: run(**texts) for mod, texts in without.items()}
    assert list(effects_of(run(**bare), run(**whole), runs, EVENTS)) == found


def test_two_mods_that_do_the_same_are_both_named() -> None:
    found = effects_of(run(s="x"), run(), {"a": run(), "c": run()}, EVENTS)
    assert [(each.mod, each.did) for each in found] == [("a", "removed"), ("c", "removed")]


def test_only_the_mod_without_which_it_differs_is_named() -> None:
    found = effects_of(run(s="x"), run(), {"a": run(s="x"), "c": run()}, EVENTS)
    assert [each.mod for each in found] == ["a"]


def test_what_follows_from_another_event_is_nobodys() -> None:
    assert effects_of(run(s="x"), run(), {"a": run(), "b": run(s="x")}, EVENTS) == ()


def program(name: str, digest: str, *, present: bool = True) -> Program:
    return Program("mod", name, f"/m/{name}.js", present, Reason("", "", present, ""), id=name, digest=digest)


def test_runs_are_kept_for_these_very_mods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path))
    known = ModRun("2026-11-29", "2.1.332", {"a": "1"}, (), {})
    target = file_for({"a": "1"})
    target.parent.mkdir()
    target.write_text(
        json.dumps({"date": known.date, "client": known.client, "mods": {"a": "1"}, "effects": [], "sections": {}})
    )
    assert last_run([program("a", "1"), program("off", "9", present=False)]) == known
    assert last_run([program("a", "2")]) is None
    assert last_run([]) is None
    target.write_text("{")
    assert kept({"a": "1"}) is None
