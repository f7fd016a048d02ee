"""The rules of `check`, from rules.toml; the README's table is made from them."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

Level = Literal["error", "warning", "info"]


class Rule(Struct, frozen=True):
    """A rule: its id, the severity of a finding unless the settings say otherwise, and how to find them.

    `advice`: it is off unless it is asked for, and never more than a hint.
    """

    id: str
    level: Level
    text: str
    advice: bool = False


_ROWS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["rule"]
_RULE_OF = {code: row["id"] for row in _ROWS for code in row.pop("codes", ())}

RULES: Mapping[str, Rule] = {row["id"]: Rule(**row) for row in _ROWS}
"""By id, in the order of the README's table."""

ADVICE = tuple(rule.id for rule in RULES.values() if rule.advice)
"""The rules that only give hints."""


def rule_of(code: str) -> str | None:
    """The rule that a diagnostic's code belongs to, if any but `agent-warning`."""
    return _RULE_OF.get(code)
