"""HTML that is escaped by construction: a text becomes part of it only through `tag` and `shown`.

What files hold is made visible first, as for a terminal: no control, C1 or bidi character gets into a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .escape import visible


class Markup(str):
    """HTML. Any other string is text."""

    __slots__ = ()


def shown(text: str) -> Markup:
    """The text as HTML; its lines stay lines."""
    if isinstance(text, Markup):
        return text
    lines = "\n".join(map(visible, text.split("\n")))
    # `=` too: then whoever looks through a page for `src=` and `href=` finds none of a stranger's
    return Markup(escape(lines).replace("=", "&#61;"))


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """The parts one after the other; those that are text are escaped."""
    return Markup(shown(between).join(map(shown, parts)))


def tag(name: str, *inside: str, **attributes: str | int | bool | None) -> Markup:
    """An element. `class_` is the attribute class, `data_from` is data-from; True has no value, None and False are
    left out."""
    words = [name]
    for key, value in attributes.items():
        attribute = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(attribute)
        elif value is not None and value is not False:
            words.append(f'{attribute}="{shown(str(value))}"')
    return Markup(f"<{' '.join(words)}>{joined(inside)}</{name}>")
