"""Pieces keep the place they came from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Piece, builtin, file_text, guarded, label, traced_lines, trimmed_file
from promptscope_engine.prompt.leaves import flag


def stands_in_its_lines(piece: Piece, whole: str) -> bool:
    """CONTRACT's invariant: a file fragment is verbatim in its decoded lines."""
    start, end = piece.origin.start_line, piece.origin.end_line
    assert start is not None
    assert end is not None
    return piece.text in "\n".join(whole.split("\n")[start - 1 : end])


@given(st.text(alphabet="ab \n\r\t\ufeff"))
def test_a_trimmed_file_knows_its_lines(whole: str) -> None:
    assert stands_in_its_lines(trimmed_file("/f", whole, whole.strip()), whole)


@given(st.text(alphabet="ab:- \n"), st.text(alphabet="ab:- \n"), st.integers(1, 5))
def test_traced_lines_join_to_the_value_and_are_verbatim(whole: str, value: str, first: int) -> None:
    pieces = list(traced_lines("/f", whole, value, first, "mode.x.role"))
    assert "".join(p.text for p in pieces) == value
    for piece in pieces:
        assert piece.origin.kind in ("file", "computed")
        if piece.origin.kind == "file":
            assert stands_in_its_lines(piece, whole)


def test_a_yaml_block_is_traced_line_by_line() -> None:
    whole = "customModes:\n  - slug: docs\n    roleDefinition: |-\n      You write.\n      Briefly.\n"
    pieces = list(traced_lines("/m", whole, "You write.\nBriefly.", 3, "mode.docs.role"))
    assert [(p.text, p.origin.start_line) for p in pieces if p.origin.kind == "file"] == [
        ("You write.", 4),
        ("Briefly.", 5),
    ]


def test_guarding_adds_to_what_guards_already() -> None:
    first, second = guarded([label("x"), builtin("b", "y", when=flag("one"))], flag("two"))
    assert first.when == flag("two")
    assert second.when == flag("two") & flag("one")
    assert file_text("/f", "a\nb", 3).origin.end_line == 4
    assert label("x").when is ALWAYS


def test_a_line_above_the_value_is_not_taken_for_it() -> None:
    (piece,) = traced_lines("/m", "same\nsame\n", "same", 2, "mode.docs.role")
    assert piece.origin.start_line == 2
