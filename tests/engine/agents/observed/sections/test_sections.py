"""What the parts of a request are called (their ids go on command lines, their titles into lists)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.engine.agents.observed.conftest import observed, saying
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_engine.agents.observed.materials import FromFile, Materials, SentBlock, Traced
from promptscope_engine.agents.observed.sections import sections
from promptscope_engine.agents.observed.sections.parts import parts_of
from promptscope_engine.prompt.drafts import SectionDraft


def drafted(text: str, *files: FromFile, kind: str = "text", message: int | None = None) -> tuple[SectionDraft, ...]:
    """The sections of one block."""
    name, role = ("system.0", "system") if message is None else (f"messages.{message}.0", "user")
    block = SentBlock(name, message, role, kind, None, (Traced(text),) if text else (), files)
    return sections(Materials((block,), (), None))


def test_an_id_is_used_once() -> None:
    found = drafted("# Rules\na\n# Rules!\nb\n# rules\nc\n# Rules 2\nd\n")
    assert [section.id for section in found] == [
        "system.0.rules",
        "system.0.rules-2",
        "system.0.rules-3",
        "system.0.rules_2",
    ]


@pytest.mark.parametrize(("length", "shown"), [(39, 39), (40, 40), (41, 40)])
def test_an_id_has_40_characters_of_a_title(length: int, shown: int) -> None:
    assert [section.id for section in drafted(f"# {'x' * length}\n")] == [f"system.0.{'x' * shown}"]


@pytest.mark.parametrize(
    ("path", "end", "title"), [("/ws/a/b.md", "a_b_md", "b.md"), ("/b.md", "b_md", "b.md"), ("/w/x/y/z", "y_z", "z")]
)
def test_a_file_is_called_by_its_last_two_names(path: str, end: str, title: str) -> None:
    (section,) = drafted("text", FromFile(0, 4, path))
    assert (section.id, section.title) == (f"system.0.{end}", title)


@pytest.mark.parametrize(
    ("kind", "message", "text", "title"),
    [
        ("text", None, "You  are\na tester.", "You are a tester."),
        ("text", None, " \n", "system.0"),
        ("text", 0, "hi", "user: hi"),
        ("text", 0, " ", "user: "),
        ("tool_result", 0, "found", "tool_result: found"),
        ("image", None, "[image]", "image: [image]"),
        ("text", None, "# One\n", "One"),
    ],
)
def test_what_a_part_is_called(kind: str, message: int | None, text: str, title: str) -> None:
    (section,) = drafted(text, kind=kind, message=message)
    assert section.title == title
    assert section.stability == ("session" if message is None else "turn")


@pytest.mark.parametrize(("spaces", "title"), [(189, "a b"), (190, "a b"), (191, "a")])
def test_of_a_text_so_much_is_looked_at_for_a_title(spaces: int, title: str) -> None:
    assert [section.title for section in drafted(f"a{' ' * spaces}b")] == [title]


def test_an_inner_part_names_the_one_around_it() -> None:
    found = drafted("# One\na\n## Two\nb\n## Three\nc\n# Four\n")
    assert [section.parent for section in found] == [None, "system.0.one", "system.0.one", None]


@pytest.mark.parametrize(("count", "parts"), [(1_999, 1_999), (2_000, 2_000), (2_001, 2_000)])
def test_a_text_has_so_many_parts(count: int, parts: int) -> None:
    assert len(parts_of("# a\n" * count, ())) == parts


def test_only_texts_and_results_are_cut_into_parts(place: Path) -> None:
    text = "# One\na\n# Two\nb\n"
    call = {"type": "tool_use", "id": "1", "name": "read", "input": {"path": text}}
    result = {"type": "tool_result", "tool_use_id": "1", "content": text}
    said = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    found = observed(place, {**ANTHROPIC, "messages": [*ANTHROPIC["messages"], *said]})
    titles = [s.title for s in found.sections if s.channel == "messages"][1:]
    assert titles[0].startswith("tool_use: ")
    (called,) = [s for s in found.sections if s.title == titles[0]]
    assert json.loads(called.text) == call
    assert titles[1:] == ["One", "Two"]
    assert [message["role"] for message in found.request.messages] == ["user", "assistant", "user"]


@pytest.mark.parametrize(("length", "shown"), [(47, "x" * 47), (48, "x" * 48), (49, "x" * 47 + "…")])
def test_a_title_is_how_a_text_begins(place: Path, length: int, shown: str) -> None:
    found = observed(place, saying("x" * length))
    assert [s.title for s in found.sections if s.channel == "messages"] == [f"user: {shown}"]
