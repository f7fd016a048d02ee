"""The help: what is under the cursor and the keys that are used most; all keys; what the signs mean."""

import json
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_engine.prompt.model import Assembly, Section
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import ACTIONS, Action, groups, most_used
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row
from promptscope_tui.text.words import number, origin, short_path, short_text
from promptscope_tui.views.subjects import Cursor, FileSubject, ServerSubject, Subject, SwitchSubject, ToolSubject
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.row_list import RowList

_DATA = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

_KEYS: dict[str, list[str]] = _DATA["keys"]
"""The keys that mean something, by what is under the cursor."""

_SAID: dict[str, tuple[str, str]] = _DATA["said"]
"""What is said of each kind of subject, with its keys; `{}` is its name."""

_SIGNS: dict[str, list[tuple[str, Tone, str]]] = _DATA["signs"]
"""What the glyphs mean, by where they are: the glyph, its tone, its meaning."""

PANES: dict[str, str] = _DATA["pages"]
"""What is said of a pane in which nothing can be explained."""


def explained(subject: Subject | None, pane: str, snapshot: Snapshot, actions: Sequence[Action]) -> list[Row]:
    """What it is, in a sentence or two, and its keys; without a subject, what the pane is. Never empty."""
    assembly = snapshot.assembly
    kind, sentences = ("page", ["There is no prompt yet."]) if assembly is None else _said(subject, pane, assembly)
    by_id = {action.id: action for action in actions}
    rows = [paragraph("  ", sentence, indent=2) for sentence in sentences]
    keys: list[Span] = []
    for action in (by_id[id] for id in _KEYS[kind] if id in by_id):
        keys += [Span(action.shown_keys.partition(" ")[0], "accent"), Span(f" {action.help}   ", "dim")]
    return [*rows, paragraph("  ", *keys, indent=2)] if keys else rows


def _said(subject: Subject | None, pane: str, assembly: Assembly) -> tuple[str, list[str]]:
    if isinstance(subject, Cursor) and (section := assembly.section(subject.section_id or "")):
        return _section(subject, section, assembly)
    name = "beside" if isinstance(subject, Cursor) and subject.kind == "tools" else type(subject).__name__
    kind, sentence = _SAID.get(name, ("page", PANES[pane]))
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
        reason = short_text(why.because, assembly)
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

_FEW = 8
"""Cells of the keys that are used most: few have more than one."""


_NAMES = ("most used", "all keys", "signs")
"""The pages."""


class Help(ModalScreen[None]):
    """What is under the cursor, with the keys that are used most; every action with its keys; what the signs mean."""

    CSS_PATH = "help.tcss"
    BINDINGS = bindings("help")

    def compose(self) -> ComposeResult:
        """The pages' names, the page, the keys of the help itself."""
        with Vertical(id="help"):
            yield Static("", id="help-title", markup=False)
            yield RowList(id="help-keys")
            yield KeyLine("help", id="help-foot")

    def __init__(self, actions: Sequence[Action] = ACTIONS, about: Sequence[Row] = ()) -> None:
        """`about` is what is said first: of what is under the cursor."""
        super().__init__()
        self._actions, self._about, self._page = actions, about, 0

    def on_mount(self) -> None:
        """Begin with the first page."""
        self.action_turn(0)

    def action_turn(self, by: int) -> None:
        """To another page."""
        self._page = page = (self._page + by) % len(_NAMES)
        shown = "  ".join(f"[{name}]" if name == _NAMES[page] else f" {name} " for name in _NAMES)
        self.query_one("#help-title", Static).update(f"HELP  {shown}")
        self.query_one(RowList).show(self._rows, keep=False)

    def _rows(self, width: int) -> list[Row]:
        pages = (most_used_rows(self._actions, self._about), key_rows(width, self._actions), sign_rows())
        return pages[self._page]


def most_used_rows(actions: Sequence[Action] = ACTIONS, about: Sequence[Row] = ()) -> list[Row]:
    """The first page; the actions of one rank, as those that show a page, are one row."""
    rows: list[Row] = [row(Span("UNDER THE CURSOR", "title")), *about, BLANK] if about else []
    rows.append(row(Span("USED MOST", "title")))
    with_keys = filter(attrgetter("keys"), most_used(actions))
    for _, alike in groupby(with_keys, attrgetter("rank")):
        first, *others = alike
        if others:
            names = ", ".join(action.palette.partition(": ")[2] for action in (first, *others))
            rows.append(_key_row(f"{first.shown_keys} … {others[-1].shown_keys}", names, _FEW))
        else:
            rows.append(_key_row(first.shown_keys, first.help, _FEW))
    return rows


def key_rows(width: int, actions: Sequence[Action] = ACTIONS) -> list[Row]:
    """Every action with its keys, by group."""
    rows: list[Row] = []
    for group, members in groups(actions).items():
        rows += [BLANK, row(Span(group.upper(), "title"))]
        column = 18 if width >= _ROOMY else 12
        rows += [_key_row(action.shown_keys, action.help, column) for action in members if action.keys]
    return rows[1:]


def _key_row(keys: str, words: str, column: int) -> Row:
    return paragraph("  ", Span(pad(keys, column), "accent"), words, indent=column + 2)


def sign_rows() -> list[Row]:
    """What the signs mean, by where they are."""
    rows: list[Row] = []
    for place, signs in _SIGNS.items():
        rows += [BLANK, row(Span(place.upper(), "title"))]
        rows += [paragraph("  ", Span(pad(sign, 6), tone), words, indent=8) for sign, tone, words in signs]
    return rows[1:]
