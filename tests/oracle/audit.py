"""Looks for the vendors' words in recordings: everything that is no marker, no name of ours, no single word."""

from __future__ import annotations

from .markers import MARK, OWN_NAME
from .situation import Facts

_LONGEST_NAME = 140
_WORDS_OF_A_NAME = 3  # a mode's slug, its emoji and its title
_LONGEST_CUT = 14  # words of our own description whose marker was cut off


def foreign(facts: Facts) -> list[str]:
    """What may be a vendor's sentence in these facts; nothing is expected."""
    found = [mark for _, mark in facts.get("marks", []) if not mark.startswith("ZQ")]
    for _, name, description, _ in facts.get("entries", []):
        marked = MARK.search(name + description)
        own = marked or OWN_NAME.search(name)
        bare = len(name.split()) <= _WORDS_OF_A_NAME and description in ("", "…")
        wordy = own and not marked and len(description.split()) > _LONGEST_CUT
        if not (own or bare) or len(name) > _LONGEST_NAME or wordy:
            found.append(f"{name}: {description}")
    return found
