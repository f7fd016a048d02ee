"""The modes that Roo brings along (specs/roo.md 3), in its order: slugs, names and groups are Roo's."""

from __future__ import annotations

from promptscope_engine.agents.kit.folder import Bundled
from promptscope_engine.frozen import frozen

from .texts import FOLDER


@frozen
class BuiltinMode:
    """A built-in mode. `when_to_use` is what MODES lists; `custom_instructions` is "" where the mode has none;
    `edits_only` is the pattern of the files that it may edit, and what that is called."""

    slug: str
    name: str
    groups: tuple[str, ...]
    when_to_use: str
    role: str
    custom_instructions: str
    description: str
    edits_only: tuple[str, str] | None = None


def _mode(along: Bundled) -> BuiltinMode:
    head, forms = along.head, along.forms
    return BuiltinMode(
        along.name,
        head["name"],
        tuple(head["groups"].split()),
        forms["when_to_use"],
        along.text,
        forms.get("custom_instructions", ""),
        head["description"],
        (head["edits_only"], head["edits_named"]) if "edits_only" in head else None,
    )


BUILTIN_MODES = tuple(map(_mode, FOLDER.bundled("modes", FOLDER.versions[-1]).values()))
DEFAULT_MODE = BUILTIN_MODES[0].slug
"""defaultModeSlug, also the fallback for an unknown slug (1): the first built-in mode, architect and not code."""
