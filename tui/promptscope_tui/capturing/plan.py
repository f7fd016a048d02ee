"""What is recorded, and what the person is told about it before and after."""

import json
import shlex
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from promptscope_engine.captures.model import Capture
from promptscope_engine.captures.recipes import (
    GENERIC,
    Recipe,
    agent_name,
    command_line,
    environment,
    given_settings,
    settings_of,
)
from promptscope_engine.formats.document import Json

TIMEOUT = 120.0
"""Seconds after which a command is stopped, unless the person says otherwise."""
_MAX_SETTINGS = 1 << 20


class Observing(Struct, frozen=True):
    """The observing mod in a run: the words that load it, first of all, and the variable for the file that it writes.

    `runs`: how many follow, for what each single mod does.
    """

    words: tuple[str, ...]
    variable: str
    runs: int = 0


class Plan(Struct, frozen=True):
    """What is recorded. `command` is empty where the person starts the agent. `overlay` as in `command_line`.

    `timeout` in seconds: of the whole run, with an upstream since the last traffic; None: as long as it takes.
    `cwd` is the folder of the run, None for the current one. `log` is a file that takes all that the command prints;
    with one it has no terminal, and nothing to read. `isolated`: the folders that the command may write to, of which
    nothing reaches the disk; (): it runs as it is. `dialogs`: it has a pseudo-terminal, and these are answered there.
    `in_haste`: the command is killed as soon as it has its answer: nothing that it would still do matters.
    `version` is the program's as its package tells it, or "". What its requests say counts for more.
    `programs`: in words, the hooks and mods that the agent runs. `observing`: only of an isolated run.
    """

    agent: str | None
    recipe: Recipe
    command: tuple[str, ...]
    env: Mapping[str, str]
    upstream: str | None = None
    port: int = 0
    timeout: float | None = None
    keep_login: bool = False
    ends_itself: bool = True
    overlay: Callable[[str], Json] | None = None
    cwd: str | None = None
    log: Path | None = None
    isolated: tuple[str, ...] = ()
    dialogs: Mapping[str, str] | None = None
    in_haste: bool = False
    version: str = ""
    programs: tuple[str, ...] = ()
    observing: Observing | None = None

    def words(self, url: str) -> list[str]:
        """The command that is run."""
        if not self.command:
            return []
        program, *rest = self.command
        more = self.observing.words if self.observing else ()
        return command_line(self.recipe, url, (program, *more, *rest), self.overlay(url) if self.overlay else None)

    def environment(self, url: str) -> dict[str, str]:
        """The environment it is run in."""
        own = self.keep_login or self.upstream is not None
        return environment(self.recipe, url, self.env, keep_login=own, proxied=self.upstream is None)

    @property
    def folder(self) -> str:
        """Where it is run."""
        return self.cwd or str(Path.cwd())

    def changes(self, url: str) -> dict[str, str]:
        """The variables that the recipe sets, without those that refuse other traffic."""
        new = self.environment(url)
        changed = (name for name, value in new.items() if self.env.get(name) != value)
        return {name: new[name] for name in changed if "proxy" not in name.lower()}


def free_port() -> int:
    """A port that nobody has now: what is shown before a run can name it."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def overlay_of(recipe: Recipe, command: tuple[str, ...], folder: str) -> Callable[[str], Json] | None:
    """The person's own settings on the command line, with the recipe's laid over them; None where there are none.

    A file is looked for from `folder` on. Raises ValueError with the words for what cannot be read.
    """
    given = given_settings(recipe, command)
    if given is None:
        return None
    try:
        own = json.loads(given if given.lstrip().startswith("{") else _settings_file(Path(folder, given)))
    except (OSError, ValueError, RecursionError) as error:
        option = recipe.settings[0] if recipe.settings else ""
        raise ValueError(f"{option} cannot be read: {error}") from None
    return lambda url: settings_of(recipe, url, own)


def _settings_file(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(_MAX_SETTINGS)


def announcement(plan: Plan, url: str) -> Iterator[str]:
    """What will happen, line by line: the exact command first."""
    yield f"runs in {plan.folder}: {shlex.join(plan.words(url))}"
    if changes := plan.changes(url):
        yield f"  with {', '.join(changes)} set"
    yield from warnings(plan)


def warnings(plan: Plan) -> Iterator[str]:
    """What a person should know before the command is run."""
    recipe = plan.recipe
    started = recipe.starts or "the repository's hooks and MCP servers"
    yield f"  with your own rights and settings; it may start {started} without asking"
    yield from (f"  it runs {each}" for each in plan.programs)
    if plan.programs and not plan.isolated and sys.platform == "linux":
        yield "  --isolated keeps what they write from the disk, and finds out what each mod does"
    if plan.isolated:
        yield f"  isolated: what it writes to {', '.join(plan.isolated)} reaches no disk; all else is read-only"
    elif recipe.writes:
        yield f"  it may write {recipe.writes}"
    if plan.upstream:
        yield f"  model traffic goes on to {plan.upstream}, with your login: it costs what the agent costs"
    elif plan.isolated:
        yield "  a blank run: nothing is sent to a model, and its network is the loopback alone"
    else:
        yield "  a blank run: nothing is sent to a model; other traffic is refused by proxy variables,"
        yield "  but a program that ignores those could still connect"
    if plan.observing:
        yield "  promptscope's observing mod is the outermost: it changes nothing, and notes what there is by name"
        if plan.observing.runs:
            yield f"  {plan.observing.runs} more runs follow, with and without single mods: what each of them does"
    if recipe is GENERIC:
        yield "  no recipe for this agent: the variables of all protocols are set"


def nothing_came(plan: Plan, capture: Capture) -> str:
    """What was tried, where no request came."""
    code = capture.end.exit
    how = f"; the command ended with exit code {code}" if code is not None else ""
    tried = ", ".join(sorted(plan.changes("the server"))) or "no variables"
    arguments = " ".join(plan.recipe.arguments[:1]) or (plan.recipe.settings[0] if plan.recipe.settings else "")
    also = f" and {arguments}" if arguments else ""
    return f"no request came from {agent_name(plan.agent, plan.command)}{how}; tried {tried}{also}"
