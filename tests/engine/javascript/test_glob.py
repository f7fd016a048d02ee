from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.limit import limited

from promptscope_engine.javascript.glob import expand_braces, glob_matches, is_pattern, stars_match


@pytest.mark.parametrize(
    ("pattern", "expanded"),
    [
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("a{1..3}", ["a1", "a2", "a3"]),
        ("{c..a..2}", ["c", "a"]),
        ("{08..10}", ["08", "09", "10"]),
        ("x/{a,b/{c,d}}/y", ["x/a/y", "x/b/c/y", "x/a/y", "x/b/d/y"]),  # the innermost first
        ("{,a}.md", [".md", "a.md"]),
        ("{a}", ["{a}"]),
        ("{a,b", ["{a,b"]),
        ("a,b}", ["a,b}"]),
        ("", [""]),
    ],
)
def test_braces(pattern: str, expanded: list[str]) -> None:
    assert expand_braces(pattern) == expanded


@pytest.mark.parametrize("options", [3, 4, 5])
def test_the_first_ones_are_taken(options: int) -> None:
    names = [f"n{n}" for n in range(options)]
    assert expand_braces("{" + ",".join(names) + "}", 4) == names[:4]


@pytest.mark.parametrize("options", [255, 256, 257])
def test_256_patterns_are_made_of_one(options: int) -> None:
    assert len(expand_braces("{" + "," * (options - 1) + "}")) == min(options, 256)


@pytest.mark.parametrize("size", [4_095, 4_096, 4_097])
def test_a_pattern_longer_than_any_path_names_none(size: int) -> None:
    assert len(expand_braces("{a,b}" + "x" * (size - 5))) == (2 if size <= 4_096 else 1)
    assert glob_matches("x" * size, "x" * size) is (size <= 4_096)


@pytest.mark.parametrize(
    "pattern",
    ["{a,b}" * 800, "{" + "," * 4_000 + "}", "{a," * 1_000 + "}" * 1_000, "{a,b}" + "{x}" * 1_300, "{" * 4_000],
)
def test_braces_end_soon(pattern: str) -> None:
    with limited(60):
        assert len(expand_braces(pattern)) <= 256


@given(st.text("{},ab", max_size=30), st.integers(1, 8))
@settings(deadline=None)
def test_more_room_only_adds(pattern: str, most: int) -> None:
    found = expand_braces(pattern, most)
    assert 1 <= len(found) <= most
    assert expand_braces(pattern, most + 1)[:most] == found


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("**/packages/CLAUDE.md", "/w/packages/CLAUDE.md", True),
        ("**/packages/CLAUDE.md", "/w/packages/a/CLAUDE.md", False),
        ("/w/{a,b}/*.md", "/w/b/x.md", True),
        ("/w/*.md", "/w/a/x.md", False),
        ("/w/**", "/w/a/x.md", True),
        ("/w/?.md", "/w/x.md", True),
        ("/w/?.md", "/w//.md", False),
        ("/w/**/**/x.md", "/w/x.md", True),
        ("/w/**/**/x.md", "/w/a/b/x.md", True),
        ("**/**/x.md", "a/b/x.md", True),
        ("/w/a**/x.md", "/w/ab/x.md", True),
        ("/w/a*b*c.md", "/w/a-b-b-c.md", True),
        ("**/a", "a/a", True),  # the first that fits need not be the one
        ("**/x.md", "ax.md", False),
        ("*/**/b", "a/b", True),
        ("/w/[x].md", "/w/x.md", False),
    ],
)
def test_paths_that_a_glob_names(pattern: str, path: str, hit: bool) -> None:
    assert glob_matches(pattern, path) is hit


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("a", "a", True), ("a", "ab", False), ("*", "", True), ("a*", "a", True), ("*a", "a", True),
        ("a*a", "a", False), ("a*a", "aa", True), ("a*b*c", "abc", True), ("a*b*c", "axbxc", True),
        ("a*b*b*c", "abc", False), ("a*b*b*c", "abbc", True), ("a*bc*c", "abc", False), ("a*b*c", "ac", False),
        ("*b*", "abc", True), ("a*c", "bc", False), ("a*c", "ab", False), ("a**c", "ac", True), ("*a*", "b", False),
        ("*a*", "ab", True),
    ],
)  # fmt: skip
def test_names_that_stars_match(pattern: str, name: str, fits: bool) -> None:
    assert stars_match(pattern, name) is fits


def test_many_stars_for_folders_end_soon() -> None:
    with limited(60):
        assert not glob_matches("**/" * 30 + "x", "/a" * 60)


@given(st.text(max_size=60), st.text(alphabet="ab/.*", max_size=30))
@settings(deadline=None)
def test_never_raises(pattern: str, path: str) -> None:
    assert glob_matches(pattern, path) in (True, False)
    assert is_pattern(pattern) == (not set("*?{[").isdisjoint(pattern))
