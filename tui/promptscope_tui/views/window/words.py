"""What a turn's prompt costs, and how our counts compare with others, in words."""

from __future__ import annotations

from promptscope_engine.insight.costs import Cost
from promptscope_engine.tokens.models import DATE

_TENTH_OF_CENT = 0.001


def dollars(amount: float) -> str:
    """`$0.0483`; smaller amounts with more digits."""
    return f"${amount:.4f}" if amount >= _TENTH_OF_CENT or not amount else f"${amount:.2g}"


def summary(cost: Cost) -> str:
    """`$0.1930 cold, $0.0079 cached`."""
    return f"{dollars(cost.cold)} cold, {'unknown' if cost.cached is None else dollars(cost.cached)} cached"


def explanation(cost: Cost) -> str:
    """What of the prompt can be cached, and why."""
    match cost.caching:
        case "unmarked":
            return "the request shows no cache breakpoints: what of it can be cached is not known"
        case "breakpoints":
            why = "up to the last cache breakpoint"
        case _:
            why = "what comes before the turn's own words; the service caches by itself"
    return f"{cost.prefix:,} of {cost.tokens:,} tokens can be cached: {why}"


def prices(cost: Cost) -> str:
    """The row of the table, with its date."""
    price = cost.price
    shown = f"input {price.input:g}, cache write {price.write:g}, cache read {price.read:g}"
    return f"{cost.model}, list prices of {cost.date}, $ per million: {shown}; without the answer"


def unpriced(model: str | None) -> str:
    """Why there is no cost."""
    if model is None:
        return "no cost: no model is named, and --model names one"
    return f"no cost: {model} is not in the price table of {DATE}"


def difference(ours: int | None, theirs: int) -> str:
    """`ours is 24,512, 2.0% below`."""
    if ours is None or not theirs:
        return ""
    share = abs(ours - theirs) / theirs
    side = "the same" if ours == theirs else f"{share:.1%} {'above' if ours > theirs else 'below'}"
    return f"ours is {ours:,}, {side}"


def reported(tokens: int, ours: int | None) -> str:
    """What the service said that a captured request took, against our count."""
    return f"={tokens:,} tokens as the service reported for this request; {difference(ours, tokens)}"
