"""Rows of spans as text that can be cut: trimming and replacing keep every character's origin."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from promptscope_engine.javascript.text import js_trim, js_trim_end

from .drafts import Span, guarded

Spans = tuple[Span, ...]


def joined(spans: Iterable[Span]) -> str:
    """The text of the spans, whatever guards them."""
    return "".join(span.text for span in spans)


def cut(spans: Iterable[Span], start: int, end: int) -> Spans:
    """The spans of the characters from `start` to `end` of the joined text."""
    walk = _Walk(spans)
    for _ in walk.until(start):
        pass
    return tuple(walk.until(end))


def replaced(spans: Iterable[Span], places: Iterable[tuple[int, int, Iterable[Span]]]) -> Spans:
    """The spans with others in the place of stretches: (start, end, the others), one stretch behind the other."""
    walk, out = _Walk(spans), list[Span]()
    for start, end, others in places:
        out += walk.until(start)
        out += others
        for _ in walk.until(end):
            pass
    return (*out, *walk.until(None))


def replaced_in_javascript(spans: Spans, placeholder: str, new: Spans, most: int | None = None) -> Spans:
    """`text.replace(/placeholder/g, new)`: every occurrence, or the first `most`.

    In `new`, `$$` is a dollar, `$&` the placeholder, "$`" and `$'` what is before and after it; `$1` and the like stay,
    as the pattern has no groups.
    """
    places = [match.span() for match in re.finditer(re.escape(placeholder), joined(spans))][:most]
    return replaced(spans, [(*span, list(_expanded(spans, new, *span))) for span in places])


def _expanded(spans: Spans, new: Spans, start: int, end: int) -> Iterator[Span]:
    stretches = {"&": (start, end), "`": (0, start), "'": (end, len(joined(spans)))}
    for span in new:
        at = 0
        for match in _DOLLAR.finditer(span.text):
            sign = match[1]
            yield from cut([span], at, match.start() + (sign == "$"))
            if sign != "$":
                yield from guarded(cut(spans, *stretches[sign]), span.when)
            at = match.end()
        yield from cut([span], at, len(span.text))


_DOLLAR = re.compile(r"\$([$&`'])")


class _Walk:
    """Goes through spans once, so that no line is counted twice; a stretch of a file's span keeps its lines."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = iter(spans)
        self._span: Span | None = None
        self._at = self._inside = self._lines = 0

    def until(self, end: int | None) -> Iterator[Span]:
        """What is left up to the character `end` of the whole text."""
        while end is None or self._at < end:
            if self._span is None or self._inside == len(self._span.text):
                self._span, self._inside, self._lines = next(self._spans, None), 0, 0
            if self._span is None:
                return
            span, first = self._span, self._inside
            last = len(span.text) if end is None else min(len(span.text), first + end - self._at)
            if first < last:
                yield span if last - first == len(span.text) else self._part(span, first, last)
            self._at, self._inside = self._at + last - first, last

    def _part(self, span: Span, first: int, last: int) -> Span:
        text, origin = span.text[first:last], span.origin
        if origin.start_line is not None:
            start = origin.start_line + self._lines
            self._lines += text.count("\n")
            origin = replace(origin, start_line=start, end_line=origin.start_line + self._lines)
        return Span(text, origin, span.when)


def trimmed_spans(spans: Spans) -> Spans:
    """The spans without JavaScript's white space around them all."""
    text = joined(spans)
    kept = js_trim(text)
    start = text.find(kept)
    return cut(spans, start, start + len(kept))


def trimmed_end(spans: Spans) -> Spans:
    """The spans without JavaScript's white space behind them all."""
    return cut(spans, 0, len(js_trim_end(joined(spans))))
