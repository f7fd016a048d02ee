"""The orders of `localeCompare`, by default and with `numeric` and `sensitivity: "base"`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.javascript.collation import compare_base, locale_order

SPEC_ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
ASCII = st.text(st.characters(max_codepoint=127), max_size=6)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def ordered(*given_names: str) -> list[str]:
    return [given_names[n] for n in locale_order(given_names)]


def test_ascii_stands_in_the_order_of_the_spec() -> None:
    assert "".join(ordered(*sorted(SPEC_ORDER))) == SPEC_ORDER


@pytest.mark.slow
def test_the_whole_table_agrees_on_ascii() -> None:
    """One name that is not ASCII decides which table is used for all."""
    assert "".join(ordered(*sorted(SPEC_ORDER), "é")).replace("é", "") == SPEC_ORDER


def test_numbers_are_text_by_default() -> None:
    assert ordered("2-x", "10-x") == ["10-x", "2-x"]
    assert compare_base("2-x", "10-x") < 0


def test_accents_differ_after_letters_and_case_after_accents() -> None:
    assert ordered("ea", "é", "ef", "e") == ["e", "é", "ea", "ef"]
    assert ordered("Zed", "Opal", "zed", "ant") == ["ant", "Opal", "zed", "Zed"]
    assert ordered("É", "Zed", "é", "zed") == ["é", "É", "zed", "Zed"]
    assert compare_base("É", "e") == 0


def test_scripts_follow_each_other() -> None:
    assert ordered("中", "я", "α", "z") == ["z", "α", "я", "中"]


def test_zero_width_space_and_control_characters_do_not_count() -> None:
    for mark in "\u200b\x01":
        assert ordered(f"a{mark}b", "ab") == [f"a{mark}b", "ab"]
        assert ordered("ab", f"a{mark}b") == ["ab", f"a{mark}b"]


@given(st.lists(NAMES, max_size=8))
def test_it_is_a_total_order(given_names: list[str]) -> None:
    """Sorting does not depend on where it starts, but for ties."""
    forward, backward = ordered(*given_names), ordered(*reversed(given_names))
    for one, other in zip(forward, backward, strict=True):
        assert ordered(one, other) == [one, other]
        assert ordered(other, one) == [other, one]


@given(st.text(SPEC_ORDER, min_size=1), st.text(SPEC_ORDER, min_size=1))
def test_ascii_names_compare_by_place_in_the_spec(one: str, other: str) -> None:
    by_spec = [SPEC_ORDER.index(c) for c in one] < [SPEC_ORDER.index(c) for c in other]
    assert (one != other and ordered(other, one) == [one, other]) == by_spec


@given(ASCII, ASCII)
def test_the_short_table_agrees_with_the_whole_one(one: str, other: str) -> None:
    # A letter beyond ASCII in front of both calls for the whole table and changes nothing else.
    assert compare_base(one, other) == compare_base("é" + one, "é" + other)


@given(st.text(max_size=6), st.text(max_size=6))
def test_comparing_is_antisymmetric(one: str, other: str) -> None:
    assert compare_base(one, other) == -compare_base(other, one)


def test_ascii_names_do_not_load_the_table() -> None:
    code = (
        "import sys; from promptscope_engine.javascript.collation import locale_order, compare_base; "
        "locale_order(['a', 'B']); compare_base('a', 'B'); sys.exit('pyuca' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_numbers_stand_among_other_names_where_digits_do() -> None:
    assert compare_base("file-1", "filea") < 0
    assert compare_base("a1", "a_") > 0
    assert compare_base("a1", "ab") < 0
    assert compare_base("a9", "a10") < 0
    assert compare_base("a01", "a1") == 0
    assert compare_base("é1", "éa") < 0
    assert compare_base("é1", "é_") > 0
    assert compare_base("a⁰", "a0") == 0
    assert compare_base("a9b2", "a9b10") < 0


def test_a_number_counts_however_long_it_is() -> None:
    assert compare_base("1" + "0" * 5_000, "9" * 5_000) > 0
    assert compare_base("1" + "0" * 4_999, "9" * 5_000) < 0
