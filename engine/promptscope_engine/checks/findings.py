"""The rules of `check`, what a check found, and where."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import to_json

Level = Literal["error", "warning", "info"]


class Rule(Struct, frozen=True):
    """A rule: its id, the severity of a finding unless the settings say otherwise, and how to find them.

    `kind`: under what the overview lists its findings, "" for none. `advice`: it is off unless it is asked for, and
    never more than a hint.
    """

    id: str
    level: Level
    text: str
    kind: str = ""
    advice: bool = False


_ROWS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))["rule"]
_RULE_OF = {code: row["id"] for row in _ROWS for code in row.pop("codes", ())}

RULES: Mapping[str, Rule] = {row["id"]: Rule(**row) for row in _ROWS}
"""By id, in the order of the README's table."""

ADVICE = tuple(rule.id for rule in RULES.values() if rule.advice)
"""The rules that only give hints."""


def rule_of(code: str) -> str | None:
    """The rule that a diagnostic's code belongs to, if any but `agent-warning`."""
    return _RULE_OF.get(code)


SCHEMA = "promptscope.check.v1"


class Counterpart(Struct, frozen=True):
    """What a passage repeats: lines of a file, or with `path` None the agent's own text in the section `title`."""

    path: str | None = None
    line: int | None = None
    end: int | None = None
    title: str = ""


class FoundPassage(Struct, frozen=True):
    """One of the places that a finding stands for: lines `line` to `end` of its file, 1-based.

    `of`: what they repeat, where that is what was found; `tokens` are those of the lines, None where they don't matter.
    """

    line: int
    end: int
    tokens: int | None = None
    of: Counterpart | None = None
    agents: tuple[str, ...] = ()


class Finding(Struct, frozen=True):
    """A rule that does not hold: `path` below the repository or `~/...`, `line` 1-based, both None if no file is meant.

    `agents` are the ids of those for whom it was found. `tokens` are those that are lost or at risk: paid again, cut
    away, never read; None where no figure applies. `passages`: the places of a finding that stands for several.
    """

    rule: str
    level: Level
    message: str
    path: str | None = None
    line: int | None = None
    agents: tuple[str, ...] = ()
    tokens: int | None = None
    passages: tuple[FoundPassage, ...] = ()

    @property
    def place(self) -> str:
        """`path:line`, `path`, or "" for a finding about no file."""
        return f"{self.path or ''}{f':{self.line}' if self.line else ''}"


class Checked(Struct, frozen=True):
    """One prompt that was checked, and what it costs: `expected` tokens in a window of `window`."""

    agent: str
    agent_version: str
    mode: str | None
    expected: int
    window: int


class Spent(Struct, frozen=True):
    """What the dearest thing of a budget costs, in tokens; `number` is the budget's place in the settings."""

    number: int
    what: str
    agent: str
    tokens: int
    limit: int


class CheckReport(Struct, frozen=True):
    """The findings, errors first, each group by its tokens; the prompts checked, and what is spent of the budgets.

    `root` is the repository's, `settings` the file with the settings, None where there is none.
    """

    root: str
    settings: str | None
    prompts: tuple[Checked, ...]
    findings: tuple[Finding, ...]
    spent: tuple[Spent, ...] = ()
    notes: tuple[str, ...] = ()

    def failed(self, *, strict: bool = False) -> bool:
        """Whether there is an error; if `strict`, a warning is enough."""
        levels: tuple[Level, ...] = ("error", "warning") if strict else ("error",)
        return any(finding.level in levels for finding in self.findings)

    def to_dict(self) -> dict[str, Json]:
        """The report as JSON values (`promptscope schema check`)."""
        return {"schema": SCHEMA, **to_json(self)}
