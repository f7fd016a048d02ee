"""Brings a list of knobs up to date: which names does a release's public material hold that the list lacks?"""

from __future__ import annotations

import json
import re
from typing import Any

_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b")
_LISTED = re.compile(r"(?m)^\s*([a-z][a-z0-9_.]+)\s{2,}\S")


def names_in(text: str) -> set[str]:
    """The knobs that a text names: a JSON schema's properties, or flags, variables and the first words of a list's
    lines (`codex features list`, `copilot help config`)."""
    try:
        schema = json.loads(text)
    except ValueError:
        return {*_FLAG.findall(text), *_VARIABLE.findall(text), *_LISTED.findall(text)}
    found: set[str] = set()
    _properties(schema, found)
    return found


def _properties(node: Any, found: set[str]) -> None:
    """Every name below a `properties`, wherever it stands."""
    if isinstance(node, list):
        for one in node:
            _properties(one, found)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == "properties" and isinstance(value, dict):
                found.update(value)
            _properties(value, found)
