"""Rows of spans as text that can be cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from promptscope_engine.prompt.drafts import Span, file_text, label
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Origin
from promptscope_engine.prompt.spans import (
    Spans,
    cut,
    joined,
    replaced,
    replaced_in_javascript,
    trimmed_end,
    trimmed_spans,
)

ROW = (label("ab"), file_text("/f", "one\ntwo\nend", 5), label("yz", when=flag("x")))


def told(spans: tuple[Span, ...]) -> list[tuple[str, int | None, int | None]]:
    """The text and the lines of each span."""
    return [(span.text, span.origin.start_line, span.origin.end_line) for span in spans]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 15, [("ab", None, None), ("one\ntwo\nend", 5, 7), ("yz", None, None)]),
        (0, 99, [("ab", None, None), ("one\ntwo\nend", 5, 7), ("yz", None, None)]),
        (1, 14, [("b", None, None), ("one\ntwo\nend", 5, 7), ("y", None, None)]),
        (2, 13, [("one\ntwo\nend", 5, 7)]),
        (3, 13, [("ne\ntwo\nend", 5, 7)]),
        (6, 9, [("two", 6, 6)]),  # behind the first line break
        (5, 9, [("\ntwo", 5, 6)]),
        (6, 10, [("two\n", 6, 7)]),
        (10, 13, [("end", 7, 7)]),
        (2, 3, [("o", 5, 5)]),
        (13, 14, [("y", None, None)]),
        (4, 4, []),
        (15, 20, []),
    ],
)
def test_a_stretch_keeps_its_origin_and_its_lines(start: int, end: int, expected: object) -> None:
    found = cut(ROW, start, end)
    assert told(found) == expected
    assert joined(found) == joined(ROW)[start:end]
    assert all(span.when is ROW[2].when for span in found if span.text[0] in "yz")


def test_what_is_whole_is_the_same_span() -> None:
    assert [span is whole for span, whole in zip(cut(ROW, 0, 14), ROW, strict=True)] == [True, True, False]


def test_spans_are_put_in_the_place_of_characters() -> None:
    new = (label("NEW"),)
    assert joined(replaced(ROW, [(2, 13, new)])) == "abNEWyz"
    assert joined(replaced(ROW, [(0, 0, new)])) == f"NEW{joined(ROW)}"
    assert joined(replaced(ROW, [(15, 15, new)])) == f"{joined(ROW)}NEW"
    assert joined(replaced(ROW, [(1, 14, new)])) == "aNEWz"


def test_stretches_are_replaced_one_behind_the_other() -> None:
    new = label("NEW")
    found = replaced(ROW, [(0, 1, ()), (3, 8, (new,)), (8, 8, (new,)), (12, 14, ())])
    assert told(found) == [
        ("b", None, None),
        ("o", 5, 5),
        ("NEW", None, None),
        ("NEW", None, None),
        ("o\nen", 6, 7),
        ("z", None, None),
    ]
    assert replaced(ROW, []) == ROW
    assert joined(replaced(ROW, [(0, 15, (new,))])) == "NEW"


def test_white_space_around_all_spans_is_cut() -> None:
    row = (label(" \n"), file_text("/f", "\na \n", 3), label(" b"), label("\ufeff "))
    assert told(trimmed_spans(row)) == [("a \n", 4, 5), (" b", None, None)]
    assert joined(trimmed_end(row)) == " \n\na \n b"
    assert trimmed_spans((label(" "),)) == ()


VALUE = Origin("param", name="mode")
snippets = st.lists(st.sampled_from(["{{a}}", "{{b}}", "$", "$&", "$`", "$'", "$$", "$1", "x", "\n", "{{", "}}"]))


def js_replace(text: str, placeholder: str, value: str) -> str:
    """`text.replace(/placeholder/g, value)`, written down from ECMAScript's GetSubstitution."""

    def expand(match: re.Match[str]) -> str:
        out, at = "", 0
        while at < len(value):
            two = value[at : at + 2]
            if two == "$$":
                out, at = out + "$", at + 2
            elif two == "$&":
                out, at = out + match[0], at + 2
            elif two == "$`":
                out, at = out + text[: match.start()], at + 2
            elif two == "$'":
                out, at = out + text[match.end() :], at + 2
            else:
                out, at = out + value[at], at + 1
        return out

    return re.sub(re.escape(placeholder), expand, text)


@given(snippets.map("".join), snippets.map("".join), snippets.map("".join))
@example("{{a}} and {{b}}", "$`{{b}}$'", "$$$&")
def test_substitution_is_that_of_javascript(text: str, first: str, second: str) -> None:
    spans: Spans = (file_text("/f", text, 1),)
    for placeholder, value in (("{{a}}", first), ("{{b}}", second)):
        spans = replaced_in_javascript(spans, placeholder, (Span(value, VALUE),))
    wanted = js_replace(js_replace(text, "{{a}}", first), "{{b}}", second)
    assert joined(spans) == wanted
    assert all(span.text in text for span in spans if span.origin.kind == "file")
