"""A client's own sections of its system prompt: their names and texts as it tells them, and which of ours they are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.learned import ADDED


class ClientSection(Struct, frozen=True):
    """A section by the client's name, with its text."""

    name: str
    text: str


class Stretch(Struct, frozen=True):
    """A part of a text that was sent: the client's names of it, () for what is in none of its sections; ours in it."""

    names: tuple[str, ...]
    ours: tuple[str, ...]
    text: str


_NONE: Mapping[str, Sequence[str]] = {}


class ClientSections:
    """The sections of one request in their order. `table` has the ids of ours by the client's names."""

    def __init__(self, sections: Iterable[ClientSection] = (), table: Mapping[str, Sequence[str]] = _NONE) -> None:
        self._sections = tuple(each for each in sections if each.text.strip())
        self._table = table
        self._known = frozenset(part for parts in self._table.values() for part in parts)

    def __bool__(self) -> bool:
        """Whether the client told any."""
        return bool(self._sections)

    def is_known(self, part: str) -> bool:
        """Whether the client has a name for one of ours."""
        return part.startswith(ADDED) or part in self._known

    def names_of(self, part: str) -> tuple[str, ...]:
        """The client's names, in this request, of one of ours."""
        return tuple(each.name for each in self._sections if part in self.ours(each.name))

    def ours(self, name: str) -> tuple[str, ...]:
        """The ids that a section of ours may have for a name of the client's."""
        return (*self._table.get(name, ()), f"{ADDED}{name}")

    def cut(self, sent: str, present: Iterable[str]) -> Sequence[Stretch]:
        """A text that was sent, cut where the client's sections begin. `present` are ours that are predicted in it.

        The blank lines before a section are a part of it, as they are of ours. Sections with one of ours in common are
        one stretch.
        """
        parts = frozenset(present)
        found: list[Stretch] = []
        for each in self._stretches(sent):
            ours = tuple(part for name in each.names for part in self.ours(name) if part in parts)
            last = found[-1] if found else None
            if last and set(ours).intersection(last.ours):
                both = tuple(dict.fromkeys((*last.ours, *ours)))
                found[-1] = Stretch(last.names + each.names, both, last.text + each.text)
            else:
                found.append(replace(each, ours=ours))
        return found

    def _stretches(self, sent: str) -> Iterator[Stretch]:
        at = 0
        for each in self._sections:
            start = sent.find(each.text, at)
            if start < 0:
                continue
            begins = at + len(sent[at:start].rstrip())
            if begins > at:
                yield Stretch((), (), sent[at:begins])
            end = start + len(each.text)
            yield Stretch((each.name,), (), sent[begins:end])
            at = end
        if sent[at:].strip():
            yield Stretch((), (), sent[at:])
