"""What is asked: the scenario, and reading one from a file.

The shape is CONTRACT's "Scenario (input)". `params` are validated by the agent's own model when the scenario is
assembled, so a scenario can be written down before its agent is known.
"""

import json
import os
import stat
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from promptscope_engine.formats.document import Json, Notation, toml, unfit
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.formats.yaml import YamlError, read_yaml

from .after import After
from .edits import Edit
from .errors import ScenarioError
from .models import Model, field
from .params import scenario_error, with_value

_NOTATIONS: dict[str, Notation] = {".toml": "toml", ".yaml": "yaml", ".yml": "yaml"}

TOP_LEVEL = (
    "agent",
    "agent_version",
    "mode",
    "model",
    "tokenizer",
    "workspace",
    "home",
    "managed",
    "outside_links",
    "capture",
    "definition",
)
_TEXTS = frozenset(TOP_LEVEL) - {"outside_links"}
"""Those that may be any text."""
_FLAGS = ("learned", "attended")


MAX_BYTES = 32 * 1024 * 1024
"""A scenario that is larger is some other file."""


class GitFacts(Model):
    """What git says of a repository, where a prompt tells about it; given, git is not asked."""

    branch: str = field(default="main", description="the branch, `HEAD` for a detached one")
    main_branch: str = field(default="main", description="the branch that pull requests go to")
    user: str = field(default="", description="`git config user.name`")
    status: str = field(default="", description="`git status --short`")
    commits: list[str] = field(default_factory=list, description="`git log --oneline`, the latest first")


class Environment(Model):
    """Facts of the machine; what is not given is read from the machine (see environment.py)."""

    os_name: str | None = field(default=None, description="the system as Roo prints it, e.g. `Linux 6.1`")
    os_type: str | None = field(default=None, description="`Linux`, `Darwin` or `Windows_NT`")
    os_version: str | None = field(default=None, description="the kernel's release")
    platform: str | None = field(default=None, description="`linux`, `darwin` or `win32`")
    arch: str | None = field(default=None, description="`x64`, `arm64`, …")
    shell: str | None = field(default=None, description="the user's login shell, a path")
    hostname: str | None = None
    timezone: str | None = field(default=None, description="an IANA name")
    date: str | None = field(default=None, description="ISO 8601")
    username: str | None = None
    language: str | None = field(default=None, description="the editor's display language, e.g. `pt-br`")
    node: str | None = field(default=None, description="the JavaScript runtime's version, e.g. `v22.12.0`")

    workspace: str | None = field(
        default=None,
        description="the workspace as the inspected machine names it, e.g. `C:\\Users\\ada\\shop`: the agent finds its "
        "files there, and `home` may be a path of that machine",
    )
    git: GitFacts | None = field(default=None, description="absent: git is asked")

    @cached_property
    def read_at(self) -> str:
        """The machine's time, read once: a scenario, its variants and a second run have the same."""
        return datetime.now().astimezone().isoformat(timespec="seconds")


