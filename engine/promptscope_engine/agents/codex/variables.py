"""The environment variables that Codex reads (specs/codex.md 2.3, 5, 6.1)."""

from __future__ import annotations

from promptscope_engine.inputs.params import variable

VARIABLES = (
    variable("CODEX_HOME", "the folder that stands for ~/.codex"),
    variable("TMPDIR", "a folder for temporary files: a command may write to it"),
    variable("TZ", "the time zone of the date; the zone that is named stays the machine's"),
)
"""What a person may set. `SHELL` is not consulted (specs/codex.md 5.1)."""
