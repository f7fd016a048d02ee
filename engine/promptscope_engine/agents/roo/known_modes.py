"""The modes as they are defined: those that come along (bundled/modes), those of files, those that a task is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from promptscope_engine.agents.kit.folder import Bundled
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import Piece, builtin, param_value, traced_lines
from promptscope_engine.prompt.model import FileLimit, SettingSource
from promptscope_engine.workspace import FileText

from .texts import FOLDER

HELD_TO_PATTERN = ("apply_diff", "write_to_file", "insert_content", "search_and_replace")
"""The tools whose path has to match: by their parameters Roo knows that they edit, which it does not of generate_image
(3)."""

_TEXTS = {"roleDefinition": "role", "whenToUse": "when_to_use", "customInstructions": "custom_instructions"}
"""What a mode that comes along calls its texts, by the keys of a modes file."""
BUILT_IN, GIVEN = "built in", "given"


@frozen
class KnownMode:
    """A mode; its `texts` by the keys of a modes file. `source` is `built in`, `given`, or whose `file` it is of:
    `project` or `global`.

    `limit` is the pattern of the files that it may edit, and what that is called. `lines` are where texts, groups and
    the pattern begin in the file.
    """

    slug: str
    name: str
    groups: tuple[str, ...]
    texts: Mapping[str, str]
    source: str = BUILT_IN
    limit: tuple[str, str | None] | None = None
    file: FileText | None = None
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The file as it is shown."""
        return ".roomodes" if self.source == "project" else self.file.path if self.file else ""

    def pieces(self, key: str, text: str) -> Iterator[Piece]:
        """`text`, a stretch from the start of one of the mode's texts, with its origins."""
        if self.file is not None:
            yield from traced_lines(self.path, self.file.text, text, self.lines[key], f"{self.slug}.{key}")
        elif self.source == GIVEN:
            yield param_value(f"customModes.{self.slug}.{key}", text)
        else:
            yield builtin(f"mode.{self.slug}.{_TEXTS[key]}", text)

    def setting(self, key: str) -> SettingSource | None:
        """Where a person edits one of the mode's values; None for one that comes along."""
        if self.source == GIVEN:
            return SettingSource("customModes", overlay="customModes")
        if self.file is None:
            return None
        shown = ".roomodes" if self.source == "project" else "custom_modes.yaml"
        line = self.lines.get(key) or self.lines["groups"]
        return SettingSource(key, self.path, shown, line, key in self.lines)

    @property
    def edits_only(self) -> FileLimit | None:
        """The files that the group edit is limited to."""
        return FileLimit(*self.limit, HELD_TO_PATTERN, self.setting("fileRegex")) if self.limit else None


def _built_in(along: Bundled) -> KnownMode:
    head, own = along.head, {"role": along.text, **along.forms}
    texts = {key: own[form] for key, form in _TEXTS.items() if form in own}
    limit = (head["edits_only"], head["edits_named"]) if "edits_only" in head else None
    return KnownMode(along.name, head["name"], tuple(head["groups"].split()), texts, limit=limit)


BUILT_IN_MODES = {name: _built_in(mode) for name, mode in FOLDER.bundled("modes", FOLDER.versions[-1]).items()}
"""Those that come along, by slug, in Roo's order."""
DEFAULT_MODE = next(iter(BUILT_IN_MODES))
"""defaultModeSlug, also the fallback for an unknown slug (1): the first one, architect and not code."""
