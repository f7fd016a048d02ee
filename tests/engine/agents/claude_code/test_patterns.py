from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.patterns import matches, parse_paths


@pytest.mark.parametrize(
    ("value", "patterns"),
    [
        ("src/**", ("src/**",)),
        ("lib/*.ts, nothing/**", ("lib/*.ts", "nothing/**")),
        ("{a,b}/*.py, c", ("{a,b}/*.py", "c")),
        ("{a,{b,c}},d", ("{a,{b,c}}", "d")),
        ("{{a},b},c", ("{{a},b}", "c")),
        ("{a},b", ("{a}", "b")),
        ("}a,b", ("}a", "b")),
        ("}{a,b},c", ("}{a,b}", "c")),
        ("{a,b", ("{a,b",)),
        ("a,b,", ("a", "b")),
        (",,a", ("a",)),
        ([["a", "b"], "c", 5, None], ("a", "b", "c")),
        ("**,**", None),
        ("**,a", ("**", "a")),
        (["docs/**", "src/*.py"], ("docs/**", "src/*.py")),
        (None, None),
        ("", None),
        ("**", None),
        ([], None),
        ({"a": 1}, None),
    ],
)
def test_parse_paths(value: object, patterns: tuple[str, ...] | None) -> None:
    assert parse_paths(value) == patterns


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("*.ts", "/w/deep/down/x.ts", True),
        ("lib/", "/w/lib/a/b.py", True),
        ("./lib/y.ts", "/w/lib/y.ts", False),
        ("src/**/*.py", "/w/src/x.py", True),
        ("src/*.py", "/w/src/a/x.py", False),
        ("{src,lib}/**/*.{ts,tsx}", "/w/lib/y.tsx", True),
        ("src/**", "/elsewhere/src/x", False),
    ],
)
def test_matches(pattern: str, path: str, hit: bool) -> None:
    assert matches((pattern,), "/w", path) is hit


@pytest.mark.parametrize("count", [255, 256, 257])
def test_only_so_many_patterns_count(count: int) -> None:
    found = parse_paths(",".join(f"p{number}" for number in range(count)))
    assert found is not None
    assert len(found) == min(count, 256)


@pytest.mark.parametrize(
    ("base", "path", "hit"),
    [("/w/", "/w/a", True), ("/w", "/w/a", True), ("/", "/a", True), ("/w", "/wa", False), ("/w/x", "/w/a", False)],
)
def test_a_pattern_is_relative_to_its_folder(base: str, path: str, hit: bool) -> None:
    assert matches(("a",), base, path) is hit


@given(st.text(max_size=60), st.text(alphabet="ab/.*", max_size=30))
def test_never_raises(pattern: str, path: str) -> None:
    assert matches((pattern,), "/w", f"/w/{path}") in (True, False)
