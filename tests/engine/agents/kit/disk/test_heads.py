"""Which values of front matter switch something on, and how a text is traced."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.kit.disk.heads import Budget, Heads, fenced, is_yes, misfit, traced
from promptscope_engine.workspace import FileText


@pytest.mark.parametrize("value", [True, 1, 1.0, "true", "TRUE", "yes", "Yes", "on", "1", " true ", "yes\n"])
def test_what_means_yes(value: object) -> None:
    assert is_yes(value)


@pytest.mark.parametrize("value", [False, None, 0, 2, -1, "", "y", "t", "no", "off", "truee", [True], {}, float("inf")])
def test_what_does_not(value: object) -> None:
    assert not is_yes(value)


def test_the_budget_is_used_up_by_what_is_read() -> None:
    budget = Budget(10)
    assert [budget.allows("x" * 7), budget.allows(""), budget.left] == [True, True, 3]
    assert [budget.allows("x" * 4), budget.allows(""), budget.left] == [False, False, -1]
    assert [budget.allows("x" * 4), budget.left] == [False, -1]  # what is over it is not even weighed


@pytest.mark.parametrize(
    ("text", "above", "line"),
    [("a", 0, 2), ("a", 2, 3), ("a", 3, 5), ("a", 5, None), ("q", 0, None)],
)
def test_a_text_is_traced_to_the_first_line_that_holds_it(text: str, above: int, line: int | None) -> None:
    file = FileText("/x", "/x", text="---\nname: a\ndescription: a\n---\na\nb\n")
    [span] = traced(file, text, "description", above)
    assert (span.text, span.origin.start_line, span.origin.kind) == (text, line, "file" if line else "computed")
    assert traced(file, "", "description") == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Write tests. Then run them.", [("Write tests.", 4), (" ", None), ("Then run them.", 5)]),
        ("Write tests. Then", [("Write tests.", 4), (" ", None), ("Then", 5)]),  # cut
        ("Write tests.\nThen run them.\n", [("Write tests.", 4), ("\n", None), ("Then run them.", 5), ("\n", None)]),
        ("Look at\n\nall of it", [("Look at", 6), ("\n\n", None), ("all of it", 8)]),
        ("Write tests. Then sleep.", [("Write tests. Then sleep.", None)]),
        ("Write tests.Then run them.", [("Write tests.Then run them.", None)]),
    ],
)
def test_a_text_of_several_lines_is_traced_to_each(text: str, parts: list[tuple[str, int | None]]) -> None:
    front = "---\nname: a\ndescription: >\n  Write tests.\n  Then run them.\nnote: Look at\n\n  all of it\n---\n"
    spans = traced(FileText("/x", "/x", text=front), text, "description")
    assert [(span.text, span.origin.start_line) for span in spans] == parts


@pytest.mark.parametrize(
    ("text", "values", "body", "lacks"),
    [
        ("---\nname: a\n---\nbody", {"name": "a"}, "body", ""),
        ("\ufeff--- \r\nname: a\r\n---\r\nbody", {"name": "a"}, "body", ""),
        ("body", {}, "body", "it has no front matter"),
        ("---\nname: a\n", {}, "---\nname: a\n", "it has no front matter"),
        ("---\n- a\n---\nbody", {}, "body", "its front matter has no keys"),
    ],
)
def test_front_matter_and_the_text_below(text: str, values: dict[str, str], body: str, lacks: str) -> None:
    head = Heads().read(text)
    assert (head.values, head.body, head.lacks) == (values, body, lacks)


def test_the_dashes_below_may_be_followed_by_anything_where_an_agent_has_it_so() -> None:
    text = "---\nname: a\n--- x\nbody"
    assert (fenced(text)[0], fenced(text, loosely=True)[1]) == (None, " x\nbody")


def test_front_matter_that_is_broken_or_too_much_says_so() -> None:
    broken = Heads().read("---\nname: [\n---\nbody")
    assert broken.problem.startswith("its front matter is not valid YAML")
    assert (broken.body, broken.line is not None) == ("body", True)
    assert "already" in Heads(budget=Budget(-1)).read("---\nname: a\n---\n").problem


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({}, ""),
        ({"tools": "a", "infer": False}, ""),
        ({"tools": ["a"]}, ""),
        ({"tools": ["a", 1]}, "`tools` of its front matter has to be a text or a list"),
        ({"infer": "no"}, "`infer` of its front matter has to be a boolean"),
        ({"other": 1}, ""),
    ],
)
def test_values_of_front_matter_have_their_kinds(values: dict[str, object], wrong: str) -> None:
    assert misfit(values, {"tools": ["text", "list"], "infer": ["boolean"]}) == wrong
