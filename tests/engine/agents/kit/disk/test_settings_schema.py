"""Shapes of settings: what fits, what an unknown key was meant to be, and that no value is too odd."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine.agents.kit.disk.settings_schema import MAX_FINDINGS, Finding, Schema

SHAPES: dict[str, Any] = {
    "name": "text",
    "size": "int 1..10",
    "tags": "[text]",
    "some": "[text]+",
    "env": "{text}",
    "mode": "=a|b",
    "either": ["bool", {"on!": "bool", "level": "int"}],
    "server": "@Server",
    "loose~": "=x|y",
    "servers": {"*": "@Server"},
    "lower": {"*": "int", "^": "~lower"},
    "begins": "first =a|b",
    "quiet": {"?": "unseen", "known": "any"},
}
SCHEMA = Schema(
    SHAPES, {"Server": {"command!": "text", "args": "[text]", "inner": "@Server"}}, {"lower": ("[a-z]+", "small")}
)


def kinds(values: Any) -> list[tuple[str, str]]:
    return [(finding.kind, finding.key) for finding in SCHEMA.findings(values)]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({}, []),
        (None, [("type", "")]),
        ([], [("type", "")]),
        ({"name": 5}, [("type", "name")]),
        ({"size": 0, "mode": "c"}, [("range", "size"), ("word", "mode")]),
        ({"size": 5.0}, []),
        ({"size": True}, [("type", "size")]),
        ({"tags": ["a", 1, None]}, [("type", "tags[1]"), ("type", "tags[2]")]),
        ({"some": ["a"]}, []),
        ({"some": []}, [("range", "some")]),
        ({"some": [1]}, [("type", "some[0]")]),
        ({"some": "a"}, [("type", "some")]),
        ({"env": {"A.B": 1}}, [("type", "env.A.B")]),
        ({"either": True}, []),
        ({"either": {"on": 5}}, [("type", "either.on")]),
        ({"either": {"level": 5}}, [("missing", "either.on")]),
        ({"either": "x"}, [("type", "either")]),
        (
            {"servers": {"a": {"inner": {"command": 1}}}},
            [("type", "servers.a.inner.command"), ("missing", "servers.a.command")],
        ),
        ({"lower": {"a": 1, "B": "x"}}, [("word", "lower.B"), ("type", "lower.B")]),
        ({"begins": ["a", 1]}, []),
        ({"begins": []}, [("type", "begins")]),
        ({"begins": ["c", "a"]}, [("type", "begins")]),
        ({"quiet": {"other": 1}, "other": 1}, [("unseen", "quiet.other"), ("unknown", "other")]),
    ],
)
def test_what_does_not_fit(values: Any, found: list[tuple[str, str]]) -> None:
    assert kinds(values) == found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"pair": ["a", 1]}, []),
        ({"pair": ["a", "b"]}, ["`pair[1]` must be a whole number"]),
        ({"pair": ["a"]}, ["`pair` must be a list of 2 items"]),
        ({"pair": ["a", 1, 2]}, ["`pair` must be a list of 2 items"]),
        ({"pair": "a"}, ["`pair` must be a list of 2 items"]),
        ({"never": None}, ["`never` must be left out"]),
    ],
)
def test_lists_of_just_these_and_keys_that_may_not_be_there(values: Any, found: list[str]) -> None:
    said = Schema({"pair": "(text, int)", "never": "absent"}).findings(values)
    assert [f"`{finding.key}` {finding.reason}" for finding in said] == found


def test_an_open_schema_takes_further_keys() -> None:
    schema = Schema({"inner": "@Inner"}, {"Inner": {"size!": "int"}})
    assert [finding.key for finding in schema.findings({"x": 1, "inner": {"y": 1}})] == ["x", "inner.y", "inner.size"]
    assert [finding.key for finding in schema.opened.findings({"x": 1, "inner": {"y": 1}})] == ["inner.size"]


def test_an_empty_list_may_be_an_object() -> None:
    schema = Schema({"a": {"[]": True, "k": "bool"}, "b": {"k": "bool"}}, {})
    assert [finding.key for finding in schema.findings({"a": [], "b": []})] == ["b"]
    assert [finding.key for finding in schema.findings({"a": [True], "b": {"k": True}})] == ["a"]


def test_a_misfit_may_cost_only_itself() -> None:
    assert [finding.mild for finding in SCHEMA.findings({"loose": 5, "mode": 5})] == [True, False]


def test_a_whole_number_of_toml_has_no_point() -> None:
    assert [f.kind for f in Schema({"n": "int"}, notation="toml").findings({"n": 5.0})] == ["type"]


def test_a_program_may_make_values_fit() -> None:
    def quoted(value: Any, shape: str) -> bool:
        return shape == "bool" and value in ("true", "false")

    assert Schema({"on": "bool"}, lenient=quoted).findings({"on": "true"}) == []


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"nmae": 1}, "X knows no setting `nmae`; did you mean `name`?"),
        ({"server": {"command": "a", "agrs": []}}, "X knows no setting `server.agrs`; did you mean `server.args`?"),
        ({"command": "a"}, "X knows no setting `command`: `command` belongs in `server`, but is at the top level"),
        (
            {"quiet": {"size": 1}},
            "X knows no setting `quiet.size`: `size` is a top-level key, but is in `quiet`",
        ),
        ({"zzzzzz": 1}, "X knows no setting `zzzzzz`"),
    ],
)
def test_what_an_unknown_key_was_meant_to_be(values: Any, sentence: str) -> None:
    found = [finding for finding in SCHEMA.findings(values) if finding.kind in ("unknown", "unseen")]
    assert [f"X knows no setting `{finding.key}`{finding.hint()}" for finding in found] == [sentence]


def test_a_key_that_many_objects_have_is_meant_for_none_of_them() -> None:
    schema = Schema({**{name: {"on": "bool"} for name in "abc"}, "servers": {"*": {"command": "text"}}})
    (finding,) = schema.findings({"servers": {"x": {"on": True}}})
    assert finding.hint() == ""


def test_what_is_told_has_an_end() -> None:
    assert len(SCHEMA.findings({"tags": [1] * 5000})) == MAX_FINDINGS


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*SHAPES, "x", ""]), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=40)
@given(ANY_JSON)
def test_no_value_is_too_odd(value: Any) -> None:
    for finding in SCHEMA.findings(value):
        assert isinstance(finding, Finding)
        assert finding.said("[{}]")
        assert finding.reason


FITTING = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(),
        "size": st.integers(1, 10),
        "tags": st.lists(st.text()),
        "env": st.dictionaries(st.text(), st.text()),
        "mode": st.sampled_from("ab"),
        "either": st.booleans() | st.builds(lambda on: {"on": on}, st.booleans()),
    },
)


@settings(max_examples=40)
@given(FITTING, st.data())
def test_what_fits_is_left_alone_and_one_misfit_is_found(values: dict[str, Any], data: st.DataObject) -> None:
    assert SCHEMA.findings(values) == []
    key = data.draw(st.sampled_from(["name", "size", "tags", "env", "mode", "either"]))
    ((kind, name),) = kinds({**values, key: None})
    assert (kind in ("type", "word"), name) == (True, key)


TOGETHER = Schema(
    {
        "colour": "~colour",
        "most": "number >0..5",
        "name": "text ..3",
        "switch": "false",
        "door": {"policy": "text", "from": "list", "&": ["open door"]},
        "levels": {"low": "int", "high": "int", "&": ["in order"]},
    },
    forms={"colour": ("#?[0-9a-f]{6}", "a colour of six digits")},
    rules={
        "open door": ({"policy!": "=open", "*": "any"}, {"from!": "has *", "*": "any"}, 'needs "*" in `from`'),
        "in order": "low < high",
    },
)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"colour": "#ff00aa", "most": 0.1, "name": "abc", "switch": False}, []),
        ({"colour": "red"}, ["colour must be a colour of six digits"]),
        ({"colour": 5}, ["colour must be a colour of six digits"]),
        ({"colour": "x" * 5_000}, []),
        ({"most": 0}, ["most must be a number above 0 and 5 at most"]),
        ({"name": "abcd"}, ["name must be a string of 3 characters at most"]),
        ({"switch": True}, ["switch must be false"]),
        ({"door": {"policy": "open", "from": ["a", " * "]}}, []),
        ({"door": {"policy": "shut"}}, []),
        ({"door": {"policy": "open", "from": ["a"]}}, ['door needs "*" in `from`']),
        ({"levels": {"low": 1, "high": 2}}, []),
        ({"levels": {"low": 2, "high": 2}}, ["levels needs `low` lower than `high`"]),
        ({"levels": {"low": 2}}, []),
    ],
)
def test_texts_have_forms_and_keys_go_together(values: Any, said: list[str]) -> None:
    assert [f"{finding.key} {finding.reason}" for finding in TOGETHER.findings(values)] == said


def test_every_key_is_listed_with_what_it_takes() -> None:
    shapes = {"Server": {"command!": "text", "on": "bool", "inner": "@Server"}, "Way": "=a|b"}
    schema = Schema({"servers": {"*": "@Server"}, "way": ["@Way", "bool"], "rest": "{[text]}"}, shapes)
    keys = {".".join(map(str, path)): schema.described(shape) for path, shape in schema.keys.items()}
    assert keys["servers.*.command"] == "a string"
    assert keys["rest.*"] == "a list of strings"
    assert "servers.*.inner.command" not in keys
    assert schema.values(schema.keys[("way",)]) == ("a", "b", True, False)
    assert schema.values("[text]") == ()
