"""The look of the prompt's rows, from the theme's variables."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.style import Style

from promptscope_tui.views.prompt.canvas import LOOKS, STATES, Look, laid_over

BASE = Style(Color(0, 0, 0), Color(200, 200, 200))
VARIABLES = {"plain": "#ff0000", "thin": "#ff0000 50%", "ansi": "ansi_blue"}


@pytest.mark.parametrize(
    ("look", "background", "color"),
    [
        (Look(), "#000000", "#C8C8C8"),
        (Look("$plain"), "#000000", "#FF0000"),
        (Look(background="$plain"), "#FF0000", "#C8C8C8"),
        (Look(background="$thin"), "#7F0000", "#C8C8C8"),
        (Look(background="$plain 50%"), "#7F0000", "#C8C8C8"),
        (Look(background="$thin 20%"), "#330000", "#C8C8C8"),
    ],
)
def test_a_look_changes_what_it_names_and_mixes_what_is_translucent(look: Look, background: str, color: str) -> None:
    style = laid_over(BASE, [look], VARIABLES)
    assert style.background is not None
    assert style.foreground is not None
    assert (style.background.hex, style.foreground.hex) == (background, color)


def test_a_later_look_lies_above_and_what_is_bold_stays_bold() -> None:
    style = laid_over(BASE, [Look("$plain", "$plain", bold=True), Look(background="$ansi", underline=True)], VARIABLES)
    assert style.background == Color.parse("ansi_blue")
    assert style.foreground == Color.parse("#ff0000")
    assert style.bold
    assert style.underline


def test_what_differs_in_a_state_is_a_look_that_there_is() -> None:
    assert all(looks.keys() <= LOOKS.keys() for looks in STATES.values())
