"""The look of the prompt's rows, piece by piece, in the theme's variables.

These are no component classes: Textual would match each of the thirty against every rule of the app whenever the view
is styled, three times for a start and twice for a change of focus.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Look(NamedTuple):
    """What a piece changes of what is beneath it; None leaves it. Colours as in a style sheet: `$name`, `$name 70%`."""

    color: str | None = None
    background: str | None = None
    bold: bool = False
    underline: bool = False


LOOKS: Mapping[str, Look] = {
    # a whole row: of a top-level section, of a nested one; under the mouse, under the cursor, and the mark at its left
    "header": Look(background="$panel"),
    "header-nested": Look(background="$surface"),
    "body": Look(),
    "hover": Look(background="$row-hover"),
    "cursor": Look(background="$row-cursor-blurred"),
    "cursor-mark": Look("$tone-faint"),
    # the parts of a header
    "disclosure": Look("$tone-dim"),
    "title": Look("$foreground", bold=True),
    "subtitle": Look("$foreground"),
    "tokens": Look("$foreground"),
    # secondary text, and text that need not be read; changes in tokens
    "dim": Look("$tone-dim"),
    "faint": Look("$tone-faint"),
    "more": Look("$tone-more"),
    "fewer": Look("$success"),
    # what is not in the prompt, and why; a part of a file that did not fit
    "absent": Look("$tone-faint"),
    "absent-title": Look("$tone-dim"),
    "absent-mark": Look("$tone-more 70%"),
    "cut": Look("$tone-more"),
    # bars and gutters, by origin
    "builtin": Look("$tone-builtin 70%"),
    "tool": Look("$secondary"),
    "environment": Look("$primary"),
    "param": Look("$warning"),
    "file": Look("$success"),
    # the text itself, by origin
    "text-builtin": Look("$tone-builtin"),
    "text-environment": Look("$text-primary"),
    "text-param": Look("$text-warning"),
    "text-file": Look("$text-success"),
    "text-label": Look("$foreground", bold=True),
    # line numbers of files; lines that differ from the baseline; marks for characters that would act or hide
    "number": Look("$tone-faint"),
    "mark-new": Look("$tone-more", bold=True),
    "mark-gone": Look("$success", bold=True),
    "hidden": Look("$error", bold=True),
    # what the search found
    "match": Look("$foreground", "$warning 30%"),
    "match-current": Look("$background", "$warning", bold=True),
}

FOCUSED: Mapping[str, Look] = {
    "cursor": Look(background="$row-cursor"),
    "cursor-mark": Look("$primary"),
}
"""What differs while the view has the focus."""

ANSI: Mapping[str, Look] = {
    "cursor-mark": Look("$foreground"),
    "match": Look("ansi_black", "ansi_yellow"),
    "match-current": Look("ansi_black", "ansi_bright_yellow", bold=True),
}
"""What differs with a terminal's own colours."""

NO_COLOR: Mapping[str, Look] = {
    "match": LOOKS["match"]._replace(underline=True),
    "match-current": LOOKS["match-current"]._replace(underline=True),
}
"""What differs without colours."""

STYLE = """
PromptView {
    background: $background;
    color: $foreground;
    overflow-x: hidden;
    scrollbar-gutter: stable;
    scrollbar-size-vertical: 1;
}
"""
