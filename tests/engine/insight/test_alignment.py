"""Where exact parts stand in a text, and what lies between them."""

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
    items = [prose(2), Item("x"), prose(2)]
    assert set(aligned(items, "x" * 9)) != {None}
    monkeypatch.setattr(alignment, "MAX_STEPS", 8)
    assert set(aligned(items, "x" * 9)) == {None}
