"""Caching by order and stability: of an agent that sends one system text and no breakpoints of its own.

A service that caches what begins alike keeps the request up to the first text that changes.
"""

from __future__ import annotations

from promptscope_engine.agents.features import Forecast
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.prompt.positions import offset_of, tokens_before

NOTE = "as far as the request begins alike; a service with breakpoints keeps it up to the last one before the change"

NO_TEXT = "none of its text stands in the request; if it is a setting, what it decides may change any part"

_ORDER = ("system", "messages")


def boundary(assembly: Assembly) -> str | None:
    """The first present section of the system text that may change, behind fixed ones; None without fixed ones."""
    system = [s for s in assembly.sections if s.present and s.channel == "system"]
    first = next((n for n, section in enumerate(system) if section.stability != "static"), 0)
    return system[first].id if first else None


def forecast(assembly: Assembly, path: str) -> Forecast:
    """How many leading tokens of the request stay cached if the file at `path` (as shown) changes."""
    total = assembly.tokens.expected or 0
    section = next((s for s in in_request(assembly) if any(f.origin.path == path for f in s.fragments)), None)
    if section is None:
        return Forecast(None, total, total, total, NO_TEXT)
    before = tokens_before(assembly, section.channel, offset_of(assembly, section) + characters_before(section, path))
    return Forecast(section.id, before, before, total, NOTE)


def in_request(assembly: Assembly) -> list[Section]:
    """The present sections of the system text and of the messages, in the order of the request."""
    present = [s for s in assembly.sections if s.present and s.channel in _ORDER]
    return sorted(present, key=lambda s: _ORDER.index(s.channel))


def characters_before(section: Section, path: str) -> int:
    """Characters of a section before the first fragment that the file gives."""
    found = 0
    for fragment in section.fragments:
        if fragment.origin.path == path:
            break
        found += len(fragment.text)
    return found
