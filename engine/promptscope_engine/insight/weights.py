"""What each bullet of a section weighs, as the real agent would send it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from promptscope_engine.prompt.bullets import Unit, units
from promptscope_engine.prompt.model import Assembly, Section

LEAST = 2
"""Bullets that make a list."""


class Bullet(Struct, frozen=True):
    """A bullet: the lines of its section's text, from 0, its first line, and its expected tokens."""

    first: int
    last: int
    text: str
    tokens: int | None


def bullets_of(section: Section, count: Callable[[str], int | None]) -> tuple[Bullet, ...]:
    """The bullets of a present section; none if it has no list. Stand-ins weigh what the real wording does."""
    found = bullet_units(section)
    if not found:
        return ()
    scale = section.expected_tokens / section.tokens if section.tokens and section.expected_tokens else 1.0
    return tuple(
        Bullet(unit.first, unit.last, unit.text.partition("\n")[0].strip(), _scaled(count(unit.text), scale))
        for unit in found
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


def _scaled(tokens: int | None, scale: float) -> int | None:
    return None if tokens is None else round(tokens * scale)
