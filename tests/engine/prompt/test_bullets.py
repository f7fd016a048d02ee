"""A text in its bullets and paragraphs."""

from __future__ import annotations

import pytest

from promptscope_engine.prompt.bullets import units


def told(text: str) -> list[tuple[int, int, bool]]:
    """The first and the last line of each unit, and whether it is a bullet."""
    lines = text.split("\n")
    found = list(units(text))
    assert [unit.text for unit in found] == ["\n".join(lines[unit.first : unit.last + 1]) for unit in found]
    return [(unit.first, unit.last, unit.is_bullet) for unit in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", []),
        ("one", [(0, 0, False)]),
        ("one\ntwo", [(0, 1, False)]),
        ("one\n\ntwo", [(0, 0, False), (2, 2, False)]),
        ("\none\n", [(1, 1, False)]),
        ("# Title\none\n## More\ntwo", [(1, 3, False)]),
        ("# Title\n# Title\none", [(2, 2, False)]),
        ("====\n<tag>\n| a |\none", [(3, 3, False)]),
        ("one\n- a", [(0, 0, False), (1, 1, True)]),
        ("one\n```\ncode\n```\ntwo", [(0, 0, False), (4, 4, False)]),
        ("```\n- a\n```\n- b", [(3, 3, True)]),
        ("~~~\n```\n- a\n~~~\n- b", [(4, 4, True)]),
        ("```\n- a", []),
        ("  ```\n- a\n  ```\nb", [(3, 3, False)]),
        ("- a", [(0, 0, True)]),
        ("- a\n- b", [(0, 0, True), (1, 1, True)]),
        ("- a\n  - b\n- c", [(0, 1, True), (2, 2, True)]),
        ("  - a\n- b", [(0, 0, True), (1, 1, True)]),
        ("- a\nlazy\n- b", [(0, 1, True), (2, 2, True)]),
        ("- a\n# Title", [(0, 0, True)]),
        ("- a\n  # Title", [(0, 1, True)]),
        ("- a\n```\ncode\n```", [(0, 0, True)]),
        ("- a\n\n  more", [(0, 2, True)]),
        ("- a\n\n\n  more", [(0, 3, True)]),
        ("- a\n\n\n\n  more", [(0, 0, True), (4, 4, False)]),
        ("- a\n\nmore", [(0, 0, True), (2, 2, False)]),
        ("- a\n\n- b", [(0, 0, True), (2, 2, True)]),
        ("- a\n\n", [(0, 0, True)]),
        ("- a\n\n \n", [(0, 0, True)]),
        ("  - a\n\n  more", [(0, 0, True), (2, 2, False)]),
        ("  - a\n\n   more", [(0, 2, True)]),
        ("\t- a\n    - b\n     - c", [(0, 0, True), (1, 2, True)]),
        ("\t- a\n     - b", [(0, 1, True)]),  # a tab is four spaces
        ("    - a\n\t- b", [(0, 0, True), (1, 1, True)]),
        ("```py\n- a\n```\n- b", [(3, 3, True)]),
        ("* a\n• b\n1. c\n123) d", [(0, 0, True), (1, 1, True), (2, 2, True), (3, 3, True)]),
        ("1234. a\n-b\n- \n+ c", [(0, 3, False)]),
    ],
)
def test_units(text: str, expected: list[tuple[int, int, bool]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_text_that_is_too_long_is_not_divided(more: int) -> None:
    assert bool(told("x" * (200_000 + more))) is (more <= 0)
