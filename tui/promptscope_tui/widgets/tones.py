"""The tones of `spans.py` as styles, in the colours of the app's theme.

No component classes: Textual works these out for each widget whenever it restyles, and a screen has fifteen widgets
that draw tones.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rich.style import Style
from textual.color import Color

from promptscope_tui.text.spans import Tone

_COLOURS: Mapping[Tone, str] = {
    "title": "tone-dim",
    "dim": "tone-dim",
    "faint": "tone-faint",
    "accent": "primary",
    "more": "tone-more",
    "fewer": "success",
    "warn": "warning",
    "error": "error",
    "good": "success",
    "builtin": "tone-builtin",
    "file": "success",
    "param": "warning",
    "environment": "primary",
    "tool": "secondary",
    "gone": "error",
    "new": "success",
}
"""The theme's variable for each tone; any other tone has the colour of its widget."""

_BOLD: frozenset[Tone] = frozenset({"strong", "title", "gone", "new"})
_UNDERLINED: frozenset[Tone] = frozenset({"gone", "new"})
"""Words that differ within a line that has their colour already."""


def tone_style(tone: Tone, variables: Mapping[str, str]) -> Style:
    """A tone's style, to be added to that of its widget; `variables` are the app's `theme_variables`."""
    name = _COLOURS.get(tone)
    return _style(variables[name] if name else "", tone in _BOLD, tone in _UNDERLINED)


@cache
def _style(colour: str, bold: bool, underlined: bool) -> Style:
    return Style(
        color=Color.parse(colour).rich_color if colour else None, bold=bold or None, underline=underlined or None
    )
