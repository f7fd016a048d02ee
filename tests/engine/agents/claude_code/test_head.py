"""The frontmatter that a file begins with: where it ends, how much is read, and what is wrong with it."""

from __future__ import annotations

import pytest
from tests.support.limit import limited

from promptscope_engine.agents.claude_code.gather.head import Head, is_within, read_frontmatter
from promptscope_engine.agents.kit.heads import Budget
from promptscope_engine.formats.yaml import weight

V100, V329 = "2.1.100", "2.1.329"


@pytest.mark.parametrize(
    ("text", "values", "length"),
    [
        ("---\na: b\n---\nbody", {"a": "b"}, 13),
        ("---\n---\nbody", {}, 8),
        ("---\n---", {}, 7),
        ("---\na: b\n---", {"a": "b"}, 12),
        ("---\na: b\n---\n\n\n body", {"a": "b"}, 16),
        ("--- \t\r\na: b\r\n--- \r\nbody", {"a": "b"}, 19),
        ("---\na: |\n  x\n  ---\n---\nbody", {"a": "x\n"}, 19),
        ("---\na: b\n----\nbody", {"a": "b"}, 12),
        ("---\na: b\n---x\n---\nbody", {"a": "b"}, 12),
        ("---\na: b --- c\n---\nbody", {"a": "b"}, 13),
        ("---\n\n\na: b\n---\nbody", {"a": "b"}, 15),
        ("---\u00a0\na: b\n---\nbody", {"a": "b"}, 14),
        ("---\na: b\n", {}, 0),
        ("body", {}, 0),
        (" ---\na: b\n---\n", {}, 0),
        ("---a: b\n---\n", {}, 0),
    ],
)
def test_where_a_frontmatter_ends(text: str, values: dict[str, object], length: int) -> None:
    found = read_frontmatter(text, V329)
    assert found.length == length
    if not found.problem:
        assert found.values == values


@pytest.mark.parametrize(
    ("head", "key", "line"),
    [
        ("a: [x", "a", 2),
        ("b: 1\na: {x", "a", 3),
        ("a: [[x]", "a", 2),
        ("a: [[x]\nb: {y", "a", 2),
        ("a: [x]]", None, None),
        ("a: [xxx]]", None, None),
        ("a: [x] y", None, None),
        ("a: b: c", None, None),
        ("a: [x]", None, None),
        ('a: ""', None, None),
    ],
)
@pytest.mark.parametrize("version", [V100, V329])
def test_a_value_that_is_not_closed_has_its_line(version: str, head: str, key: str | None, line: int | None) -> None:
    found = read_frontmatter(f"---\n{head}\n---\n", version)
    assert found.problem == (f"the value of `{key}` is not closed: it counts as a text" if key else None)
    assert found.line == line
    assert "a" in found.values


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('a: "x" & "y" z', '"x" & "y" z'),
        ("a: b: c", "b: c"),
        ("a: b: c ", "b: c "),
        ("a:   @b", "@b"),
        ("a-b_c: *x", "*x"),
        ("a: it's [b", "it's [b"),
        ('a: "x" \\d & y', '"x" \\d & y'),
    ],
)
def test_a_value_with_a_sign_is_tried_once_more_in_quotes(line: str, value: str) -> None:
    found = read_frontmatter(f"---\n{line}\n---\n", V329)
    assert list(found.values.values()) == [value]


@pytest.mark.parametrize(
    "line",
    [
        'a: "x" y', 'a: "x" & "y"', "a: 'x' & 'y'", "a: - x", "a: ? x", "a: x:", 'a: "x', "a: 'don't", "a1: @x",
        "é: @x", " a: b: c", '"a": b: c', 'a:\n  - "x" & y', "a: b: c\r\nb: d: e\r", "a: x\nb", "a: |\n  x\nb: c: d",
        'a: "\\d"', "a: \0",
    ],
)  # fmt: skip
def test_what_cannot_be_mended_takes_everything_with_it(line: str) -> None:
    found = read_frontmatter(f"---\n{line}\nlast: 1\n---\n", V329)
    assert found.values == {}
    assert str(found.problem).endswith(": the whole frontmatter is ignored")


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("[a, b]", ["a", "b"]),
        ("[a, b] # c", "[a, b] # c"),
        ("[a: b: c]", "[a: b: c]"),
        ("{a: b}", "{a: b}"),
        ("&a b", "&a b"),
        ("a # b", "a # b"),
        ("'a: b'", "a: b"),
        ("a", "a"),
    ],
)
def test_beside_a_broken_line_a_good_one_with_a_sign_is_a_text(value: str, meant: object) -> None:
    """Only a list that is well formed stays one."""
    assert read_frontmatter(f"---\nbroken: a: b\nv: {value}\n---\n", V329).values["v"] == meant


@pytest.mark.parametrize(("head", "line"), [("- a\n- [b", 4), ("a: 1\n\n  b: [c", 4), ("a: 1\n b: 2", 3)])
def test_a_frontmatter_that_is_no_yaml_has_the_line_of_its_error(head: str, line: int) -> None:
    found = read_frontmatter(f"---\n{head}\n---\n", V329)
    assert (found.values, found.line) == ({}, line)
    assert found.problem


def test_tabs_that_are_written_out_may_make_a_frontmatter_too_long_to_be_parsed() -> None:
    """Later versions take a tab for two blanks."""
    text = "---\na:\n" + "\t\n" * 30_000 + "---\n"
    older, newer = (read_frontmatter(text, version) for version in (V100, V329))
    assert "90,003 characters are too many" in str(newer.problem)
    assert (newer.line, newer.length) == (2, len(text))
    assert "too many" not in str(older.problem)


def test_a_frontmatter_beyond_the_budget_is_cut_off_and_not_read() -> None:
    text = "---\na: b\n---\nbody"
    problem = "the frontmatter is not read: this is more than 300,000 characters of all files of its kind"
    assert read_frontmatter(text, V329, within_budget=False) == Head({}, 13, problem, 1)
    assert read_frontmatter("body", V329, within_budget=False) == Head()


def test_the_budget_is_used_up_by_what_is_read() -> None:
    text = "---\na: b\n---\nbody"
    cost = weight("a: b\n")
    budget = Budget(2 * cost)
    assert [is_within(budget, text), budget.left] == [True, cost]
    assert [is_within(budget, "no frontmatter"), budget.left] == [True, cost]
    assert [is_within(budget, f"\ufeff{text}"), budget.left] == [True, 0]
    assert [is_within(budget, text), is_within(budget, text), budget.left] == [False, False, -cost]


@pytest.mark.parametrize("line", ["a:" + " " * 60_000 + "\r", "a: " + "x" * 60_000 + "\r", "a: [" + "[ " * 20_000])
def test_broken_lines_are_mended_soon(line: str) -> None:
    with limited(60):
        assert read_frontmatter(f"---\nb: c: d\n{line}\n---\n", V329).length > 0
