"""Nothing in a file reaches the terminal as anything but text."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size

from promptscope_tui.text.escape import reveal, visible

FORBIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
any_text = st.text(st.characters(codec=None), max_size=60)
nasty = st.text(
    st.sampled_from("ab \t\r\n\x1b\x00\x7f\x9b\u200b\u200d\u202e\u2066\ufeff\ufe0f\U000e0041\ud83d👩⚠字é1\u20e3")
)


@given(any_text | nasty)
def test_no_control_survives(text: str) -> None:
    assert not {unicodedata.category(c) for c in visible(text)} & FORBIDDEN


@given(any_text | nasty)
def test_a_second_time_changes_nothing(text: str) -> None:
    once = visible(text)
    assert visible(once) == once


@given(any_text | nasty)
def test_a_string_is_as_wide_as_its_characters(text: str) -> None:
    shown = visible(text)
    assert cell_len(shown) == sum(map(get_character_cell_size, shown))


@given(any_text | nasty)
def test_columns_go_there_and_back(text: str) -> None:
    line = reveal(text)
    assert line.shown(len(text)) == len(line.text)
    shown = [line.shown(raw) for raw in range(len(text) + 1)]
    assert shown == sorted(shown)
    for raw in range(len(text)):
        if shown[raw + 1] > shown[raw]:
            assert line.raw(shown[raw]) == raw
            assert line.raw(shown[raw + 1] - 1) == raw


def test_every_character_of_a_forbidden_kind_is_known() -> None:
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in FORBIDDEN:
            assert visible(f"a{chr(code)}b") != f"a{chr(code)}b", f"U+{code:04X}"


def test_marks() -> None:
    assert visible("a\x1b[31mb\r") == "a␛[31mb␍"
    assert visible("one\ntwo") == "one␊two"
    assert visible("pass\u200bword\u202e") == "pass⟪U+200B⟫word⟪U+202E⟫"
    assert visible("\ufeff# Title\ud83d") == "⟪U+FEFF⟫# Title⟪U+D83D⟫"
    assert visible("\U000e0041\u2028") == "⟪U+E0041⟫⟪U+2028⟫"


def test_tabs_reach_the_next_stop_in_cells() -> None:
    assert visible("\tx") == "→   x"
    assert visible("ab\tx") == "ab→ x"
    assert visible("字\tx") == "字→ x"


def test_emoji_sequences_keep_their_parts() -> None:
    assert visible("👩\u200d👧") == "👩‿👧"
    assert visible("⚠\ufe0f Mind 1\ufe0f\u20e3") == "⚠ Mind 1\u20e3"
    assert visible("a\u200db") == "a⟪U+200D⟫b"
    assert visible("a\ufe0fb") == "a⟪U+FE0F⟫b"
