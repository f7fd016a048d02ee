"""What a million tokens of a prompt cost, by model: the vendors' published list prices of one day.

A model that is not in the table has no price: a neighbour's would be a guess.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .names import parse_model

DATE = "2026-10-27"
"""The day of which the prices are."""


class Price(Struct, frozen=True):
    """US dollars for a million tokens of input: plain, read from the cache, written to it for minutes and for an hour.

    A service that takes nothing extra for writing has the price of plain input there. Requests of more than
    `long_from` tokens cost `long_factor` times as much, all of them.
    """

    input: float
    read: float
    write: float
    write_hour: float
    long_from: int | None = None
    long_factor: float = 1.0

    def of_size(self, tokens: int) -> Price:
        """The prices that a request of so many tokens has."""
        if self.long_from is None or tokens <= self.long_from:
            return self
        by = self.long_factor
        return Price(self.input * by, self.read * by, self.write * by, self.write_hour * by)


def _claude(input: float, read: float, **long: float) -> Price:
    """Anthropic's: writing for five minutes takes 1.25 times the price of input, for an hour twice as much."""
    factor = long.get("factor", 1.0)
    return Price(input, read, input * 1.25, input * 2, int(long["above"]) if long else None, factor)


def _gpt(input: float, read: float, *, write: float = 1.0, long: bool = False) -> Price:
    """OpenAI's: newer models take 1.25 times the price of input for writing, and twice all of it above 272,000."""
    return Price(input, read, input * write, input * write, 272_000 if long else None, 2.0)


def _gemini(input: float, read: float, *, long: bool = False) -> Price:
    """Google's: writing costs nothing extra; keeping is charged by the hour, and left out here."""
    return Price(input, read, input, input, 200_000 if long else None, 2.0)


# (family, first and last version, price)
_CLAUDE = (
    ("fable", (5, 1), (5, 1), _claude(10, 0.25)),
    ("fable", (5, 0), (5, 0), _claude(10, 1)),
    ("mythos", (5, 1), (5, 1), _claude(10, 0.25)),
    ("mythos", (5, 0), (5, 0), _claude(10, 1)),
    ("opus", (5, 5), (5, 5), _claude(4, 0.20)),
    ("opus", (4, 5), (5, 0), _claude(5, 0.50)),
    ("opus", (4, 0), (4, 1), _claude(15, 1.50)),
    ("sonnet", (5, 5), (5, 5), _claude(2, 0.10)),
    ("sonnet", (5, 0), (5, 0), _claude(2, 0.20)),
    ("sonnet", (3, 7), (4, 6), _claude(3, 0.30)),
    ("haiku", (5, 5), (5, 5), _claude(0.10, 0.01, above=100_000, factor=5)),
    ("haiku", (4, 5), (4, 5), _claude(1, 0.10)),
    ("haiku", (3, 5), (3, 5), _claude(0.80, 0.08)),
)

_OTHERS = {
    "gpt-6.1-sol": _gpt(2, 0.10, write=1.25, long=True),
    "gpt-6.1-terra": _gpt(1, 0.05, write=1.25, long=True),
    "gpt-6-astra": _gpt(10, 1, write=1.25, long=True),
    "gpt-6-sol": _gpt(2, 0.20, write=1.25, long=True),
    "gpt-6-luna": _gpt(0.10, 0.01, write=1.25, long=True),
    "gpt-5.6-sol": _gpt(4, 0.40, write=1.25, long=True),
    "gpt-5.6-terra": _gpt(2, 0.20, write=1.25, long=True),
    "gpt-5.6-luna": _gpt(0.20, 0.02, write=1.25, long=True),
    "gpt-5.5": _gpt(5, 0.50, long=True),
    "gpt-5": _gpt(1.25, 0.125),
    "gpt-5-codex": _gpt(1.25, 0.125),
    "gpt-5-mini": _gpt(0.25, 0.025),
    "gpt-4.1": _gpt(2, 0.50),
    "gpt-4o": _gpt(2.50, 1.25),
    "gemini-3.8-flash": _gemini(0.75, 0.075),
    "gemini-3.7-flash": _gemini(0.75, 0.075),
    "gemini-3.1-pro-preview": _gemini(2, 0.20, long=True),
    "gemini-3.1-pro-preview-customtools": _gemini(2, 0.20, long=True),
    "gemini-2.5-pro": _gemini(1.25, 0.125, long=True),
    "gemini-2.5-flash": _gemini(0.30, 0.03),
}

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def price_of(model: str | None) -> Price | None:
    """The prices of a model, in any spelling that `parse_model` understands; None if it is not in the table.

    A Claude name without a version names none: it stands for whatever is newest.
    """
    if model is None:
        return None
    name = parse_model(model)
    version = name.claude
    if version is None:
        return _OTHERS.get(_DATED.sub("", name.bare))
    words = name.bare.split("-")
    return next((price for family, low, high, price in _CLAUDE if family in words and low <= version <= high), None)
