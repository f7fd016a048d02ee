"""A count beside one of somebody else, in words."""

from __future__ import annotations


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
