"""Which values of settings fit their keys, and which keys are ignored."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.codex.config_keys import misfits, unknown_keys, unreachable


@pytest.mark.parametrize(
    ("key", "what", "fitting"),
    [
        ("hide_agent_reasoning", "true or false", [True, False]),
        ("model_context_window", "a whole number", [0, 5, -1]),
        ("project_doc_max_bytes", "a whole number from 0 on", [0, 5]),
        ("model", "a text", ["", "a"]),
        ("notify", "a list of texts", [[], ["a"]]),
        ("history", "a table", [{}, {"x": 1}]),
    ],
)
def test_a_value_fits_its_key(key: str, what: str, fitting: list[Any]) -> None:
    for value in [True, False, 0, 5, -1, 1.5, "", "a", [], ["a"], ["a", 1], [{}], {}, {"x": 1}]:
        fits = any(value == each and type(value) is type(each) for each in fitting)
        assert list(misfits({key: value})) == ([] if fits else [((key,), f"it is not {what}")]), value


@pytest.mark.parametrize(
    ("value", "fits"), [(1, True), (1.5, True), (0, True), (True, False), (False, False), ("1", False), ([], False)]
)
def test_seconds_are_a_number(value: Any, fits: bool) -> None:
    found = list(misfits({"mcp_servers": {"s": {"startup_timeout_sec": value}}}))
    assert found == ([] if fits else [(("mcp_servers", "s", "startup_timeout_sec"), "it is not a number")])


@pytest.mark.parametrize(("value", "fits"), [([], True), ([{}], True), ([{}, 1], False), ({}, False), ("a", False)])
def test_a_list_of_tables(value: Any, fits: bool) -> None:
    found = list(misfits({"skills": {"config": value}}))
    assert found == ([] if fits else [(("skills", "config"), "it is not a list of tables")])


@pytest.mark.parametrize(
    ("value", "fits"), [("live", True), ("cached", True), ("on", False), (True, False), ([], False)]
)
def test_one_of_several_words(value: Any, fits: bool) -> None:
    found = list(misfits({"web_search": value}))
    assert found == ([] if fits else [(("web_search",), "it is none of disabled, cached, indexed, live")])


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"command": "a"}, []),
        ({"url": "a"}, []),
        ({}, [("s", "it has neither a command nor an address")]),
        ({"command": "a", "url": "b"}, 1),
        ("a", []),
    ],
)
def test_a_server_is_run_or_called(table: Any, problem: Any) -> None:
    found = list(unreachable({"s": table}))
    assert found == problem if isinstance(problem, list) else len(found) == problem


def test_keys_that_are_ignored() -> None:
    values: dict[str, Any] = {
        "model": "a",
        "mdoel": "a",
        "skills": {"config": [], "confg": []},
        "features": {"x": True},
    }
    assert list(unknown_keys(values)) == [("mdoel",), ("skills", "confg")]
