"""Entries of lists in settings that match nothing: an agent passes over them in silence, so each is a note."""

from __future__ import annotations

from collections.abc import Collection

from promptscope_engine.prompt.model import Diagnostic, SettingSource

MOST = 20
"""Notes on one list."""


def unmatched(key: str, entry: str, what: str, known: Collection[str], source: SettingSource) -> Diagnostic:
    """The note on an entry. `what` is the thing that it names none of; the nearest of the known ones is told."""
    return note(f"`{key}` names {entry}: there is no such {what}{meant(entry, known)}", source)


def meant(entry: str, known: Collection[str]) -> str:
    """Which of the known names was probably meant; goes on from a sentence."""
    from promptscope_engine.inputs.errors import nearest  # for a mistake only

    close = nearest(entry, known, 1)
    return f"; did you mean {close[0]}?" if close else ""


def note(text: str, source: SettingSource) -> Diagnostic:
    """A note on an entry that matches nothing for another reason."""
    return Diagnostic("info", "unmatched-entry", text, source.path, source.line)
