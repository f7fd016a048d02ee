"""Globs as picomatch has them: compared with what the package itself says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.limit import limited

from promptscope_engine.javascript.picomatch import expression, names

TABLE = json.loads((Path(__file__).parent / "data/globs.json").read_text("utf-8"))


def compare(rows: list[list[str]]) -> None:
    for pattern, digits in rows:
        wanted = [path for at, path in enumerate(TABLE["paths"]) if int(digits[at // 4], 16) >> at % 4 & 1]
        assert [path for path in TABLE["paths"] if names(pattern, f"/w/{path}")] == wanted, pattern


def test_a_pattern_names_what_it_names_for_the_package() -> None:
    compare(TABLE["picomatch"][::8])


@pytest.mark.slow
def test_all_patterns_name_what_they_name_for_the_package() -> None:
    compare(TABLE["picomatch"])


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("", "/w/a", False),
        ("**/rules/[ab].md", "/w/rules/a.md", True),
        ("**/rules/[!b].md", "/w/rules/a.md", False),
        ("/w/{1..3}.md", "/w/2.md", True),
        ("/w/{a,{b,c}}.md", "/w/c.md", True),
        ("/w/!(CLAUDE).md", "/w/a.md", True),
        ("/w/!(CLAUDE).md", "/w/CLAUDE.local.md", False),
        ("!/w/a", "/w/b", True),
        ("!!/w/a", "/w/b", False),
        ("/w/**", "/w", True),
        ("/w/a|/x/b", "/x/b", True),
        ("/w/A", "/w/a", False),
        ("[", "/w", False),
        ("/w/(", "/w/(", True),
        ("(w", "(w", True),
        ("!(w", "(w", False),
        ("!(?a)b", "xb", True),
        ("!!(?a)b", "xb", False),
        ("/w/*(*)", "/w/*(*)", True),
        ("/w/(ab+)", "/w/abb", True),
        ("/w/ab+", "/w/ab+", True),
    ],
)
def test_paths_that_a_pattern_names(pattern: str, path: str, hit: bool) -> None:
    assert names(pattern, path) is hit


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("(w", r"^(?:\(w)$"),
        ("(a|b", r"^(?:\(a|b)$"),
        ("!(?a)b", r"^(?:(?:(?!(?:\?a))[^/]*)b)$"),
        ("!!(?a)b", r"^(?:(\?a)b)$"),
        ("!(?!a)b", r"^(?!^(?:(?!a)b)$).*$"),
    ],
)
def test_what_parentheses_become(pattern: str, written: str) -> None:
    assert expression(pattern) == written


@pytest.mark.parametrize(
    "pattern",
    [
        "/w/" + "*a" * 2_000,
        "/w/" + "**/" * 1_300,
        "/w/" + "+(a|b)" * 600,
        "+(" * 1_300 + ")" * 1_300,
        "{a," * 1_000 + "}" * 1_000,
        "!(" * 100 + "*" + ")" * 100 + ".md",
        "[" * 4_000,
        "/w/*(a|b|c)*(a|b|c)*(a|b|c)*(a|b|c)*d",
    ],
)
def test_a_pattern_ends_soon(pattern: str) -> None:
    with limited(60):
        assert not names(pattern, "/w/" + "a" * 2_000 + "x")


@given(st.text('ab/*?[]!(){}|+@.,\\-^:"', max_size=30), st.text("ab/.*", max_size=20))
@settings(deadline=None)
def test_any_text_is_a_pattern(pattern: str, path: str) -> None:
    assert names(pattern, f"/{path}") in (True, False)
