"""What the prompt of a turn costs: when nothing of it is in the service's cache, and when what can be is."""

from __future__ import annotations

from itertools import takewhile
from typing import Literal

from msgspec import Struct

from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.prompt.positions import blocks, tool_tokens
from promptscope_engine.tokens.names import parse_model
from promptscope_engine.tokens.prices import DATE, Price, price_of

Caching = Literal["breakpoints", "automatic", "unmarked"]

_HOUR = "1h"
_MILLION = 1_000_000


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
