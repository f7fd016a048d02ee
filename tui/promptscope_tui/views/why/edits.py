"""What Why says about the files that a mode may edit."""

from __future__ import annotations

import json

from promptscope_engine.insight.editable import EditableFiles, EditAnswer
from promptscope_engine.prompt.model import Assembly, ModeChoice
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Row, Span, Tone, paragraph
from promptscope_tui.views.subjects import Cursor, Subject, SwitchSubject, ToolSubject

from .page import Page

_LISTED = 30


def limited_mode(subject: Subject | None, assembly: Assembly) -> ModeChoice | None:
    """The mode that a subject is about, itself or by a tool that is held to its pattern, if it has one."""
    slug, tool = assembly.mode, None
    match subject:
        case SwitchSubject("mode", value):
            slug = json.loads(value) if value is not None else slug
        case ToolSubject(name) | Cursor(tool=str(name)):
            tool = name
        case _:
            return None
    mode = next((mode for mode in assembly.modes if mode.slug == slug), None)
    if mode is None or mode.edits_only is None or (tool is not None and tool not in mode.edits_only.tools):
        return None
    return mode


def edits_block(page: Page, subject: Subject, snapshot: Snapshot) -> None:
    """The pattern of the mode that a subject is about, and the files of the repository that it allows."""
    mode = limited_mode(subject, snapshot.assembly) if snapshot.assembly else None
    limit = mode.edits_only if mode else None
    if mode is None or limit is None:
        return
    page.block("Which files it may edit")
    page.pair("mode", mode.slug)
    page.pair("pattern", limit.pattern, "param")
    if limit.description:
        page.pair("named", limit.description)
    if limit.source and limit.source.path:
        page.source(limit.source.shown, limit.source.path, limit.source.line, limit.source.line)
    editable = snapshot.editable
    if editable is None or editable.rules.mode != mode:
        page.line(Span("… computing", "dim"))
        return
    page.line(Span(editable.summary(), "warn" if editable.undecided else "dim"))
    for name in editable.files[:_LISTED]:
        page.line(Span("· ", "faint"), Span(name, "file"), hang=2)
    if editable.count > _LISTED:
        page.line(Span(f"… {editable.count - _LISTED:,} more", "faint"))
    page.line(Span("W asks about any path", "faint"))


def answer_rows(answer: EditAnswer) -> list[Row]:
    """Whether a mode may edit a file, and what decides."""
    tone: dict[bool | None, Tone] = {True: "good", False: "error", None: "warn"}
    marks = {True: "✓ ", False: "✗ ", None: "? "}
    steps = (paragraph(Span(f" {marks[s.ok]}", tone[s.ok]), Span(s.text), indent=3) for s in answer.steps)
    return [paragraph(Span(answer.words, "strong")), *steps]


def file_rows(editable: EditableFiles | None, typed: str) -> list[Row]:
    """The files that a mode may edit and that have all words of what was typed."""
    if editable is None:
        return [paragraph(Span("… computing", "dim"))]
    words = typed.lower().split()
    found = [name for name in editable.files if all(word in name.lower() for word in words)]
    rows = [paragraph(Span(editable.summary(), "dim"))]
    rows += [paragraph(Span(" · ", "faint"), Span(name, "file"), indent=3) for name in found]
    if editable.count > len(editable.files):
        rows.append(paragraph(Span(f" … {editable.count - len(editable.files):,} more", "faint")))
    return rows
