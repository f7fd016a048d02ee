"""What a model's name says: its bare name, its Claude version, and whether it asks for the long window."""

from __future__ import annotations

import re

from msgspec import Struct

_LONG = re.compile(r"(?:\[1m\]|[-:]1m)$")
# "us.anthropic.claude-…", "openai.gpt-oss-…": words with dots after them. A version's dot follows a digit.
_VENDOR = re.compile(r"^(?:[a-z-]+\.)+(?=[a-z])")
# One or two digits, so that "20250929" is no version; not followed by letters, so that "-1m" is none.
_VERSION = re.compile(r"(?<!\d)(\d{1,2})(?:[.-](\d{1,2})(?![a-z0-9]))?(?!\d)")
_CLAUDE_ALIASES = frozenset({"sonnet", "opus", "haiku", "opusplan"})

NEWEST = (99, 0)
"""The version of a Claude name that gives none (`opus`, `claude-sonnet-latest`): it follows the newest."""


class ModelName(Struct, frozen=True):
    """A model's name, taken apart."""

    bare: str
    """Lower case, without provider, region, route (`:free`), deployment date (`@…`) and `[1m]`."""

    claude: tuple[int, int] | None
    """(major, minor) of a Claude model, `NEWEST` where the name gives none; None for every other model."""

    long_context: bool
    """The name ends in `[1m]`, `-1m` or `:1m`: the window of a million tokens is asked for."""


def parse_model(model: str) -> ModelName:
    """Take a model's name apart, in any spelling that providers and routers use.

    Understood are `anthropic/claude-sonnet-4.5`, `openrouter/openai/gpt-5:free`,
    `us.anthropic.claude-opus-4-1-20250805-v1:0`, `claude-sonnet-4-5@20250929`, `ft:gpt-4o:team::id`,
    `sonnet[1m]`. Never raises: an unknown name comes back as it is, in lower case.
    """
    name = model.strip().lower()
    without_long = _LONG.sub("", name)
    bare = without_long.rpartition("/")[2].removeprefix("ft:")
    bare = _VENDOR.sub("", re.split("[:@]", bare)[0])
    return ModelName(bare=bare, claude=_claude_version(bare), long_context=without_long != name)


def _claude_version(bare: str) -> tuple[int, int] | None:
    if bare in _CLAUDE_ALIASES:
        return NEWEST
    if "claude" not in bare:
        return None
    found = _VERSION.search(bare)
    return (int(found[1]), int(found[2] or 0)) if found else NEWEST
