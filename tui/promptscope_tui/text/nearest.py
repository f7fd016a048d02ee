"""What somebody types, found in names and in the words about them: the nearest first."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")

_EXACT, _BEGINS, _WORD, _WITHIN, _ABOUT = -1, 0, 1, 2, 4


def distance(typed: str, name: str, about: str = "", kind: str = "") -> int | None:
    """How far from a name the words that were typed are, added up; None where one of them is nowhere.

    The name itself, or what is behind its colon, is nearest: `plan` of `mode:plan`. A word may be how the kind begins.
    """
    typed, name, about = typed.casefold().strip(), name.casefold(), about.casefold()
    if typed and typed in (name, name.rpartition(":")[2].strip()):
        return _EXACT
    found = 0
    for word in typed.split():
        at = name.find(word)
        if at >= 0:
            found += _BEGINS if at == 0 else _WITHIN if name[at - 1].isalnum() else _WORD
        elif kind.startswith(word):
            found += _WORD
        elif word in about:
            found += _ABOUT
        else:
            return None
    return found


def nearest(items: Iterable[T], typed: str, name: Callable[[T], tuple[str, ...]]) -> list[T]:
    """The items that have all the words, the nearest first; those that are as near stay in their order.

    `name` gives the name of an item, the words about it, and its kind.
    """
    found = [(far, item) for item in items if (far := distance(typed, *name(item))) is not None]
    return [item for _, item in sorted(found, key=lambda pair: pair[0])]
