"""What the parts of a request are called (their ids go on command lines, their titles into lists)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.agents.observed.conftest import observed, saying
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_engine.agents.observed.materials import FromFile, Materials, SentBlock
from promptscope_engine.agents.observed.sections import parts_of, sections
from promptscope_engine.prompt.drafts import SectionDraft, Span
from promptscope_engine.prompt.model import Origin


def drafted(text: str, *files: FromFile, kind: str = "text", message: int | None = None) -> tuple[SectionDraft, ...]:
    """The sections of one block."""
    name, role = ("system.0", "system") if message is None else (f"messages.{message}.0", "user")
    block = SentBlock(name, message, role, kind, None, (Span(text, Origin("sent")),) if text else (), files)
    return sections(Materials((block,), (), None))


def test_an_id_is_used_once() -> None:
    found = drafted("# Rules\na\n# Rules!\nb\n# rules\nc\n# Rules 2\nd\n")
    assert [section.id for section in found] == [
        "system.0.rules",
        "system.0.rules-2",
        "system.0.rules-3",
        "system.0.rules_2",
    ]


def test_a_file_is_below_the_heading_before_it() -> None:
    found = drafted("# A\ntext of a file\n## B\nx\n", FromFile(4, 19, "/w/f.md"))
    assert [(section.title, section.parent) for section in found] == [
        ("A", None),
        ("f.md", "system.0.a"),
        ("B", "system.0.a"),
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


Shown = list[tuple[str, int | None, str]]


def shown(text: str, *files: FromFile) -> Shown:
    """Each part's title, the number of the one around it, and its text."""
    return [(part.title, part.parent, text[part.start : part.end]) for part in parts_of(text, files)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [("", None, "")]),
        ("plain", [("", None, "plain")]),
        ("# One\n# Two\n", [("One", None, "# One\n"), ("Two", None, "# Two\n")]),
        ("## Two\n# One\n", [("Two", None, "## Two\n"), ("One", None, "# One\n")]),
        (
            "# One\n### Three\n## Two\n#### Four\n",
            [("One", None, "# One\n"), ("Three", 0, "### Three\n"), ("Two", 0, "## Two\n"), ("Four", 2, "#### Four\n")],
        ),
        ("##### Five\n", [("", None, "##### Five\n")]),
        ("#One\n # Two\n", [("", None, "#One\n # Two\n")]),
        ("# One ##\n", [("One", None, "# One ##\n")]),
        ("\n# One\n", [("", None, "\n"), ("One", None, "# One\n")]),
    ],
)
def test_headings_by_their_levels(text: str, parts: Shown) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<a>\nx\n</a>\n", [("<a>", None, "<a>\nx\n</a>\n")]),
        ("<a>\nx\n</a>", [("<a>", None, "<a>\nx\n</a>")]),
        ("<a>\nx\n</a> y", [("<a>", None, "<a>\nx\n</a>"), ("", None, " y")]),
        ("<a>\nx\n</a>\n \n", [("<a>", None, "<a>\nx\n</a>\n \n")]),
        ("<a>x</a>\n", [("", None, "<a>x</a>\n")]),
        ("<a>\nx\n", [("", None, "<a>\nx\n")]),
        (
            "<a>\nx\n</a>\n<b>\ny\n</b>\n",
            [("<a>", None, "<a>\nx\n</a>\n"), ("<b>", None, "<b>\ny\n</b>\n")],
        ),
        (
            "<a>\n<b>\ny\n</b>\nz\n</a>\n",
            [("<a>", None, "<a>\n"), ("<b>", 0, "<b>\ny\n</b>\n"), ("", 0, "z\n</a>\n")],
        ),
        ("<a>\n<b>\n</a>\n</b>\n", [("<a>", None, "<a>\n<b>\n</a>\n"), ("", None, "</b>\n")]),
        ('<a x="1">\ny\n</a>\n', [("<a>", None, '<a x="1">\ny\n</a>\n')]),
        (
            "# One\n<a>\n# Inner\n</a>\n## Two\n",
            [
                ("One", None, "# One\n"), ("<a>", 0, "<a>\n"), ("Inner", 1, "# Inner\n</a>\n"), ("Two", 0, "## Two\n"),
            ],
        ),
        (
            "<a>\n# One\nx\n</a>\n# Two\n",
            [("<a>", None, "<a>\n"), ("One", 0, "# One\nx\n</a>\n"), ("Two", None, "# Two\n")],
        ),
    ],
)  # fmt: skip
def test_tags_by_their_ends(text: str, parts: Shown) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("```\n# no\n```\n# One\n", ["", "One"]),
        ("~~~\n# no\n~~~\n# One\n", ["", "One"]),
        ("```\n# no\n~~~\n# nor this\n```\n# One\n", ["", "One"]),
        ("```\n# One\n~~~\n# Two\n", ["", "One", "Two"]),  # never closed
        ("# One\n```\n# no\n```\n", ["One"]),
    ],
)
def test_within_fences_nothing_begins(text: str, titles: list[str]) -> None:
    assert [title for title, _, _ in shown(text)] == titles


@pytest.mark.parametrize(
    ("start", "end", "titles"),
    [
        (0, 6, ["/f", "Two", "Three"]),
        (0, 12, ["/f", "Three"]),
        (0, 11, ["/f", "Three"]),
        (6, 12, ["One", "/f", "Three"]),
        (7, 12, ["One", "Two", "/f", "Three"]),
    ],
)
def test_a_files_text_is_one_part(start: int, end: int, titles: list[str]) -> None:
    """Of `# One`, `# Two` and `# Three`, each on a line of its own."""
    assert [title for title, _, _ in shown("# One\n# Two\n# Three\n", FromFile(start, end, "/f"))] == titles


TEXT = """Before.

# One
text
```
# no heading
```
## Two
<env>
a: 1
# Inner
</env>
after the tag
<one>line</one>
# Three
end"""


def test_headings_and_tags_begin_parts() -> None:
    found = parts_of(TEXT, ())
    assert [(part.title, part.parent) for part in found] == [
        ("", None), ("One", None), ("Two", 1), ("<env>", 2), ("Inner", 3), ("", 2), ("Three", None),
    ]  # fmt: skip
    assert TEXT[found[5].start : found[5].end].startswith("after the tag")


def test_within_the_text_of_a_file_nothing_begins() -> None:
    start, end = TEXT.index("# One"), TEXT.index("# Three")
    found = parts_of(TEXT, [FromFile(start, end, "/ws/x.md")])
    assert [(part.title, part.path) for part in found] == [
        ("", None), ("/ws/x.md", "/ws/x.md"), ("Three", None),
    ]  # fmt: skip


@given(st.text(alphabet="#<>/a \n`", max_size=120), st.integers(0, 60), st.integers(0, 60))
def test_parts_join_to_the_text(text: str, start: int, length: int) -> None:
    end = min(start + length, len(text))
    found = parts_of(text, [FromFile(start, end, "/x")] if start < end else ())
    assert "".join(text[part.start : part.end] for part in found) == text
    assert all(part.parent is None or part.parent < number for number, part in enumerate(found))


def test_a_text_of_headings_only_stays_readable() -> None:
    assert len(parts_of("# a\n" * 8_000, ())) <= 2_001
