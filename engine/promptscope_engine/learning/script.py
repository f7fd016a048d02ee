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
    """A way to start the client."""

    words: tuple[str, ...]
    """its words, with `{prompt}`"""
    user_agent: str = ""
    """what the client then calls itself in a header"""
    seconds: float = 1.0
    """about how long it takes"""
    terminal: bool = False
    """it is on a terminal"""

    @property
    def command(self) -> tuple[str, ...]:
        """The words before any option or prompt: a command of the client's, whose `--help` is its own."""
        return tuple(takewhile(lambda word: word[0] not in "-{", self.words))


class Folder(Struct, frozen=True):
    """A kind of folder that the client is started in."""

    git: bool = False
    """it is a git repository"""
    files: Mapping[str, str] = {}
    """its files by path, from `home/` or `repo/`"""
    servers: tuple[dict[str, Any], ...] = ()
    """MCP servers as a scenario has them, which a program of promptscope's own plays"""


class Observing(Struct, frozen=True):
    """The observing mod: what the client asks for by its own names, and what other mods answer."""

    folder: str
    """where it is in the agent's folder"""
    since: str
    """the first version that loads it"""
    loaded_by: str
    """the variable by which the client loads it"""
    option: str
    """the option by which it does, which makes the mod outermost"""
    writes: str
    """the variable that names the file to which the mod writes"""
    texts: Mapping[str, str]
    """variables with which it writes texts, too"""
    command: tuple[str, ...]
    """the client's command beside a person's mods; `{settings}` are those that switch mods off"""
    switch: str
    """the key of the settings with a table of the ids that are off"""
    held: str
    """the source of mods that stay on"""
    sections: Mapping[str, tuple[str, ...]] = {}
    """the ids of sections by the client's own names"""


class Script(Struct, frozen=True):
    """The whole file."""

    package: str
    """the name of the client's package"""
    programs: tuple[str, ...]
    """names of its program"""
    prompts: tuple[str, ...]
    """what is asked, in turns: what a prompt decides differs from run to run"""
    start: Mapping[str, Start]
    """`[start.NAME]`: the ways to start the client"""
    workspace: Mapping[str, Folder]
    """`[workspace.NAME]`: the kinds of folders, the one that shows most at the end"""
    places: tuple[str, ...] = ()
    """where the program may be besides PATH"""
    env: Mapping[str, str] = {}
    """variables of each run"""
    settings: Mapping[str, str] = {}
    """how a key of the settings is given: by an `option`, or in a `file`"""
    mode: tuple[str, ...] = ()
    """the words that choose a mode, `{value}`"""
    model: tuple[str, ...] = ()
    """the words that choose a model"""
    answers: Mapping[str, str] = {}
    """the keys that answer a dialog, by a pattern of what it shows; the first one that fits counts"""
    files: Mapping[str, str] = {}
    """files of every folder, by path"""
    values: Mapping[str, Any] = {}
    """the values that inputs are set to, by dotted name, where the usual choices do not do"""
    skip: tuple[str, ...] = ()
    """inputs that are not flipped"""
    untried: tuple[str, ...] = ()
    """patterns of options of `--help` that are never tried: with them no usual request is sent"""
    given: Mapping[str, Any] = {}
    """inputs that hold for every run, by dotted name: nothing but the model's server answers it"""
    unseen: Mapping[str, tuple[str, ...]] = {}
    """what no blank run has (a login, another system), and the inputs that stand for it"""
    observing: Observing | None = None
    """`[observing]`: the observing mod, of a client that loads mods"""

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
