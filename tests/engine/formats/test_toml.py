"""TOML under limits, and where its keys and values are."""

from __future__ import annotations

import pytest

from promptscope_engine.formats.toml import Place, TomlError, read_toml, toml_places


def test_a_text_is_read_behind_its_byte_order_mark() -> None:
    assert read_toml("\ufeffa = 1\n", 10) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a = 1\nb = \n", "this is not valid TOML: Invalid value", 2),
        ("a = 1\n" * 40, "240 characters are too many to be parsed here (at most 220)", 1),
        ("a = " + "[" * 150 + "]" * 40, "this is not valid TOML: ", 1),
        (".".join("a" * 60) + " = {" + ".".join("b" * 38) + ".c.d.e.f.g = 1}", "it is nested more than", 1),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str, line: int) -> None:
    with pytest.raises(TomlError) as error:
        read_toml(text, 220)
    assert error.value.message.startswith(message)
    assert error.value.line in (line, None)


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
    unsure = toml_places(f"{TEXT}]")  # it is no TOML
    assert unsure.place(("a",)) is None
    assert unsure.position(len(TEXT) - 1) == (4, 21)
