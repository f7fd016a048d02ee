"""What the prompt of a turn costs: when none of it is in the service's cache, and when what can be is."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.kit.disk.servers import some
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.prompt.positions import blocks, tool_tokens
from promptscope_engine.tokens.models import DATE, Price, parse_model, price_of

from .effects import Effect
from .repeats import Repeat, Unit, units

Caching = Literal["breakpoints", "automatic", "unmarked"]

_HOUR = "1h"
_MILLION = 1_000_000

_NAMED = 3
"""Sections that a row names."""


class Cost(Struct, frozen=True):
    """In US dollars, of `tokens` expected ones; the answer is not in it.

    `cold`: nothing is in the cache yet, and what can be is written to it. `cached`: the first `prefix` tokens are read
    from it. `caching`: the request's breakpoints say what is cached; or the service caches what begins alike by itself;
    or breakpoints are wanted and the request has none: then `cached` is None.
    """

    model: str
    price: Price
    tokens: int
    prefix: int
    caching: Caching
    cold: float
    cached: float | None
    date: str = DATE


def cost_of(assembly: Assembly) -> Cost | None:
    """The cost of an assembly; None for a model without a price, or while it is not counted."""
    tokens, found = assembly.tokens.expected, price_of(assembly.model)
    if assembly.model is None or found is None or tokens is None:
        return None
    price = found.of_size(tokens)
    prefix, caching, written = _cached_part(assembly, price)
    fresh = (tokens - prefix) * price.input / _MILLION
    read = None if caching == "unmarked" else fresh + prefix * price.read / _MILLION
    return Cost(assembly.model, price, tokens, prefix, caching, fresh + written, read)


def _cached_part(assembly: Assembly, price: Price) -> tuple[int, Caching, float]:
    """The tokens that the cache can hold, what decides, and what it costs to write them."""
    if parse_model(assembly.model or "").claude is None:
        prefix = _unchanging(assembly)
        return prefix, "automatic", prefix * price.write / _MILLION
    prefix, written = 0, 0.0
    for block in blocks(assembly):
        if block.cache is not None:
            rate = price.write_hour if block.cache.get("ttl") == _HOUR else price.write
            written += (block.after - prefix) * rate / _MILLION
            prefix = block.after
    return prefix, "breakpoints" if prefix else "unmarked", written


def _unchanging(assembly: Assembly) -> int:
    """The tokens in front of the first section that belongs to one turn."""
    sections: list[Section] = [s for c in ("system", "messages") for s in assembly.sections if s.channel == c]
    present = (section for section in sections if section.present)
    kept = takewhile(lambda section: section.stability != "turn", present)
    return tool_tokens(assembly) + sum(filter(None, (section.expected_tokens for section in kept)))


# --- what each bullet weighs, as the real agent would send it ---------------------------------------------------------


LEAST = 2
"""Bullets that make a list."""


class Bullet(Struct, frozen=True):
    """A bullet: the lines of its section's text, from 0, its first line, and its expected tokens."""

    first: int
    last: int
    text: str
    tokens: int | None


def bullets_of(section: Section, count: Callable[[str], int | None]) -> tuple[Bullet, ...]:
    """The bullets of a present section; none if it has no list."""
    return tuple(
        Bullet(unit.first, unit.last, unit.text.partition("\n")[0].strip(), section.expected_of(count(unit.text)))
        for unit in bullet_units(section)
    )


def bullet_units(section: Section) -> tuple[Unit, ...]:
    """The bullets of a section's text, not counted."""
    if not section.present:
        return ()
    found = tuple(unit for unit in units(section.text) if unit.is_bullet)
    return found if len(found) >= LEAST else ()


def is_agents(section: Section) -> bool:
    """Whether none of a section's text is from a file."""
    return all(fragment.origin.kind != "file" for fragment in section.fragments)


def weights(assembly: Assembly, count: Callable[[str], int | None]) -> Mapping[str, tuple[Bullet, ...]]:
    """The bullets of every section that has a list, by the section's id."""
    found = {section.id: bullets_of(section, count) for section in assembly.sections}
    return {name: bullets for name, bullets in found.items() if bullets}


# --- what would be saved ----------------------------------------------------------------------------------------------


Kind = Literal["switch", "file", "section", "tool", "passage"]


class Saving(Struct, frozen=True):
    """Something that could go, and what that saves in expected tokens.

    `id`: a switch's `NAME=VALUE`, a file's path, a section's id, a tool's name, the id of the section where a passage
    is first. `line` is the passage's in its section, from 0. Savings overlap: a file is in a section.
    """

    kind: Kind
    id: str
    title: str
    tokens: int
    detail: str = ""
    param: str = ""
    value: Json = None
    line: int | None = None


def savings(assembly: Assembly, effects: Iterable[Effect], repeats: Sequence[Repeat]) -> tuple[Saving, ...]:
    """All of them that save something, the largest first; of equal ones in the order of the prompt.

    Last come switches that leave less than half of it: they start another kind of session.
    """
    whole = assembly.tokens.expected or 0
    found = [*_switches(effects), *_files(assembly), *_sections(assembly), *_tools(assembly), *_passages(repeats)]
    saving = (each for each in found if each.tokens > 0)
    return tuple(sorted(saving, key=lambda each: (is_another_session(each, whole), -each.tokens)))


def is_another_session(saving: Saving, whole: int) -> bool:
    """Whether it is a switch that leaves less than half of the `whole` prompt's tokens."""
    return saving.kind == "switch" and saving.tokens * 2 > whole > 0


def _switches(effects: Iterable[Effect]) -> Iterator[Saving]:
    for each in effects:
        if each.error is None:
            gone = (*each.sections_removed, *each.tools_removed)
            name = f"{each.param}={each.label or each.value}"
            detail = f"without {_named(gone)}" if gone else ""
            yield Saving("switch", name, name, -each.tokens, detail, each.param, each.value)


def _named(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(name.removeprefix("tools.") for name in names))
    return some(shown, _NAMED)


def _files(assembly: Assembly) -> Iterator[Saving]:
    for file in assembly.files:
        if file.present and file.tokens:
            imported = f"imported by {file.imported_by}" if file.imported_by else file.kind
            yield Saving("file", file.path, file.path, file.tokens, imported)


def _sections(assembly: Assembly) -> Iterator[Saving]:
    for section in assembly.sections:
        if section.present:
            family = [each for each in assembly.family(section) if each.present]
            tokens, below = sum(each.expected_tokens or 0 for each in family), len(family) - 1
            yield Saving("section", section.id, section.title, tokens, f"with {below} below it" if below else "")


def _tools(assembly: Assembly) -> Iterator[Saving]:
    """The tools that are sent beside the prompt: the others are sections of it."""
    for tool in assembly.tools_beside:
        yield Saving("tool", tool.name, tool.name, tool.expected_tokens or 0, tool.group)


def _passages(repeats: Sequence[Repeat]) -> Iterator[Saving]:
    for each in repeats:
        first = each.copies[0]
        places = ", ".join(dict.fromkeys(copy.title for copy in each.copies))
        how = f"{len(each.copies)} times" if each.kind == "same words" else f"{len(each.copies)} times in other words"
        detail = f"{how}: {places}"
        yield Saving("passage", first.section, _head(each), each.tokens or 0, detail, line=first.line)


def _head(repeat: Repeat) -> str:
    """The passage in a line."""
    words = " ".join(repeat.text.split()).lstrip("-*•# ").replace("**", "")
    return f"{repeat.about}: {words}" if repeat.about else words
