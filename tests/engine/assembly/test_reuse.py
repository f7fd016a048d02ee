"""Two drafts are the same if an assembly could not show which of them it was made of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from promptscope_engine.assembly.reuse import Alike
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Fact, Facts
from promptscope_engine.prompt.drafts import (
    Choice,
    LazySequence,
    ParameterDraft,
    SectionDraft,
    Span,
    ToolDraft,
    builtin,
    file_text,
)


def _condition(ok: bool = True, actual: Json = True) -> Fact:
    return Fact("flag", "web", ok, "it is on", "it is off", actual=actual)


def _section() -> SectionDraft:
    spans = LazySequence([builtin("a", "One. "), file_text("x.md", "Two.", 3, when=_condition())])
    return SectionDraft("s", "Title", spans, "# Title", _condition())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (True, 1, False),
        (0, False, False),
        (1, 1.0, False),
        ("a", "a", True),
        ({"a": 1, "b": [True]}, {"a": 1, "b": [True]}, True),
        ({"a": 1, "b": [True]}, {"a": 1, "b": [1]}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        ([1], [1, 2], False),
        ((1,), [1], False),
        (_condition(), _condition(), True),
        (_condition(), _condition(actual=1), False),
        (Choice((), "a"), Choice((), "b"), False),
        ({1}, {1}, True),
    ],
)
def test_values(one: object, other: object, expected: bool) -> None:
    assert Alike().values(one, other) is expected
    assert Alike().values(other, one) is expected


@pytest.mark.parametrize(
    "change",
    [
        {"id": "t"},
        {"heading": None},
        {"when": _condition(actual=1)},
        {"spans": (builtin("a", "One. "),)},
        {"spans": (builtin("b", "One. "), file_text("x.md", "Two.", 3, when=_condition()))},
        {"spans": (builtin("a", "One! "), file_text("x.md", "Two.", 3, when=_condition()))},
        {"spans": (builtin("a", "One. "), file_text("x.md", "Two.", 4, when=_condition()))},
        {"spans": (builtin("a", "One. "), file_text("x.md", "Two.", 3, when=_condition(actual=1)))},
    ],
)
def test_sections_that_differ(change: dict[str, object]) -> None:
    assert Alike().sections(_section(), _section(), Facts())
    assert not Alike().sections(_section(), replace(_section(), **change), Facts())  # type: ignore[arg-type]


def test_what_is_absent_is_not_written_to_be_compared() -> None:
    def unwritten() -> Iterator[Span]:
        raise AssertionError("written")
        yield

    absent = SectionDraft("s", "T", LazySequence(unwritten()), when=_condition(ok=False))
    assert Alike().sections(replace(absent), replace(absent), Facts())


def test_tools_that_differ() -> None:
    tool = ToolDraft("read", "files", (builtin("a", "Reads."),), input_schema={"limit": {"default": True}})
    assert Alike().tools(tool, replace(tool, description=[builtin("a", "Reads.")]))
    assert not Alike().tools(tool, replace(tool, input_schema={"limit": {"default": 1}}))
    assert not Alike().tools(tool, replace(tool, parameters=(ParameterDraft("limit"),)))
    assert not Alike().tools(tool, replace(tool, listed=(builtin("b", "- read"),)))
    assert not Alike().tools(tool, replace(tool, wire=lambda text, schema: {"text": text, "schema": schema}))
