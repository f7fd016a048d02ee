"""Where exact parts are in a text, and what is between them."""

from __future__ import annotations

import pytest

from promptscope_engine.insight import alignment
from promptscope_engine.insight.alignment import Item, aligned


def spans(items: list[Item], text: str) -> list[str | None]:
    return [None if span is None else text[slice(*span)] for span in aligned(items, text)]


def prose(size: float) -> Item:
    return Item(None, size)


def test_prose_lies_between_what_is_exact() -> None:
    items = [Item("# A\n"), prose(5), Item("\n\n# B\n"), prose(5)]
    assert spans(items, "# A\nhello\n\n# B\nworld") == ["# A\n", "hello", "\n\n# B\n", "world"]


def test_of_several_places_the_one_counts_that_fits_the_expected_sizes() -> None:
    text = "aa\n\nbbbb\n\ncccccc"
    assert spans([prose(8), Item("\n\n"), prose(6)], text) == ["aa\n\nbbbb", "\n\n", "cccccc"]
    assert spans([prose(2), Item("\n\n"), prose(12)], text) == ["aa", "\n\n", "bbbb\n\ncccccc"]


def test_prose_beside_a_part_that_was_not_sent_is_not_certain() -> None:
    items = [Item("# A\n"), prose(5), Item("[gone]"), prose(5), Item("\n# B\n"), prose(3)]
    assert spans(items, "# A\nhello world\n# B\nend") == ["# A\n", None, None, None, "\n# B\n", "end"]


def test_a_text_with_too_many_places_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine places from the start, and from each of them to the end; and once from the start to the end."""
    items = [prose(2), Item("x"), prose(2)]
    monkeypatch.setattr(alignment, "MAX_STEPS", 19)
    assert set(aligned(items, "x" * 9)) != {None}
    monkeypatch.setattr(alignment, "MAX_STEPS", 18)
    assert set(aligned(items, "x" * 9)) == {None}


@pytest.mark.parametrize(("size", "is_found"), [(2_039, True), (2_040, True), (2_041, False)])
def test_prose_may_be_four_times_as_long_as_expected_and_so_much_longer(size: int, is_found: bool) -> None:
    found = spans([Item("#"), prose(10), Item("=")], "#" + "x" * size + "=")
    assert (found == ["#", "x" * size, "="]) is is_found


@pytest.mark.parametrize(("size", "is_found"), [(399, True), (400, True), (401, False)])
def test_so_much_may_stand_between_neighbours(size: int, is_found: bool) -> None:
    found = spans([Item("#" * 50), Item("=" * 50)], "#" * 50 + "x" * size + "=" * 50)
    assert (found == ["#" * 50, "=" * 50]) is is_found


@pytest.mark.parametrize(("off", "is_found"), [(999, True), (1_000, True), (1_001, False)])
def test_a_part_that_stands_far_from_where_it_is_expected_is_another_one(off: int, is_found: bool) -> None:
    """Left out it costs 2,000 and its length; where it is, each of its neighbours is so much off."""
    found = spans([prose(off), Item("##"), prose(0)], "##" + "x" * off)
    assert (found[1] == "##") is is_found


@pytest.mark.parametrize(("gone", "is_found"), [("ABC", True), ("ABCD", False)])
def test_three_parts_in_a_row_may_be_left_out(gone: str, is_found: bool) -> None:
    """They are in front of the first part, in the other order: none of them is where it is expected."""
    items = [Item("#" * 50), *map(Item, gone), Item("=")]
    found = spans(items, gone[::-1] + "#" * 50 + "=")
    assert (found[0] == "#" * 50) is is_found


@pytest.mark.parametrize(("size", "last"), [(3_999, 3_998), (4_000, 3_999), (4_001, 3_999)])
def test_only_the_first_places_of_a_part_are_looked_at(size: int, last: int) -> None:
    assert aligned([prose(size), Item("x")], "x" * size)[1] == (last, last + 1)


def test_parts_that_are_empty_or_not_there_have_no_place() -> None:
    assert aligned([], "text") == []
    assert aligned([prose(3)], "text") == [(0, 4)]
    assert aligned([Item("#"), Item("")], "#") == [(0, 1), (1, 1)]
    assert aligned([Item("gone"), prose(3)], "text") == [None, None]
