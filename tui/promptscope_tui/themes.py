"""The app's own themes, and the variables that its styles use besides Textual's: `themes.json`.

Colour means origin: green is the user's files, grey the agent's wording, amber settings, blue the machine, violet
tools; red-orange is more tokens, green fewer. Colour is never the only cue: each has a glyph or a word beside it.
"""

import json
from pathlib import Path

from textual.theme import BUILTIN_THEMES, Theme

_DATA = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

THEMES = DARK, LIGHT, ANSI = tuple(Theme(**each) for each in _DATA["themes"])
ANSI.variables = BUILTIN_THEMES["ansi-dark"].variables | ANSI.variables

DEFAULTS: dict[str, str] = _DATA["defaults"]
"""The variables for any other theme."""
