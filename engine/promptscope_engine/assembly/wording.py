"""Learned wording put in the place of stand-ins: the one place where it takes part in an assembly."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.learned import (
    BEFORE,
    BEHIND,
    CHANCE,
    LABEL,
    LINES,
    LISTED,
    PIECE,
    ROWS,
    SCHEMA,
    Earlier,
    Key,
    Wording,
    value_of,
    variant_of,
)
from promptscope_engine.prompt.drafts import UNPREDICTABLE, Span
from promptscope_engine.prompt.model import Assembly, Origin
from promptscope_engine.wire.request import FixedSchema, wire_json

from .line_forms import Place, Traced, Value, in_order, matched, values_in

T = TypeVar("T", bound=Traced)


def stretches(parts: Sequence[T], prose: Collection[str] = ()) -> Iterator[tuple[bool, Sequence[T]]]:
    """The parts in order: stretches of fixed prose, each learned as a whole, and what is between them.

    A label without a letter or a digit (a line break, a bullet's dash) between two stand-ins belongs to their stretch:
    how an agent breaks up its prose is its wording, too. So do the labels of `prose`, which were sent otherwise.
    """
    first = 0
    while first < len(parts):
        last = first + 1
        if _fixed(parts[first], prose):
            last = _end(parts, last, prose)
            yield True, parts[first:last]
        else:
            while last < len(parts) and not _fixed(parts[last], prose):
                last += 1
            yield False, parts[first:last]
        first = last


def _fixed(part: T, prose: Collection[str]) -> bool:
    return part.origin.kind == "builtin" or (part.origin.kind == "label" and part.text in prose)


def _end(parts: Sequence[T], at: int, prose: Collection[str]) -> int:
    """Behind the last fixed part of the stretch that goes on at `at`."""
    end = at
    while at < len(parts) and (_fixed(parts[at], prose) or is_weak(parts[at])):
        at += 1
        if _fixed(parts[at - 1], prose):
            end = at
    return end


def is_weak(part: Traced) -> bool:
    """Whether it is a label that says nothing."""
    return part.origin.kind == "label" and not any(map(str.isalnum, part.text))


def variant(stretch: Sequence[T]) -> str:
    """What a stretch of stand-ins is known by."""
    return variant_of([(part.origin.id or "", part.text) for part in stretch])


def ids(stretch: Sequence[T]) -> tuple[str, ...]:
    """The ids of its stand-ins, each once."""
    return tuple(dict.fromkeys([part.origin.id or "" for part in stretch if part.origin.kind == "builtin"]))


_PASSES = (ROWS, LINES)
_Way = tuple[tuple[str, ...], Wording]
"""The form of lines of ours, and what takes their place."""


class _Ways(NamedTuple):
    """Those of lines without values by the first line, and the others."""

    exact: dict[str, list[_Way]]
    forms: list[_Way]


class Wordings:
    """The learned wording that one scenario is assembled with."""

    def __init__(self, found: Mapping[Key, Wording], values: Mapping[str, str], runs: int = 0) -> None:
        self._found, self.values, self._runs = found, values, runs
        self._prose: dict[str, set[str]] = {}
        self._lines: dict[tuple[str, str], _Ways] = {}
        self._places: dict[str, list[Place]] = {}
        for wording in found.values():
            if wording.ids == LABEL:
                self._prose.setdefault(wording.part, set()).add(wording.text[0])
            elif wording.ids[:1] in (BEFORE, BEHIND):
                lines = wording.filled(values).split("\n")
                place = Place(_form(wording.ids[1:], values), lines, is_before=wording.ids[:1] == BEFORE)
                self._places.setdefault(wording.part, []).append(place)
            elif wording.is_of_lines:
                form = _form(wording.ids[1:], values)
                ways = self._lines.setdefault((wording.ids[0], wording.part), _Ways({}, []))
                exact = ways.exact.setdefault(form[0].partition("\n")[0], [])
                (ways.forms if len(form) > 1 else exact).append((form, wording))

    def __bool__(self) -> bool:
        return bool(self._found)

    def __eq__(self, other: object) -> bool:
        """Whether the same was learned, and is under the same values."""
        return isinstance(other, Wordings) and self._found is other._found and self.values == other.values

    __hash__ = None  # type: ignore[assignment]

    def worded(self, part: str, parts: Sequence[T]) -> Iterator[tuple[Sequence[T], tuple[str, Origin] | None]]:
        """The parts in order, those of a learned stretch with its wording and where that is from, others with None."""
        prose = self._prose.get(part, ())
        for fixed, stretch in stretches(parts, prose):
            wording = self._found.get((part, variant(stretch))) if fixed else None
            if wording is None:
                yield stretch, None
            else:
                yield stretch, (wording.filled(self.values), self._origin(wording, stretch[0].origin.id))

    def with_lines(self, part: str, pieces: Sequence[T], make: Callable[[str, Origin], T]) -> Sequence[T]:
        """The pieces with learned lines in the place of ours, in their order; `make` makes a piece of such a line."""
        for (name,) in _PASSES:
            if ways := self._lines.get((name, part)):
                pieces = self._with(ways, pieces, make)
        for place in self._places.get(part, ()):
            pieces = in_order(place, pieces)
        return pieces

    def _with(self, known: _Ways, pieces: Sequence[T], make: Callable[[str, Origin], T]) -> Sequence[T]:
        text = "".join([piece.text for piece in pieces])
        values = {value.start: value for value in values_in(pieces)} if known.forms else {}
        found: list[tuple[int, int, list[T]]] = []
        at = int(text.startswith("\n"))  # a break in front of a part ends the line before it
        while at <= len(text):
            end = at + len(text[at:].partition("\n")[0])
            ways = [
                (fit, wording)
                for form, wording in (*known.exact.get(text[at:end], ()), *known.forms)
                if (fit := matched(form, text, at, values))
            ]
            if ways:  # the longest one; of those the one that fits word for word
                (end, own), wording = max(ways, key=lambda way: way[0][0])
                made = [make(each, origin) for each, origin in self._pieces(wording, own) if each]
                # without a line, the break before it goes as well
                found.append((at - (at > 0 and not made), end, made))
            at = end + 1
        return _replaced(pieces, found) if found else pieces

    def _pieces(self, wording: Wording, own: Sequence[Value]) -> Iterator[tuple[str, Origin]]:
        """Its text, apart from what differs by chance and from the values of our lines."""
        literal, learned = "", self._origin(wording, wording.part)
        for place, each in enumerate(wording.text):
            if place % 2 and each.startswith((CHANCE, PIECE)):
                yield literal, learned
                yield self._value(each, own)
                literal = ""
            else:
                literal += value_of(each, self.values) if place % 2 else each
        yield literal, learned

    def _value(self, hole: str, own: Sequence[Value]) -> tuple[str, Origin]:
        if hole.startswith(CHANCE):
            return value_of(hole, self.values), Origin("computed", name=f"{UNPREDICTABLE}learned")
        number = hole.removeprefix(PIECE).removesuffix(".path")
        value = {str(at): value for at, value in enumerate(own)}.get(number)
        return (value.shown(hole), value.origin) if value else ("", Origin("label"))

    def _origin(self, wording: Wording, name: str | None) -> Origin:
        many = f"{self._runs:,} run{'s' * (self._runs != 1)}"
        seen = f"seen in {len(wording.runs):,} of {many}" if wording.runs else None
        return Origin("learned", id=name, name=seen, variant=wording.variant)

    def put_in(self, part: str, standing: Sequence[Span]) -> Sequence[Span]:
        """The spans that are in a part, with learned wording in the place of stand-ins."""
        if not self._found:
            return standing
        found: list[Span] = []
        for stretch, words in self.worded(part, standing):
            found += stretch if words is None else (Span(*words),)
        return self.with_lines(part, found, Span)

    def schema(self, tool: str, schema: Json) -> tuple[Json, Origin | None]:
        """A tool's learned schema and where it is from; without one its own, and None."""
        wording = self._found.get((tool, schema_variant(schema)))
        if wording is None:
            return schema, None
        try:
            text = wording.filled({**self.values, LISTED: listed_in(schema)[2:-2]})
            return json.loads(text), self._origin(wording, tool)
        except (ValueError, RecursionError):  # a file that was changed by hand
            return schema, None


def earlier_wording(package: str) -> Earlier:
    """The variants of parts before our own texts of them were changed, each with today's.

    They are in earlier_wording.json in the agent's `package` (`promptscope_engine.agents.roo`).
    """
    file = Path(import_module(package).__path__[0]) / "earlier_wording.json" if package else None
    found: Earlier = json.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    return found


def _form(cut: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Lines of ours with the scenario's values in their holes, but for the values that are pieces of their own."""
    found = [""]
    for place, each in enumerate(cut):
        if place % 2 and each.startswith(PIECE):
            found += [each, ""]
        else:
            found[-1] += value_of(each, values) if place % 2 else each
    return tuple(found)


def _replaced(pieces: Sequence[T], places: Sequence[tuple[int, int, list[T]]]) -> Sequence[T]:
    """The pieces with others from one character to another, in rising order."""
    found: list[T] = []
    left = [*places]
    at = 0
    for piece in pieces:
        end, first = at + len(piece.text), at
        while left and left[0][0] <= end:
            start, stop, others = left[0]
            if start > first:
                found.append(replace(piece, text=piece.text[first - at : start - at]))
            first = min(stop, end)
            if stop > end:
                break
            found += others
            del left[0]
        else:
            if first < end:
                found.append(replace(piece, text=piece.text[first - at :]))
        at = end
    return found


OURS = Wordings({}, {})
"""Nothing is learned."""


def schema_variant(schema: Json) -> str:
    """What a schema of ours is known by, whatever names of the scenario it lists."""
    text, listed = wire_json(schema), listed_in(schema)
    return variant_of([(SCHEMA[0], text.replace(listed, "[]") if listed else text)])


def listed_in(schema: Json) -> str:
    """The names of the scenario that an enum of the schema lists, as it does; "" for none."""
    names = schema.listed if isinstance(schema, FixedSchema) else ()
    return wire_json([*names]) if names else ""


def coverage(assembly: Assembly) -> tuple[int, int]:
    """How many of the parts with fixed prose are in the agent's own words, and how many there are."""
    learned = known = 0
    for section in assembly.sections:
        kinds = {fragment.origin.kind for fragment in section.fragments} if section.present else set()
        known += bool(kinds & {"builtin", "learned"})
        learned += "learned" in kinds and "builtin" not in kinds
    for tool in assembly.tools_beside:
        known += tool.learned or tool.confidence == "stand-in"
        learned += tool.learned and tool.confidence != "stand-in"
    return learned, known
