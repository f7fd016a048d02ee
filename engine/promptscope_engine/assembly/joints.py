"""What joins neighbouring sections: the labels before and behind each."""

from collections.abc import Sequence

from promptscope_engine.prompt.drafts import Place, Span, label

Joint = tuple[str, tuple[str, str]]
"""What is before a section, and the two labels behind it."""


def joints(sections: Sequence[tuple[Place, bool]]) -> list[Joint]:
    """What is before and behind each section, from its place and whether it is present, in order.

    Only present sections are neighbours: see `Place`.
    """
    present = [n for n, (_, ok) in enumerate(sections) if ok]
    found: list[Joint] = [("", ("", ""))] * len(sections)
    places = [None, *(sections[n][0] for n in present), None]
    for number, last, place, following in zip(present, places, places[1:], places[2:], strict=False):
        assert place is not None
        if last is place is following:  # as are thousands of rules
            found[number] = (place.gap, ("", ""))
            continue
        first = last is None or not place.joins(last)
        closes = place.closes if following is None or not following.joins(place) else ""
        if following is None or following.run != place.run:
            ends = place.ends
        else:
            ends = "" if following.joins(place) else place.between
        found[number] = (place.opens if first else place.gap, (closes, ends))
    return found


def framed(spans: Sequence[Span], around: Joint) -> Sequence[Span]:
    """A section's spans with the labels that join it to its neighbours."""
    before, behind = around
    if not before and not any(behind):
        return spans
    opening, closing = [before] if before else [], filter(None, behind)
    return (*map(label, opening), *spans, *map(label, closing))
