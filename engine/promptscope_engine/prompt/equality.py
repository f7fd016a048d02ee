"""Whether two drafts are the same in all that an assembly could show of them.

`==` is not enough: to it 1 is True, and the order in which a schema names its keys does not matter. Nor is it fast
enough: hundreds of parts share a few conditions, which are compared once.
"""

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from .conditions import Facts
from .drafts import SectionDraft, Span, ToolDraft
from .model import field_names

_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})

_NOT_PIECES = attrgetter(*(name for name in SectionDraft.__struct_fields__ if name != "spans"))
_NOT_TEXTS = attrgetter(
    *(name for name in ToolDraft.__struct_fields__ if name not in ("description", "listed", "loaded"))
)


class Alike:
    """Compares the parts of two drafts, all of which live as long as it does."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bool] = {}

    def sections(self, one: SectionDraft, other: SectionDraft, facts: Facts) -> bool:
        """Whether an assembly under these facts is the same with either. What is absent is not written for this."""
        if one is other:
            return True
        if not self.all(_NOT_PIECES(one), _NOT_PIECES(other)):
            return False
        return self.spans(one.spans, other.spans) if other.when.holds(facts) else True

    def tools(self, one: ToolDraft, other: ToolDraft) -> bool:
        """Whether an assembly is the same with either."""
        if one is other:
            return True
        same = self.all(_NOT_TEXTS(one), _NOT_TEXTS(other)) and (one.loaded is None) is (other.loaded is None)
        if same and one.loaded and other.loaded:
            same = self.tools(one.loaded, other.loaded)
        return same and self.spans(one.description, other.description) and self.spans(one.listed, other.listed)

    def spans(self, one: Sequence[Span], other: Sequence[Span]) -> bool:
        """Whether they are the same text, of the same origins, under the same conditions."""
        if len(one) != len(other):
            return False
        for a, b in zip(one, other, strict=True):
            if a is b:
                continue
            if a.text != b.text or not (a.origin is b.origin or a.origin == b.origin):
                return False
            if a.when is not b.when and not self.values(a.when, b.when):
                return False
        return True

    def values(self, one: Any, other: Any) -> bool:
        """Whether two values are equal, and their parts of the same types in the same order."""
        if one is other:
            return True
        kind = one.__class__
        if kind is not other.__class__:
            return False
        if kind is tuple or kind is list:
            return self.all(one, other)
        if kind is dict:
            return self.all(tuple(one.items()), tuple(other.items()))
        values = None if kind in _PLAIN else _values(kind)
        if values is None:
            return bool(one == other)
        pair = id(one), id(other)
        known = self._known.get(pair)
        if known is None:
            known = self._known[pair] = self.all(values(one), values(other))
        return known

    def all(self, one: Sequence[Any], other: Sequence[Any]) -> bool:
        """Whether two rows are of one length, with equal values in one order."""
        if len(one) != len(other):
            return False
        for a, b in zip(one, other, strict=True):
            if a is b or (a.__class__ is str and b.__class__ is str and a == b):
                continue
            if not self.values(a, b):
                return False
        return True


@cache
def _values(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """What gets the fields of a value, in a tuple even if it is one; None for types without."""
    names = field_names(kind)
    return attrgetter(*names, "__class__") if names else None
