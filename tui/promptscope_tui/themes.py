"""The app's own themes, and the variables that its styles use besides Textual's.

Colour means origin: green is the user's files, grey the agent's wording, amber settings, blue the machine, violet
tools; red-orange is more tokens, green fewer. Colour is never the only cue: each has a glyph or a word beside it.
"""

from textual.theme import BUILTIN_THEMES, Theme

DARK = Theme(
    name="promptscope-dark",
    primary="#7aa2f7",
    secondary="#b794d9",
    success="#7fc8a0",
    warning="#dcb46e",
    error="#e2805c",
    foreground="#d3d8e5",
    background="#0f1118",
    surface="#141722",
    panel="#1b1f2d",
    boost="#232940",
    dark=True,
    variables={
        "tone-dim": "#8d94a8",
        "tone-faint": "#666d82",
        "tone-builtin": "#9aa2b6",
        "tone-more": "#e2805c",
        "row-cursor": "#2a3658",
        "row-cursor-blurred": "#202639",
        "row-hover": "#1e2333",
        "line": "#262c3e",
        "block-cursor-text-style": "none",
        "scrollbar": "#2b3147",
        "scrollbar-background": "#141722",
    },
)

LIGHT = Theme(
    name="promptscope-light",
    primary="#2f5fc4",
    secondary="#7d4ea8",
    success="#1f7a4d",
    warning="#8f6200",
    error="#b8491f",
    foreground="#23283a",
    background="#fafbfd",
    surface="#f2f4f9",
    panel="#e7ebf4",
    boost="#dde4f3",
    dark=False,
    variables={
        "tone-dim": "#5a6278",
        "tone-faint": "#7f879c",
        "tone-builtin": "#5f6880",
        "tone-more": "#b8491f",
        "row-cursor": "#cfdcf8",
        "row-cursor-blurred": "#e0e6f3",
        "row-hover": "#e7ecf7",
        "line": "#d5dbe8",
        "block-cursor-text-style": "none",
        "scrollbar": "#c4ccdd",
        "scrollbar-background": "#f2f4f9",
    },
)

ANSI = Theme(
    name="promptscope-ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_magenta",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        **BUILTIN_THEMES["ansi-dark"].variables,
        "tone-dim": "ansi_default",
        "tone-faint": "ansi_bright_black",
        "tone-builtin": "ansi_default",
        "tone-more": "ansi_red",
        "row-cursor": "ansi_blue",
        "row-cursor-blurred": "ansi_default",
        "row-hover": "ansi_default",
        "line": "ansi_bright_black",
    },
)

THEMES = (DARK, LIGHT, ANSI)

DEFAULTS = {
    "tone-dim": "#8d94a8",
    "tone-faint": "#6f7689",
    "tone-builtin": "#98a0b3",
    "tone-more": "#e2805c",
    "row-cursor": "#3b4a74 60%",
    "row-cursor-blurred": "#3b4a74 30%",
    "row-hover": "#3b4a74 20%",
    "line": "#7f879c 30%",
}
"""The variables for any other theme."""
