"""One page: what is under the cursor, the keys from the table of actions, and what the signs mean."""

import json
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_engine.prompt.model import Assembly, Section
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import ACTIONS, Action, groups
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row
from promptscope_tui.text.words import number, origin, short_path, short_text
from promptscope_tui.views.subjects import Cursor, FileSubject, ServerSubject, Subject, SwitchSubject, ToolSubject
from promptscope_tui.widgets.row_list import RowList

_DATA = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

_KEYS: dict[str, list[str]] = _DATA["keys"]
"""The keys that mean something, by what is under the cursor."""

_SAID: dict[str, tuple[str, str]] = _DATA["said"]
"""What is said of each kind of subject, with its keys; `{}` is its name."""

_SIGNS: dict[str, list[tuple[str, Tone, str]]] = _DATA["signs"]
"""What the glyphs mean, by where they are: the glyph, its tone, its meaning."""

_NOTHING = ("nothing", "Nothing that can be explained: go to a section, a file, a tool or a switch.")


def explained(subject: Subject | None, snapshot: Snapshot, actions: Sequence[Action]) -> list[Row]:
    """What it is, in a sentence or two, and its keys. Never empty."""
    assembly = snapshot.assembly
    kind, sentences = ("nothing", ["There is no prompt yet."]) if assembly is None else _said(subject, assembly)
    by_id = {action.id: action for action in actions}
    rows = [paragraph("  ", sentence, indent=2) for sentence in sentences]
    keys: list[Span] = []
    for action in (by_id[id] for id in _KEYS[kind] if id in by_id):
        keys += [Span(action.shown_keys.partition(" ")[0], "accent"), Span(f" {action.help}   ", "dim")]
    return [*rows, paragraph("  ", *keys, indent=2)]


def _said(subject: Subject | None, assembly: Assembly) -> tuple[str, list[str]]:
    if isinstance(subject, Cursor) and (section := assembly.section(subject.section_id or "")):
        return _section(subject, section, assembly)
    kind, sentence = _SAID.get(type(subject).__name__, _NOTHING)
    match subject:
        case ToolSubject(name) | ServerSubject(name) | SwitchSubject(name):
            sentence = sentence.format(name)
        case FileSubject(path):
            sentence = sentence.format(short_path(path, assembly))
    return kind, [sentence]


def _section(cursor: Cursor, section: Section, assembly: Assembly) -> tuple[str, list[str]]:
    title = short_text(section.title, assembly)
    if cursor.kind == "absent" or not section.present:
        why = section.absent[cursor.fragment].why if cursor.fragment is not None else section.why
        reason = short_text(why.text.removeprefix("absent: "), assembly)
        return "absent", [
            f"{title}: not in the prompt. {reason[:1].upper()}{reason[1:]}.",
            "Why has what would change that.",
        ]
    if cursor.kind == "body" and cursor.fragment is not None and cursor.fragment < len(section.fragments):
        here = section.fragments[cursor.fragment].origin
        if here.kind == "file" and here.path:
            where = f"{short_path(here.path, assembly)}:{cursor.line or here.start_line or 1}"
            return "body", [f"A line of {where}, sent as is. The line at the left and its colour mean: your file."]
        return "header", [f"A line of {title}: {origin(here, assembly)}."]
    mark = "exact" if section.confidence == "exact" else "an estimate, or reworded"
    own = f" It begins at line {cursor.line} of your {short_path(cursor.path, assembly)}." if cursor.path else ""
    size = f"{number(section.expected_tokens)} tokens, {mark}; the bar is its share, in the colours of its origins."
    return "header", [f"{title}, a section of the prompt.{own}", f"Its own text takes {size}"]


_ROOMY = 60
"""Cells from which on the keys have a wide column."""


class Help(ModalScreen[None]):
    """What is under the cursor, every action with its keys, and what the signs mean."""

    CSS_PATH = "help.tcss"
    BINDINGS = bindings("help")

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(id="help"):
            yield Static("promptscope: what the agent will be given, and why", id="help-title", markup=False)
            yield RowList(id="help-keys")
            yield Static("esc closes", id="help-foot", markup=False)

    def __init__(self, actions: Sequence[Action] = ACTIONS, about: Sequence[Row] = ()) -> None:
        """`about` is what is said first: of what is under the cursor."""
        super().__init__()
        self._actions, self._about = actions, about

    def on_mount(self) -> None:
        """Fill the page."""
        self.query_one(RowList).show(lambda width: help_rows(width, self._actions, self._about))


def help_rows(width: int, actions: Sequence[Action] = ACTIONS, about: Sequence[Row] = ()) -> list[Row]:
    """The rows of the page."""
    rows: list[Row] = [BLANK, row(Span("UNDER THE CURSOR", "title")), *about] if about else []
    for group, members in groups(actions).items():
        rows += [BLANK, row(Span(group.upper(), "title"))]
        for action in filter(attrgetter("keys"), members):
            keys_width = 18 if width >= _ROOMY else 12
            keys = Span(pad(action.shown_keys, keys_width), "accent")
            rows.append(paragraph("  ", keys, action.help, indent=keys_width + 2))
    for place, signs in _SIGNS.items():
        rows += [BLANK, row(Span(place.upper(), "title"))]
        rows += [paragraph("  ", Span(pad(sign, 6), tone), words, indent=8) for sign, tone, words in signs]
    return rows[1:]
