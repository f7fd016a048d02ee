"""What the texts of prompts hold. A text is looked through once, in however many prompts it is."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from promptscope_engine.insight.passages import Divided, divided, find_repeats
from promptscope_engine.insight.repeats import Repeat

from .context import Context, Passage
from .findings import Finding
from .references import Reference, references
from .texts import Noticed, noticed

_Place = tuple[str, int]
"""A text and the number of its first line."""
T = TypeVar("T")


def _nothing() -> None:
    pass


class Reading:
    """Looks through texts, and knows those that it has seen. `go_on` is called before each, and may raise to stop."""

    def __init__(self) -> None:
        self.go_on: Callable[[], None] = _nothing
        self._noticed: dict[_Place, tuple[Noticed, ...]] = {}
        self._refers: dict[_Place, tuple[Reference, ...]] = {}
        self._divided: dict[str, Divided] = {}

    def texts(self, context: Context) -> Iterator[Finding]:
        """What is found in the words of a prompt's passages."""
        for passage in context.passages:
            for each in self._once(self._noticed, passage, lambda *place: tuple(noticed(*place))):
                yield context.finding(each.rule, each.message, passage.path, each.line)

    def refers(self, passage: Passage) -> tuple[Reference, ...]:
        """What a passage refers to."""
        return self._once(self._refers, passage, lambda *place: tuple(references(*place)))

    def repeats(self, context: Context) -> Sequence[Repeat]:
        """What a prompt says more than once."""
        return find_repeats(context.assembly, context.count, self.go_on, self._divide)

    def keep(self, passages: Iterable[Passage]) -> None:
        """Forget all texts but those of these passages."""
        places = {(passage.text, passage.start) for passage in passages}
        self._noticed = {place: found for place, found in self._noticed.items() if place in places}
        self._refers = {place: found for place, found in self._refers.items() if place in places}

    def _divide(self, text: str) -> Divided:
        if text not in self._divided:
            self._divided[text] = divided(text)
        return self._divided[text]

    def _once(self, known: dict[_Place, T], passage: Passage, look: Callable[[str, int], T]) -> T:
        self.go_on()
        place = passage.text, passage.start
        if place not in known:
            known[place] = look(*place)
        return known[place]
