"""The settings of `check`: `.promptscope.toml`, or `[tool.promptscope]` in pyproject.toml."""

import tomllib
from typing import Any, Literal, Self

from msgspec import Struct

from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.after import Event
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.models import Model, field
from promptscope_engine.inputs.params import scenario_error
from promptscope_engine.workspace import Workspace

from .findings import ADVICE, RULES

OWN_FILE = ".promptscope.toml"
PROJECT_FILE = "pyproject.toml"
_TABLE = ("tool", "promptscope")
_ASSERT, _ASSERTIONS = "assert", "assertions"


def _known(rules: list[str] | None) -> list[str] | None:
    for name in rules or ():
        if name not in RULES:
            close = nearest(name, RULES)
            raise ValueError(f"there is no rule {name!r}{f': did you mean {close[0]}?' if close else ''}")
    return rules


def _known_levels(levels: dict[str, str]) -> dict[str, str]:
    _known(list(levels))
    for name in ADVICE:
        if levels.get(name, "info") not in ("info", "off"):
            raise ValueError(f"{name!r} only gives hints: it is `info` or `off`")
    return levels


class Budget(Model):
    """What something may cost at most. Without `section`, `file` and `tool`: the whole prompt.

    `section`, `file` and `tool` are patterns with `*`; each thing that matches has the budget on its own.
    """

    agent: str | None = None
    mode: str | None = None
    section: str | None = None
    file: str | None = None
    tool: str | None = None
    tokens: int | None = field(default=None, ge=0)
    share: float | None = field(default=None, ge=0, le=1, description="of the model's window, from 0 to 1")

    @property
    def limit(self) -> str:
        """The key that it is found by in the file: `tokens`, unless only `share` is given."""
        return "share" if self.tokens is None else "tokens"

    def is_for(self, agent: str, mode: str | None) -> bool:
        """Whether it limits the prompt of an agent in a mode."""
        return self.agent in (None, agent) and self.mode in (None, mode)

    def model_check(self) -> None:
        """It limits something, and one kind of thing."""
        if self.tokens is None and self.share is None:
            raise ValueError("a budget needs `tokens` or `share`")
        if sum(each is not None for each in (self.section, self.file, self.tool)) > 1:
            raise ValueError("a budget is for a section, a file or a tool: only one of them")


class Growth(Model):
    """By how much a prompt may grow since a revision. What is not given is not limited."""

    against: str
    tokens: int | None = field(default=None, ge=0)
    percent: float | None = field(default=None, ge=0)


class Assertion(Model):
    """What has to hold of a session's later request."""

    survives: str = field(
        description="a file, or a heading of it as `CLAUDE.md#security`, that is still an instruction then"
    )
    event: Event = field(default="compact", description="`compact`, `auto`, `clear`, `resume` or `turn`")
    agent: str | None = field(default=None, description="absent: every agent whose later requests are known")
    after_read: list[str] = field(default_factory=list, description="files that the session has read")

    def is_for(self, agent: str) -> bool:
        """Whether it is about an agent's prompt."""
        return self.agent in (None, agent)


class Ignore(Model):
    """Findings that do not count: in files that match `path`, of these rules, on these lines (absent: of all)."""

    path: str
    rules: list[str] | None = field(default=None, after=_known)
    lines: list[int] | None = None


class Situation(Model):
    """How an agent is started for the check, where it is not as promptscope would assume."""

    agent_version: str | None = None
    mode: str | None = None
    model: str | None = None
    params: dict[str, Any] = field(default_factory=dict)


class CheckSettings(Model):
    """What `check` holds the repository to."""

    agents: list[str] | None = field(default=None, description="absent: those that read a file which is here")
    strict: bool = field(default=False, description="warnings fail too")
    budget: list[Budget] = field(default_factory=list)
    growth: Growth | None = None
    assertions: list[Assertion] = field(default_factory=list, description="what has to hold, as `[[assert]]`")
    required: list[str] = field(default_factory=list, description="files that some agent must be given")
    forbidden: list[str] = field(default_factory=list, description="files that no agent may be given")
    rules: dict[str, Literal["error", "warning", "info", "off"]] = field(default_factory=dict, after=_known_levels)
    repeated_from: int = field(
        default=30, ge=0, description="tokens from which on the repeated passages of a file are a finding"
    )
    advice: bool = field(default=False, description="hints on how instructions are worded, too")
    ignore: list[Ignore] = field(default_factory=list)
    scenario: dict[str, Situation] = field(default_factory=dict, description="by the agent's id")


class Loaded(Struct, frozen=True):
    """The settings, the file they are in (None: there is none), and what to say about it."""

    settings: CheckSettings
    path: str | None = None
    notes: tuple[str, ...] = ()

    def line(self, workspace: Workspace, *keys: str | int) -> int | None:
        """The line of a setting in that file; None where there is no file, or the line cannot be told."""
        if self.path is None:
            return None
        table = _TABLE if self.path.endswith(f"/{PROJECT_FILE}") else ()
        return key_line(workspace.read(self.path).text, [*table, *keys], "toml")

    @classmethod
    def nothing(cls) -> Self:
        """No settings, whatever files there are."""
        return cls(CheckSettings())


def load_settings(root: str, workspace: Workspace) -> Loaded:
    """The settings of the repository at `root`; `.promptscope.toml` counts where both files have some.

    Raises ScenarioError with `file:line` for a file that cannot be read, does not parse or does not validate.
    """
    own = _table(f"{root}/{OWN_FILE}", (), workspace)
    project = _table(f"{root}/{PROJECT_FILE}", _TABLE, workspace)
    if own is None and project is None:
        return Loaded.nothing()
    if own is not None:
        note = f"{OWN_FILE} counts; [tool.promptscope] in {PROJECT_FILE} is not read"
        return _validated(f"{root}/{OWN_FILE}", (), own, workspace, () if project is None else (note,))
    assert project is not None
    return _validated(f"{root}/{PROJECT_FILE}", _TABLE, project, workspace, ())


def _table(path: str, keys: tuple[str, ...], workspace: Workspace) -> dict[str, Any] | None:
    file = workspace.read(path)
    if file.problem == "missing":
        return None
    if not file.found:
        raise ScenarioError(f"cannot be read: {file.detail or file.problem}", where=path)
    try:
        values: Any = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"not valid TOML: {error}", where=path) from None
    except RecursionError:
        raise ScenarioError("nested too deeply", where=path) from None
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    if values is None:
        return None
    if not isinstance(values, dict):
        raise ScenarioError(f"[{'.'.join(keys)}] is a table", where=path)
    return values


def _validated(
    path: str, keys: tuple[str, ...], values: dict[str, Any], workspace: Workspace, notes: tuple[str, ...]
) -> Loaded:
    if _ASSERT in values:  # a word of Python's own
        values = {**values, _ASSERTIONS: values[_ASSERT]}
        del values[_ASSERT]
    try:
        return Loaded(CheckSettings.model_validate(values), path, notes)
    except ValueError as error:
        problem = scenario_error(error, CheckSettings)
        parts = [part for part in (problem.where or "").split(".") if part]
        place = [_ASSERT if part == _ASSERTIONS else part for part in parts]
        line = None
        while line is None and place:  # a problem of the whole table has no key of its own
            line = key_line(workspace.read(path).text, [*keys, *place], "toml")
            place.pop()
        message = problem.message.removeprefix("value error, ")
        where = f"{path}:{line}" if line else path
        named = ".".join(_ASSERT if part == _ASSERTIONS else part for part in parts) or problem.where
        raise ScenarioError(f"{named}: {message}", where=where, nearest=problem.nearest) from None
