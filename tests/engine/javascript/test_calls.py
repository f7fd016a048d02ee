"""Calls and imports that a JavaScript module says by literals, and texts that do not end what they begin."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.javascript.calls import (
    MAX_CALLS,
    MAX_CHARS,
    BrokenError,
    Call,
    calls_of,
    declared,
    imported_names,
    imports_of,
    misused,
    script_of,
)


def names(text: str) -> list[str | None]:
    return [call.text for call in calls_of(script_of(text), "on")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on('a.b', f)", ["a.b"]),
        ('on("a.b", f)', ["a.b"]),
        ("on(`a.b`, f)", ["a.b"]),
        ("on(`a.${x}`, f)", [None]),
        ("on('a.' + 'b', f)", [None]),
        ("on(NAME, f)", [None]),
        ("on('a\\u002eb', f)", ["a.b"]),
        ("// on('a.b', f)\n/* on('c.d', f) */ on('e.f', f)", ["e.f"]),
        ("const s = \"on('a.b', f)\"; on('c.d', f)", ["c.d"]),
        ("const r = /['\"(]/g; on('a.b', f)", ["a.b"]),
        ("const half = a / b; on('a.b', f) / 2", ["a.b"]),
        ("x.on('a.b', f); x?.on('c.d', f)", []),
        ("function on(a) {}", []),
        ("`${ on('a.b', f) } and ${`${'}'}`}`; on('c.d', f)", ["c.d"]),
        ("on('a.b', { n: [1, (2)] }, async ($, e) => { on('c.d', g) })", ["a.b", "c.d"]),
        ("#!/usr/bin/env node\non('a.b', f)", ["a.b"]),
    ],
)
def test_calls_are_found_by_their_text(text: str, expected: list[str | None]) -> None:
    assert names(text) == expected


def test_a_call_has_its_line_and_its_other_arguments() -> None:
    found = calls_of(script_of("\n\non('a', { name: 'b', of: [1, 2] }, (x, y) => x,\n)"), "on")
    assert found == [Call("a", ("{ name: 'b', of: [1, 2] }", "(x, y) => x"), 3)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("(on => {\n", 1),
        ("\n}", 2),
        ("on('a.b", 1),
        ("x\n`${a}", 2),
        ("/* no end", 1),
        ("(]", 1),
    ],
)
def test_what_does_not_end_is_broken_with_its_line(text: str, line: int) -> None:
    with pytest.raises(BrokenError) as caught:
        calls_of(script_of(text), "on")
    assert caught.value.line == line


def test_imports_are_named_with_their_lines() -> None:
    text = (
        "import a, { b as c } from './a'\nimport 'fs'\nexport * from \"../b.ts\"\nimport type { T } from './t'\n"
        "import type from './g'\n// import './no'\nimport './f'"
    )
    assert imports_of(script_of(text)) == [("./a", 1), ("fs", 2), ("../b.ts", 3), ("./g", 5), ("./f", 7)]
    assert {"a", "c"} <= imported_names(script_of(text))


@pytest.mark.parametrize(
    ("text", "begins", "line"),
    [
        ("\nasync function* h(a) {}", "async function* h(a)", 2),
        ("export const h = async ($) => 1", "async ($) => 1", 1),
        ("const h: Hook = x => x", "x => x", 1),
    ],
)
def test_a_declared_function_is_found(text: str, begins: str, line: int) -> None:
    found = declared(script_of(text), "h")
    assert found is not None
    assert found.text.startswith(begins)
    assert found.line == line


@pytest.mark.parametrize("text", ["let h = (a) => 1", "{ function h() {} }", "const h = 3", "const o = { h() {} }"])
def test_other_names_are_no_declared_functions(text: str) -> None:
    assert declared(script_of(text), "h") is None


@pytest.mark.parametrize(
    ("text", "line"),
    [("on('a')\nmore(on)", None), ("\nconst o = on;", 2), ("on.call(1)", 1), ("on?.('a')", 1), ("f(x.on.y)", None)],
)
def test_a_function_is_called_or_passed_on(text: str, line: int | None) -> None:
    assert misused(script_of(text), "on") == line


@given(st.text(alphabet="on('`${})/[]\\\" \n*a.,=>", max_size=80))
def test_any_text_has_calls_or_is_broken(text: str) -> None:
    try:
        lines = [call.line for call in calls_of(script_of(text), "on")]
    except BrokenError as error:
        lines = [error.line]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


def test_a_long_text_is_not_looked_at() -> None:
    with pytest.raises(BrokenError, match="more than"):
        script_of("a" * (MAX_CHARS + 1))


def test_deep_nesting_is_no_recursion() -> None:
    began = time.monotonic()
    assert names("on('a.b', " + "(" * 20_000 + ")" * 20_000 + ")") == ["a.b"]
    with pytest.raises(BrokenError):
        script_of("`${" * 5_000)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "text", ["()" * 500_000, "=/[" * 300_000, "on(" * 300_000 + ")" * 300_000, "on('a', f);" * 100_000]
)
def test_a_text_made_to_hold_up_does_not(text: str) -> None:
    began = time.monotonic()
    with suppress(BrokenError):
        assert len(calls_of(script_of(text), "on")) <= MAX_CALLS
    assert time.monotonic() - began < 30
