"""What a terminal printed, as it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.terminal import truncate_output
from promptscope_engine.agents.roo.user_messages import compress_output

OUTPUT = st.text(st.sampled_from("ab \n\r\b😀é"), max_size=60)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("10%\r50%\r100%\n", "100%\n"),
        ("long line\rab", "abng line"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("\rabc\r\r", "abc"),
        ("abc\r\nabc\rx", "abc\nxbc"),
        # The pair at the seam is whole, and still its first half becomes a space.
        ("a😀b\rx", "x \ude00b"),
        ("a😀\rx", "x \ude00"),
        ("ab😀\rxx", "xx \ude00"),
        # A lone half at the end stays, as nothing lies behind it.
        ("a\ud83d\rx", "x\ud83d"),
        ("a\ud83db\rx", "x b"),
        ("abc\r\ud83d", "\ud83d c"),
    ],
)
def test_carriage_returns_overwrite(printed: str, shown: str) -> None:
    assert compress_output(printed) == shown


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_500_lines_and_50000_units_are_kept(more: int) -> None:
    lines = "\n".join(map(str, range(500 + more)))
    assert ("\n[...1 lines omitted...]\n" in compress_output(lines)) is (more == 1)
    assert (compress_output(lines) == lines) is (more < 1)
    units = "ab" * 25_000 + "c" * more if more >= 0 else "ab" * 25_000
    assert ("\n[...1 characters omitted...]\n" in compress_output(units)) is (more == 1)
    assert compress_output(lines, line_limit=0) == lines


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("ab\bc", "ac"),
        ("abc\b\b\bd", "d"),
        ("\bab", "ab"),
        ("\b\b\b", ""),
        ("ab\b\b\b\bc\bd", "d"),
        ("a\n\bb", "ab"),
    ],
)
def test_backspaces_delete(printed: str, shown: str) -> None:
    assert compress_output(printed) == shown


def test_a_last_line_without_a_newline_is_no_repeat() -> None:
    line = "x" * 60
    assert compress_output(f"{line}\n{line}") == f"{line}\n{line}"


def test_a_note_has_to_be_shorter_than_what_it_stands_for() -> None:
    note = "<previous line repeated 1 additional times>\n"
    enough, short = "x" * (len(note) // 2) + "\n", "x" * (len(note) // 2 - 1) + "\n"
    assert compress_output(enough * 2 + "y") == enough + note + "y"
    assert compress_output(short * 2 + "y") == short * 2 + "y"
    # At the very end the first of the lines does not count as saved.
    assert compress_output(enough * 2) == enough * 2
    long, longer = "x" * (len(note) - 1) + "\n", "x" * len(note) + "\n"
    assert compress_output(long * 2) == long * 2
    assert compress_output(longer * 2) == longer + note


def test_the_character_limit_comes_before_the_line_limit() -> None:
    text = "".join(f"{n}23456789\n" for n in range(9)) + "e"
    assert compress_output(text, 5, 10) == "02\n[...81 characters omitted...]\n456789\ne"


def test_the_usual_limit_is_fifty_thousand_characters() -> None:
    assert compress_output("x" * 50_000) == "x" * 50_000
    assert "[...1 characters omitted...]" in compress_output("x" * 50_001)


def test_zero_is_no_limit() -> None:
    text = "".join(f"{n}\n" for n in range(700))
    assert compress_output(text, 0, 0) == text


def test_cutting_through_a_character_leaves_its_halves() -> None:
    assert compress_output("😀" * 10, 500, 5) == "\ud83d\n[...15 characters omitted...]\n😀😀"


@given(OUTPUT, st.integers(1, 12), st.integers(1, 40))
def test_what_is_kept_never_exceeds_the_limits(text: str, lines: int, characters: int) -> None:
    shown = compress_output(text, lines, characters)
    if " characters omitted...]" in shown:
        head, _, tail = shown.partition("\n[...")
        assert _units(head) + _units(tail.partition("...]\n")[2]) == characters
    else:
        assert _units(shown.replace("\n[...", "").partition(" lines omitted")[0]) <= characters
        kept = shown.count("\n") + 1
        assert kept <= lines + (3 if " lines omitted...]\n\n" in shown else 0)


@given(st.text(st.sampled_from("abc"), max_size=30))
def test_plain_short_output_is_shown_as_it_is(text: str) -> None:
    assert compress_output(text) == text


@given(st.lists(st.sampled_from(["a", "bb", ""]), max_size=30), st.integers(1, 9))
def test_the_ends_of_a_cut_text_are_its_own(lines: list[str], limit: int) -> None:
    text = "\n".join(lines)
    cut = truncate_output(text, limit)
    head, _, tail = cut.partition("\n[...")
    if tail:
        assert text.startswith(head)
        assert text.endswith(tail.partition("omitted...]\n\n")[2])
        assert int(tail.split()[0]) == len(text.split("\n")) - limit
    else:
        assert cut == text
