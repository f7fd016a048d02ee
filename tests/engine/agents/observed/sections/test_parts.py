"""Where a text falls into parts: headings by their levels, tags by their ends, fences around both."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.observed.materials import FromFile
from promptscope_engine.agents.observed.sections.parts import parts_of

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
    assert len(parts_of("# a\n" * 50_000, ())) <= 2_001
