"""Where the keys and values of TOML stand, to the character."""

from __future__ import annotations

import pytest

from promptscope_engine.formats.toml_places import Place, no_places, toml_places

TEXT = """\
a = 1
 [b.c]
d = "x"  # said
e = [1, { f = 'y' }]
"""


@pytest.mark.parametrize(
    ("path", "position", "written"),
    [
        (("a",), (1, 1), "1"),
        (("b", "c", "d"), (3, 1), '"x"'),
        (("b", "c", "e"), (4, 1), "[1, { f = 'y' }]"),
        (("b", "c", "e", "0"), (4, 6), "1"),
        (("b", "c", "e", "1"), (4, 9), "{ f = 'y' }"),
        (("b", "c", "e", "1", "f"), (4, 11), "'y'"),
    ],
)
def test_a_value_stands_where_it_is_written(path: tuple[str, ...], position: tuple[int, int], written: str) -> None:
    places = toml_places(TEXT)
    place = places.place(path)
    assert place is not None
    assert places.position(place.key) == position
    assert TEXT[place.value : place.end] == written


def test_a_table_stands_at_its_header() -> None:
    places = toml_places(TEXT)
    header = Place(TEXT.index("["), -1, -1)
    assert places.place(("b", "c")) == places.place(("b",)) == header
    assert places.position(header.key) == (2, 2)
    assert places.place(("c",)) is None


def test_a_text_whose_places_are_not_sure_has_lines_all_the_same() -> None:
    assert no_places(TEXT).place(("a",)) is None
    assert no_places(TEXT).position(len(TEXT) - 1) == (4, 21)
