"""Entries of lists in settings that match nothing: an agent passes over them in silence, so each is a note."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, SettingSource

MOST = 20
"""Notes on one list."""
_LONGEST = 200


@frozen
class Names:
    """A list whose entries name things. `key` is the list as a person writes it, `what` a thing that an entry names,
    as it goes on after "there is no such".

    `matches` tells whether an entry names something; without it an entry has to be one of the `known` names. The
    nearest of these is told.
    """

    key: str
    what: str
    entries: Iterable[Known[str]]
    known: Collection[str]
    matches: Callable[[str], object] | None = None


def unmatched(lists: Iterable[Names]) -> Iterator[Diagnostic]:
    """A note on each entry that names nothing, up to a limit for each list."""
    for names in lists:
        matches = names.matches or names.known.__contains__
        yield from islice((_unknown(names, entry) for entry in names.entries if not matches(entry.value)), MOST)


def _unknown(names: Names, entry: Known[str]) -> Diagnostic:
    name = entry.value if len(entry.value) <= _LONGEST else f"{entry.value[:_LONGEST]}…"
    hint = meant(entry.value.partition("(")[0], names.known)  # without what a rule says of its calls
    return note(f"`{names.key}` names {name}: there is no such {names.what}{hint}", entry.source)


def meant(entry: str, known: Collection[str]) -> str:
    """Which of the known names was probably meant; goes on from a sentence."""
    from promptscope_engine.inputs.errors import nearest  # for a mistake only

    close = nearest(entry, known, 1)
    return f"; did you mean {close[0]}?" if close else ""


def note(text: str, source: SettingSource) -> Diagnostic:
    """A note on an entry that matches nothing for another reason."""
    return Diagnostic("info", "unmatched-entry", text, source.path, source.line)
