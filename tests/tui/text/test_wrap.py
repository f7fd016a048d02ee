"""Rows fit, and joined they are the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from promptscope_tui.text.escape import visible
from promptscope_tui.text.wrap import Wrapped, break_line, wrap

words = st.text(st.sampled_from("abc  -.字的é👩\u0301\t\r\x1b\u200d→"), max_size=120)
texts = words | st.text(max_size=80)
widths = st.integers(2, 40)


def rows(line: str, width: int) -> list[str]:
    starts, _ = break_line(line, width)
    return [line[a:b] for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


@given(texts, widths)
def test_rows_joined_are_the_line_and_none_is_too_wide(text: str, width: int) -> None:
    line = visible(text)
    starts, hang = break_line(line, width)
    found = rows(line, width)
    assert "".join(found) == line
    assert starts == tuple(sorted(set(starts)))
    for number, row in enumerate(found):
        assert cell_len(row.rstrip(" ")) + (hang if number else 0) <= width


@given(st.lists(words, max_size=6).map("\n".join), widths)
def test_every_row_of_a_text_is_found(text: str, width: int) -> None:
    wrapped = Wrapped(text, width)
    joined = [""] * len(wrapped.lines)
    for row in range(wrapped.rows):
        line, sub = wrapped.locate(row)
        start, end = wrapped.span(line, sub)
        assert wrapped.row_at(line, start) == row
        joined[line] += wrapped.lines[line][start:end]
    assert joined == wrapped.lines
    assert wrapped.lines == [visible(line) for line in wrapped.raw_lines]
    assert "\n".join(wrapped.raw_lines) in (text, text[:-1])


@given(st.lists(words, max_size=6).map("\n".join), st.data())
def test_lines_and_offsets_belong_together_in_whatever_order_they_are_asked_for(text: str, data: st.DataObject) -> None:
    wrapped = Wrapped(text, 20)
    starts = [sum(len(line) + 1 for line in wrapped.raw_lines[:n]) for n in range(len(wrapped.raw_lines))]
    for line in data.draw(st.lists(st.integers(0, len(starts) - 1), max_size=3)):
        assert wrapped.line_start(line) == starts[line]
    for offset in data.draw(st.permutations(range(len(text) + 1))):
        assert wrapped.line_at(offset) == max(n for n, start in enumerate(starts) if start <= offset)
    assert [wrapped.line_start(n) for n in range(len(starts))] == starts


@pytest.mark.parametrize("odd", ["a\tb", "\x1b[1m", "\x7f", "字" * 9, "é" * 21, "x" * 21, "a\u202eb", "plain"])
def test_a_line_that_needs_a_look_gets_it_among_many_that_do_not(odd: str) -> None:
    wrapped = Wrapped("\n".join(["plain"] * 50 + [odd] + ["plain"] * 50), 20)
    rows = len(break_line(visible(odd), 20).starts)
    assert wrapped.lines == ["plain"] * 50 + [visible(odd)] + ["plain"] * 50
    assert wrapped.rows == 100 + rows
    assert wrapped.locate(50 + rows) == (51, 0)


def test_words_stay_whole_and_spaces_hang() -> None:
    assert rows("one two three", 7) == ["one two ", "three"]
    assert rows("exactly", 7) == ["exactly"]
    assert rows("trailing   ", 8) == ["trailing   "]


def test_a_list_item_keeps_its_indentation() -> None:
    assert rows("  - one two three", 10) == ["  - one ", "two ", "three"]
    assert break_line("  - one two three", 10).hang == 4
    assert break_line("12. alpha beta", 9).hang == 4


@pytest.mark.parametrize("width", [4, 5])
def test_long_words_are_broken(width: int) -> None:
    assert rows("x" * 12, width)[0] == "x" * width


def test_wide_characters_break_anywhere_but_not_in_half() -> None:
    assert rows("字字字字", 5) == ["字字", "字字"]
    assert rows("see 文字", 6) == ["see 文", "字"]


def test_a_mark_may_be_broken_but_not_lost() -> None:
    assert "".join(rows(visible("ab\u202ecd"), 6)) == "ab⟪U+202E⟫cd"


def test_the_same_text_is_wrapped_once() -> None:
    assert wrap("a b c", 3) is wrap("a b c", 3)
    assert wrap("a b c", 3) is not wrap("a b c", 4)
