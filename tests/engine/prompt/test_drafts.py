"""Spans keep the place they came from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Span, builtin, file_text, guarded, label, traced_lines, trimmed_file
from promptscope_engine.prompt.leaves import flag


def stands_in_its_lines(span: Span, whole: str) -> bool:
    """CONTRACT's invariant: a file fragment is verbatim in its decoded lines."""
    start, end = span.origin.start_line, span.origin.end_line
    assert start is not None
    assert end is not None
    return span.text in "\n".join(whole.split("\n")[start - 1 : end])


@given(st.text(alphabet="ab \n\r\t\ufeff"))
def test_a_trimmed_file_knows_its_lines(whole: str) -> None:
    assert stands_in_its_lines(trimmed_file("/f", whole, whole.strip()), whole)


@given(st.text(alphabet="ab:- \n"), st.text(alphabet="ab:- \n"), st.integers(1, 5))
def test_traced_lines_join_to_the_value_and_are_verbatim(whole: str, value: str, first: int) -> None:
    spans = list(traced_lines("/f", whole, value, first, "mode.x.role"))
    assert "".join(p.text for p in spans) == value
    for span in spans:
        assert span.origin.kind in ("file", "computed")
        if span.origin.kind == "file":
            assert stands_in_its_lines(span, whole)


def test_a_yaml_block_is_traced_line_by_line() -> None:
    whole = "customModes:\n  - slug: docs\n    roleDefinition: |-\n      You write.\n      Briefly.\n"
    spans = list(traced_lines("/m", whole, "You write.\nBriefly.", 3, "mode.docs.role"))
    assert [(p.text, p.origin.start_line) for p in spans if p.origin.kind == "file"] == [
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
    (span,) = traced_lines("/m", "same\nsame\n", "same", 2, "mode.docs.role")
    assert span.origin.start_line == 2
