"""learn.toml of an agent's folder: how its client is started and answered, and the files of the folders it is shown."""

import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.agents.kit.built_in import BuiltIn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Reason, Verdict


class Start(Struct, frozen=True):
    """A way to start the client: its words, what it then calls itself in a header, whether it is on a terminal.

    `seconds` is about how long it takes.
    """

    words: tuple[str, ...]
    user_agent: str = ""
    seconds: float = 1.0
    terminal: bool = False

    @property
    def command(self) -> tuple[str, ...]:
        """The words before any option or prompt: a command of the client's, whose `--help` is its own."""
        return tuple(takewhile(lambda word: word[0] not in "-{", self.words))


class Folder(Struct, frozen=True):
    """A kind of folder that it is started in: its files by path from `home/` or `repo/`, and whether it is git's.

    `servers` are MCP servers as a scenario has them, which are played by a program of promptscope's own.
    """

    git: bool = False
    files: Mapping[str, str] = {}
    servers: tuple[dict[str, Any], ...] = ()


class Answer(Struct, frozen=True):
    """A dialog, by a pattern of what it shows, and the keys that answer it."""

    shows: str
    keys: str


class Observing(Struct, frozen=True):
    """The observing mod: what the client asks for by its own names, and what other mods answer.

    `folder` is in the agent's folder. The client loads it by the variable `loaded_by` or by `option`, which is further
    out, from version `since` on, and it writes to the file that the variable `writes` names; `texts` are variables with
    which it writes texts, too. `command` runs the client beside a person's mods, {settings} being those that switch
    mods off: `switch` is the key of a table of ids, and `held` the source of mods that stay on. `sections` has the ids
    of ours by the client's names of sections.
    """

    folder: str
    since: str
    loaded_by: str
    option: str
    writes: str
    texts: Mapping[str, str]
    command: tuple[str, ...]
    switch: str
    held: str
    sections: Mapping[str, tuple[str, ...]] = {}


class Script(Struct, frozen=True):
    """learn.toml of an agent's folder."""

    package: str
    programs: tuple[str, ...]
    prompts: tuple[str, ...]
    """What is asked, in turns: what a prompt decides differs from run to run."""

    start: Mapping[str, Start]
    workspace: Mapping[str, Folder]
    places: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    settings: Mapping[str, str] = {}
    mode: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    files: Mapping[str, str] = {}
    values: Mapping[str, Any] = {}
    skip: tuple[str, ...] = ()
    """Inputs that are not flipped."""

    untried: tuple[str, ...] = ()
    """Patterns of options of `--help` that are never tried: with them no usual request is sent."""

    given: Mapping[str, Any] = {}
    """Inputs that hold for every run, by dotted name: nothing but the model's server answers it."""
    unseen: Mapping[str, tuple[str, ...]] = {}
    """What no blank run has (a login, another system), and the inputs that stand for it."""
    observing: Observing | None = None
    """None for a client that loads no mods."""

    @property
    def richest(self) -> str:
        """The kind of folder that shows most: the last one."""
        return [*self.workspace][-1]


def script_of(folder: Path) -> Script | None:
    """The script in an agent's folder; None for an agent that cannot be learned."""
    try:
        return convert(tomllib.loads((folder / "learn.toml").read_text("utf-8")), Script)
    except FileNotFoundError:
        return None


@lru_cache
def _script_of(folder: Path) -> Script | None:
    return script_of(folder)


class Unconfirmed:
    """Which parts of an agent's prompt no blank run shows, under a scenario: they depend on a login, say."""

    def __init__(self, agent: Describes, scenario: Scenario) -> None:
        script = _script_of(agent.folder.path) if isinstance(agent, BuiltIn) else None
        given = {**flatten(scenario.params), **{f"env.{name}": value for name, value in (scenario.env or {}).items()}}
        self._causes = dict(_unseen(agent, script, given)) if script else {}

    def cause(self, why: Reason) -> str:
        """What a run would need to show a present part: `a login`; "" for a part that a blank run shows."""
        if not self._causes or why.condition is None:
            return ""
        return next((self._causes[leaf.name] for leaf in deciding(why.condition) if leaf.name in self._causes), "")


def _unseen(agent: Describes, script: Script, given: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The inputs with a value that no blank run has, each with what such a run would need."""
    for field in inputs_of(agent):
        blank = script.given.get(field.name, field.default)
        if given.get(field.name, field.default) != blank:
            for cause, patterns in script.unseen.items():
                if any(fnmatchcase(field.name, pattern) for pattern in patterns):
                    yield field.name, cause


def deciding(verdict: Verdict) -> Iterator[Verdict]:
    """The leaves that make a condition what it is, fulfilled or not."""
    if not verdict.children:
        yield verdict
    for child in verdict.children:
        if child.ok is verdict.ok or verdict.op == "not":
            yield from deciding(child)
