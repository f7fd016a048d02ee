"""The order of rule files is ICU's root order (specs/roo.md 4.4)."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.collation import sort_keys

SPEC_ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def ordered(*given_names: str) -> list[str]:
    keys = sort_keys(given_names)
    return [given_names[n] for n in sorted(range(len(given_names)), key=keys.__getitem__)]


def test_ascii_stands_in_the_order_of_the_spec() -> None:
    assert "".join(ordered(*sorted(SPEC_ORDER))) == SPEC_ORDER


def test_the_whole_table_agrees_on_ascii() -> None:
    """One name that is not ASCII decides which table is used for all."""
    assert "".join(ordered(*sorted(SPEC_ORDER), "é")).replace("é", "") == SPEC_ORDER


def test_numbers_are_text() -> None:
    assert ordered("2-x", "10-x") == ["10-x", "2-x"]


def test_accents_differ_after_letters() -> None:
    assert ordered("ea", "é", "ef", "e") == ["e", "é", "ea", "ef"]


def test_scripts_follow_each_other() -> None:
    assert ordered("中", "я", "α", "z") == ["z", "α", "я", "中"]


def test_zero_width_space_and_control_characters_do_not_count() -> None:
    first, second = sort_keys(["a\u200bb", "ab"])
    assert first == second
    first, second = sort_keys(["a\x01b", "ab"])
    assert first == second


def test_case_is_a_tie() -> None:
    assert ordered("X.md", "x.md") == ["X.md", "x.md"]
    assert ordered("x.md", "X.md") == ["x.md", "X.md"]


@given(st.lists(names, max_size=8))
def test_it_is_a_total_order(given_names: list[str]) -> None:
    """Sorting does not depend on where it starts, but for ties."""
    keys = dict(zip(given_names, sort_keys(given_names), strict=True))
    forward = [keys[n] for n in ordered(*given_names)]
    backward = [keys[n] for n in ordered(*reversed(given_names))]
    assert forward == backward == sorted(keys[n] for n in given_names)


@given(st.text(SPEC_ORDER, min_size=1), st.text(SPEC_ORDER, min_size=1))
def test_ascii_names_compare_by_place_in_the_spec(one: str, other: str) -> None:
    by_spec = [SPEC_ORDER.index(c) for c in one] < [SPEC_ORDER.index(c) for c in other]
    first, second = sort_keys([one, other])
    assert (first < second) == by_spec


def test_ascii_names_do_not_load_the_table() -> None:
    code = (
        "import sys; from promptscope_engine.agents.roo.collation import sort_keys; "
        "sort_keys(['a', 'B']); sys.exit('pyuca' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
