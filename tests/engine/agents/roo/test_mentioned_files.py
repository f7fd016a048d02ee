"""Mentioned files: how many lines are shown and traced, and what is kept back (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.roo import mentioned_files as files
from promptscope_engine.agents.roo.mentioned_files import FileReader, MissingPathError
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import Lever
from promptscope_engine.roo_replies.recorded import DataTree


def reader(max_lines: float | None = None, **files: str | bytes) -> FileReader:
    """Reads files of a project by their names."""
    return FileReader("/project", DataTree("/project", files), None, False, max_lines)


@pytest.mark.parametrize(("lines", "is_traced"), [(19_999, True), (20_000, True), (20_001, False)])
def test_so_many_lines_are_traced_one_by_one(lines: int, is_traced: bool) -> None:
    spans = reader(f="x\n" * (lines - 1) + "x").read("f").spans
    assert {span.origin.kind for span in spans} == ({"label", "file"} if is_traced else {"computed"})
    if is_traced:
        assert [span.origin.start_line for span in spans if span.origin.kind == "file"][-1] == lines


def test_the_lines_of_all_files_add_up() -> None:
    files = reader(one="x\n" * 9_999, two="x\n" * 9_999, three="x", four="x")
    kinds = [{span.origin.kind for span in files.read(name).spans} for name in ("one", "two", "three", "four")]
    assert kinds == [{"label", "file"}, {"label", "file"}, {"computed"}, {"computed"}]


@pytest.mark.slow
@pytest.mark.parametrize(("end", "is_whole"), [("", True), ("y", False)])
def test_so_many_lines_are_shown(end: str, is_whole: bool) -> None:
    content = reader(f="x\n" * 500_000 + end).read("f")
    assert content.spans[0].text.endswith("500000 | x\n")
    assert (content.held_back is None) is is_whole
    assert [(span.text, span.origin.start_line) for span in content.rest] == ([] if is_whole else [(end, 500_001)])


def test_once_all_lines_are_shown_none_of_the_next_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINES", 3)
    several = reader(whole="a\nb", part="c\nd\n", none="e\n")
    found = [several.read(name) for name in ("whole", "part", "none")]
    assert ["".join(span.text for span in content.spans) for content in found] == [
        "1 | a\n2 | b\n",
        "1 | c\n",
        "",
    ]
    assert [[(span.text, span.origin.start_line) for span in content.rest] for content in found] == [
        [],
        [("d\n", 2)],
        [("e\n", 1)],
    ]


@pytest.mark.parametrize(
    ("name", "content", "levers"),
    [
        ("a.ts", "one", (Lever("editor.maxReadFileLine", -1),)),
        ("a.bin", b"\0", ()),
        ("a.pdf", b"%PDF-1.4", ()),
    ],
)
def test_without_a_limit_that_is_none_a_text_would_be_read(
    name: str, content: str | bytes, levers: tuple[Lever, ...]
) -> None:
    held_back = reader(0, **{name: content}).read(name).held_back
    assert held_back is not None
    assert (held_back.on or ()) == levers


@pytest.mark.parametrize(
    ("text", "limit", "rest"),
    [
        ("a\nb\nc\n", 1, ("b\nc\n", 2)),
        ("a\nb\nc\n", 2, ("c\n", 3)),
        ("a\nb\nc\n", 3, None),
        ("a\nb\nc", 2, ("c", 3)),
        ("a\nb\nc", 3, None),
        ("a\r\nb", 1, ("b", 2)),
        ("a\r\nb", 2, None),
        ("a\rb", 1, None),  # a line for Node, which no newline cuts off
        ("a\rb\r", 2, None),
    ],
)
def test_lines_over_the_limit_are_kept_back(text: str, limit: int, rest: tuple[str, int] | None) -> None:
    found = reader(limit, f=text).read("f").rest
    assert [(span.text, span.origin.start_line) for span in found] == ([] if rest is None else [rest])
    assert all(not span.when.holds(Facts()) for span in found)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("none", "ENOENT: no such file or directory, stat '/project/none'"),
        ("f/below", "ENOTDIR: not a directory, stat '/project/f/below'"),
        ("f/far/below", "ENOTDIR: not a directory, stat '/project/f/far/below'"),
        ("none/below", "ENOENT: no such file or directory, stat '/project/none/below'"),
        ("/elsewhere/below", "ENOENT: no such file or directory, stat '/elsewhere/below'"),
    ],
)
def test_a_path_that_leads_nowhere(path: str, says: str) -> None:
    with pytest.raises(MissingPathError) as caught:
        reader(f="x").read(path)
    assert str(caught.value) == says
