"""Patterns of gitignore files: what they name, and that no text makes them take long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec
from tests.support.limit import limited

from promptscope_engine.javascript.ignore import read_patterns, within_limits

PIECES = st.sampled_from(["*", "**", "a", "b", "ab", "?", "[ab]", "[!a]", "*a", "a*", "*a*b", ".a", "\\*", "a?b"])
PATTERN = st.builds(
    lambda start, parts, end: start + "/".join(parts) + end,
    st.sampled_from(["", "", "/"]),
    st.lists(PIECES, min_size=1, max_size=4),
    st.sampled_from(["", "", "/"]),
).filter(lambda pattern: not pattern.endswith("**/"))  # the other implementation takes files for folders there
PATH = st.lists(
    st.text("ab.", min_size=1, max_size=4).filter(lambda name: name.strip(".")), min_size=1, max_size=4
).map("/".join)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(patterns=st.lists(PATTERN, max_size=3), path=PATH)
def test_a_path_is_hidden_where_git_hides_it(patterns: list[str], path: str) -> None:
    """Held against another implementation, for patterns that only hide."""
    assert read_patterns(patterns, "git").hides(path) is GitIgnoreSpec.from_lines(patterns).match_file(path)


@pytest.mark.parametrize("lines", [["src/*.ts", "b"], ["src/", "!src/a.ts", "*.ts", "!b.ts"], []])
def test_many_paths_are_hidden_as_each_one_is(lines: list[str]) -> None:
    read, paths = read_patterns(lines), ["src/a.ts", "src/b.ts", "lib/b/x", "ts", "x/src/c.ts"]
    hidden = read.hidden_among([f"/w/src/{path}" for path in paths], len("/w/src/"))
    assert hidden == [number for number, path in enumerate(paths) if read.hides(path)]


@pytest.mark.parametrize(
    ("lines", "path", "verdict"),
    [
        (["*", "!*/", "!*.md"], "docs/", False),
        (["*", "!*/", "!*.md"], "docs/a.md", False),
        (["*", "!*/", "!*.md"], "docs/a.txt", True),
        (["a/**"], "a/", None),
        (["a/**"], "a/b/", True),
        (["a/**/"], "a/b", None),
        (["a/**/"], "a/b/", True),
        (["**/"], "a", None),
        (["**/"], "a/", True),
        (["a/**/b"], "a/b", True),
        (["a/**/b"], "a/x/y/b", True),
        (["a/**/*b*/c"], "a/xbx/yby/c", True),
        (["[[]"], "[", True),
        (["[a"], "[a", None),
        (["[b-a]"], "a", None),
        (["[a-]"], "-", True),
        (["[a-]b"], "-b", True),
        (["[a-]b"], "bb", None),
        (["[a-c]d"], "bd", True),
        (["[a-c]d"], "-d", None),
        (["[a-a]"], "a", True),
        (["[a-"], "a", None),
        (["[\\]]"], "]", True),
        (["[\\]]"], "\\", None),
        (["a*/**/b"], "ab/b", True),
        (["a*/**/b"], "ab/x/b", True),
        (["a*/**/b"], "b", None),
        (["a*b/**/c"], "axb/c", True),
        (["a***b"], "a-b", True),
        (["a"], "a/a", True),
        (["[]]"], "]", True),
        (["[^a]"], "b", True),
        (["x[/]y"], "x/y", None),
        (["a\\"], "a", None),
        (["\\#a"], "#a", True),
        (["\\!a"], "!a", True),
        (["a\\ "], "a ", True),
        (["#a", "", "/", "!", "//", "a//b"], "a", None),
        (["a", "!"], "a/", True),
    ],
)
def test_the_last_pattern_that_names_a_path_decides(lines: list[str], path: str, verdict: bool | None) -> None:
    assert read_patterns(lines, "git").decide(path) is verdict


@pytest.mark.parametrize(
    ("line", "path", "hidden"),
    [
        ("#a", "#a", False),
        ("# a", "# a", False),
        ("a ", "a", True),
        ("a\\ ", "a", False),
        ("!a", "a", False),
        ("/", "/", False),
        ("/a", "a", True),
        ("/a", "b/a", False),
        ("a/", "b/a/", True),
        ("a/", "b/a", False),
        ("b/a", "b/a", True),
        ("b/a", "c/b/a", False),
        ("b/a/", "c/b/a/", False),
    ],
)
def test_a_line_is_a_pattern_or_none(line: str, path: str, hidden: bool) -> None:
    assert bool(read_patterns([line], "git").decide(path)) is hidden


@pytest.mark.parametrize("length", [4_095, 4_096, 4_097])
def test_a_pattern_has_a_length(length: int) -> None:
    assert read_patterns(["a" * length]).hides("a" * length) is (length <= 4_096)


def test_nothing_in_a_hidden_folder_is_let_in_again() -> None:
    assert read_patterns(["dir", "!dir/keep"]).hides("dir/keep")
    assert not read_patterns(["dir/*", "!dir/keep"]).hides("dir/keep")
    assert not read_patterns([]).hides("a")


def test_case_counts_for_git_alone() -> None:
    assert not read_patterns(["*.PEM"], "git").hides("a.pem")
    assert read_patterns(["*.PEM"]).hides("a.pem")


TABLE = json.loads((Path(__file__).parent / "data/globs.json").read_text("utf-8"))


def test_npm_s_library_says_the_same() -> None:
    """700 lists of lines at random, each compared with 29 paths; `data/make_globs.mjs` asked the library."""
    for lines, digits in TABLE["ignore"]:
        read = read_patterns(lines)
        wanted = [path for at, path in enumerate(TABLE["paths"]) if int(digits[at // 4], 16) >> at % 4 & 1]
        assert [path for path in TABLE["paths"] if read.hides(path)] == wanted, lines


@pytest.mark.parametrize(
    ("line", "path", "hidden"),
    [
        ("[!b].ts", "a.ts", False),
        ("[!b].ts", "b.ts", True),
        ("[[:alpha:]]", "a]", True),
        ("[[:alpha:]]", "b", False),
        ("\\d", "7", True),
        ("[\\w]", "7", True),
        ("\\D", "7", False),
        ("[~-!]", "~", False),
        ("[~-\\x]", "~", False),
        ("a?", "a\n", True),
        ("\\t", "\t", True),
        ("[\\t]", "\t", True),
        ("a\\", "a", False),
        ("*.TS", "A.ts", True),
    ],
)
def test_what_npm_s_library_takes_in_its_own_way(line: str, path: str, hidden: bool) -> None:
    assert read_patterns([line]).hides(path) is hidden


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 2_000 + "b",
        "**/" * 1_300 + "x",
        "a/**/" * 800 + "x",
        "*?" * 2_000 + "b",
        "**/*a*a*a*a*a*a*a*a/**/*a*a*a*a*a*a*a*a*b",
        "[a]*" * 1_000 + "b",
        "a" * 254 + "*" + "a" * 254 + "b",
    ],
)
def test_a_pattern_ends_soon(pattern: str) -> None:
    for path in ("a" * 4_000, "a/" * 2_000 + "y", "/".join(["a" * 255] * 16)):
        with limited(60):
            assert not read_patterns([pattern]).hides(path)
            assert not read_patterns([pattern, "!x"]).hides(path)


def test_what_is_beyond_the_limits_is_said() -> None:
    assert within_limits(["a", "# b", "", "c "]) == (["a", "c"], None)
    many, said = within_limits(f"a{n}" for n in range(5_005))
    assert len(many) == 5_000
    assert said is not None
    assert "first 5,000 patterns" in said
    assert within_limits(["a"] + [""] * 100_000) == (["a"], None)
    assert within_limits([""] * 99_999 + ["a"]) == (["a"], None)
    assert within_limits([""] * 100_000 + ["a"]) == ([], "only its first 100,000 lines are read")
    large, said = within_limits(["x" * 4_000] * 100)
    assert len(large) == 65
    assert said is not None
    for more, is_said in ((-1, False), (0, False), (1, True)):
        assert (within_limits(["a"] * (5_000 + more))[1] is not None) is is_said
        assert (within_limits(["x" * 4_096] * 63 + ["x" * 4_095, "x" * (1 + more)])[1] is not None) is is_said
    kept, said = within_limits([" " * 1_200_000 + "x", "a"])
    assert kept == ["a"]
    assert said == "1 of its patterns are not used: they are longer than 4,096 characters"


@settings(deadline=None)
@given(st.lists(st.text(max_size=30), max_size=4), st.text(max_size=20))
def test_any_text_can_be_read_as_patterns(lines: list[str], path: str) -> None:
    assert read_patterns(lines).hides(path) in (True, False)