class McpServer(Model):
    """A stand-in for an MCP server: promptscope never starts one."""

    name: str
    status: Literal["connected", "connecting", "disconnected"] = "connected"
    error: str | None = field(default=None, description="of a disconnected one: the error")
    errorCode: str | None = field(default=None, description="its code, such as ENOENT")  # noqa: N815 - as clients write it
    disabled: bool = False
    source: Literal["project", "global"] = "project"
    config: dict[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    tools: list[dict[str, Any]] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    resourceTemplates: list[dict[str, Any]] = field(default_factory=list)  # noqa: N815 - MCP's own name


def _without_nulls(env: Any) -> Any:
    """A variable that is null is taken away."""
    return {name: text for name, text in env.items() if text is not None} if isinstance(env, Mapping) else env


class Scenario(Model):
    """One question: which agent, where, with which inputs. Validated; never changed in place."""

    agent: str | None = field(default=None, description="an agent's id; absent: detected from the workspace's files")
    agent_version: str | None = field(
        default=None, description="absent: the newest that is modelled; with `learned`, the one that was learned last"
    )
    workspace: str = field(".", description="where the agent would be started")
    home: str | None = field(default=None, description="absent: the user's; every `~` resolves below it")
    managed: str | None = field(default=None, description="stand-in for the managed-policy folder")
    mode: str | None = None
    model: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    environment: Environment = field(default_factory=Environment)
    env: dict[str, str] | None = field(
        default=None, before=_without_nulls, description="the environment variables the agent sees"
    )
    mcp_servers: list[McpServer] | None = field(default=None, description="stand-ins; null: the configured servers")
    reads: list[str] = field(default_factory=list, description="files the agent is imagined to read, in order")
    after: After | None = field(
        default=None, description="the request is not a session's first one: what happened before it; null: it is"
    )
    outside_links: Literal["refuse", "follow"] = field(
        default="refuse",
        description="links that lead out of the announced folders: refused, or followed as the agent does",
    )
    edits: list[Edit] = field(
        default_factory=list, description="imagined changes to the finished prompt, applied in order"
    )
    tokenizer: str | None = field(default=None, description="absent: from the model")
    learned: bool = field(
        default=False,
        description="whether what `learn` and `calibrate` learned on this machine takes the place of stand-ins",
    )
    attended: bool = field(
        default=False,
        description="whether somebody sits at it: what nothing says otherwise is then an interactive session, in a "
        "folder that is trusted",
    )
    capture: str | None = field(
        default=None,
        description="a capture file: what is assembled is the request in it, unless `agent` is one that is modelled",
    )

    definition: str | None = field(
        default=None,
        description="a file that defines an agent, whose prompt it is unless `agent` is another one; absent: "
        "`promptscope-agent.toml` in the workspace, if it is there",
    )

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Scenario":
        """As `model_validate`, but without the validator where it would change nothing.

        That is if only texts are given, in places where any text will do, `learned` and `attended`. The validator takes
        25 ms to build.
        """
        if all(_fits(name, value) for name, value in values.items()):
            return cls.model_construct(**values)
        return cls.model_validate(values)

    def with_value(self, name: str, value: Json) -> "Scenario":
        """A copy with one thing changed: a key of TOP_LEVEL, `reads`, `env.NAME`, or a dotted name below `params`.

        None takes a variable away.
        """
        if name in (*TOP_LEVEL, "reads"):
            return self.model_copy(update={name: value})
        if name.partition(".")[0] == "after":
            return self._with_after(name.removeprefix("after").removeprefix("."), value)
        if name.startswith("env."):
            env = {**(self.env or {}), name.removeprefix("env."): value}
            return self.model_copy(update={"env": {key: text for key, text in env.items() if text is not None}})
        return self.model_copy(update={"params": with_value(self.params, name, value)})

    def _with_after(self, name: str, value: Json) -> "Scenario":
        """A copy with another `after`, or with one thing in it changed; a text alone names the event."""
        if not name:
            given = {"event": value} if isinstance(value, str) else value
        else:
            given = {**(self.after.model_dump(exclude_unset=True) if self.after else {}), name: value}
        return self.model_copy(update={"after": None if given is None else After.model_validate(given)})

    def variables(self) -> dict[str, Json]:
        """The environment variables under their dotted names, `env.NAME`."""
        return {f"env.{name}": value for name, value in (self.env or {}).items()}

    def to_dict(self) -> dict[str, Json]:
        """The scenario as JSON values, without what was not set."""
        return self.model_dump(exclude_unset=True)


def _fits(name: str, value: object) -> bool:
    """Whether it is a text where any text will do, variables, or a plain yes or no."""
    if name == "env":
        return type(value) is dict and all(type(each) is str for pair in value.items() for each in pair)
    return type(value) is (bool if name in _FLAGS else str) and name in (*_TEXTS, *_FLAGS)


def load_scenario(path: str | Path) -> Scenario:
    """A scenario from a JSON, YAML or TOML file, told by its ending.

    Raises ScenarioError with `file:line` for a file that cannot be read, does not parse or does not validate.
    """
    path = Path(path)
    text = _text_of(path)
    notation = _NOTATIONS.get(path.suffix.lower(), "json")
    values = _parse(path, text, notation)
    if not isinstance(values, dict):
        raise ScenarioError("a scenario is an object of keys and values", where=f"{path}:1")
    try:
        check_values(values)
    except ScenarioError as flaw:
        line = _line_of(text, flaw.where or "", notation)
        raise ScenarioError(f"{flaw.where}: {flaw.message}", where=f"{path}:{line}") from None
    try:
        return Scenario.model_validate(values)
    except ValueError as error:
        problem = scenario_error(error, Scenario)
        line = _line_of(text, problem.where or "", notation)
        raise ScenarioError(
            f"{problem.where}: {problem.message}", where=f"{path}:{line}", nearest=problem.nearest
        ) from None


def check_values(values: Mapping[str, Json], where: str = "") -> None:
    """Raises ScenarioError for values that are no JSON: dates, numbers without an end, a depth that nobody means."""
    if problem := unfit(values):
        path, message = problem
        raise ScenarioError(message, where=".".join(filter(None, (where, *map(str, path)))))


def _text_of(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        # A shell's `<(command)` is a pipe, and stdin may be anything; a pipe of another name may never be written to.
        given = path.parent in (Path("/dev/fd"), Path("/proc/self/fd")) or path == Path("/dev/stdin")
        if not stat.S_ISREG(mode) and not given:
            raise ScenarioError("cannot read the scenario: it is not a regular file", where=str(path))
        # What looks regular below /proc may wait for ever: not with O_NONBLOCK, and then there is nothing to read.
        with open(path, "rb", opener=None if given else _without_waiting) as file:
            data = file.read(MAX_BYTES + 1)
        if data is None:
            raise ScenarioError("cannot read the scenario: there is nothing to read", where=str(path))
        if len(data) > MAX_BYTES:
            raise ScenarioError(f"the scenario is larger than {MAX_BYTES:,} bytes", where=str(path))
        return data.decode("utf-8")
    except ScenarioError:
        raise
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise ScenarioError(f"cannot read the scenario: {what}", where=str(path)) from None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _parse(path: Path, text: str, notation: Notation) -> Json:
    try:
        match notation:
            case "toml":
                return toml(text)
            case "yaml":
                return read_yaml(text).value
            case "json":
                return json.loads(text)
    except json.JSONDecodeError as error:
        raise ScenarioError(error.msg, where=f"{path}:{error.lineno}") from None
    except YamlError as error:
        raise ScenarioError(error.message, where=f"{path}:{error.line}" if error.line else str(path)) from None
    except RecursionError:
        raise ScenarioError("it is nested too deeply", where=str(path)) from None
    except ValueError as error:  # TOML that does not parse, a number of thousands of digits
        raise ScenarioError(str(error), where=str(path)) from None


def _line_of(text: str, key: str, notation: Notation) -> int:
    """The line of the key, or of the nearest one around it: a key that is missing is written nowhere."""
    while key:
        line = key_line(text, key, notation)
        if line is not None:
            return line
        key = key.rpartition(".")[0]
    return 1
