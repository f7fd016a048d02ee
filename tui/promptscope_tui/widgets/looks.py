"""Looks (see panels/styles.py) as Textual's styles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.color import Color
from textual.style import Style

from promptscope_tui.panels.styles import Look


def laid_over(base: Style, looks: Iterable[Look], variables: Mapping[str, str]) -> Style:
    """One look after the other over what is beneath: colours mixed where they are translucent.

    `base` has a background and a foreground; `variables` are the theme's, without the `$`.
    """
    background, color = base.background or Color(0, 0, 0), base.foreground or Color(255, 255, 255)
    bold, underline = bool(base.bold), bool(base.underline)
    for look in looks:
        if look.background is not None:
            background += _color(look.background, variables)
        if look.color is not None:
            color = _color(look.color, variables)
        bold, underline = bold or look.bold, underline or look.underline
    return Style(background, color, bold=bold, underline=underline)


def _color(text: str, variables: Mapping[str, str]) -> Color:
    """The colour of `$name`, `$name 70%` or a name of Textual's; a variable may itself be translucent."""
    name, _, share = text.partition(" ")
    if name.startswith("$"):
        name, _, own_share = variables[name[1:]].partition(" ")
        share = share or own_share
    color = Color.parse(name)
    return color.multiply_alpha(float(share.rstrip("%")) / 100) if share else color
