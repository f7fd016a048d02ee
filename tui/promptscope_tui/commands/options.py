"""The options that all commands about a prompt share, and the scenario and assembly that they describe."""

import json
import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.sources import given_layer, lay_over, layers_in
from promptscope_engine.agents.registry import built_in_ids, definition_in, is_registered, load_agent, observed_id
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.option import OptionError, parsed
from promptscope_engine.inputs.params import scenario_error, with_value
from promptscope_engine.inputs.scenario import Scenario, check_values, load_scenario
from promptscope_engine.insight.quirks import quirks_in
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter, counter_for
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute, is_folder
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Format
from promptscope_tui.settings import wordings
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.settings.paths import config_folder, state_folder
from promptscope_tui.settings.settings import DEFAULTS, Settings, read_settings

from .table import COMMANDS, MEANT

Command = Callable[..., None]

_DEFINITIONS = ".toml"
_FOLDERS = (".", "/", "~")
"""What the name of a file that defines an agent ends with; no agent's id does."""


class Options(Struct, frozen=True):
    """The values of the common options. `given` holds the scenario's keys that have an option of their own."""

    path: str | None
    file: str | None
    given: dict[str, str | None]
    settings: tuple[str, ...]
    form: Format
    learned: bool = False
    agent_dir: str | None = None
    verbose: bool = False
    """Whether stderr gets what is only information, too."""

    def scenario(self, settings: Settings | None = None, env: dict[str, str] | None = None) -> Scenario:
        """The scenario file, if there is one, overridden by the options, else the settings.

        The variables are those of `env`, or the process's, as the agent would see them if it were started here.
        Without `settings` the user's are read, and what is wrong with them goes to stderr.
        Raises click.UsageError for options that contradict each other, ScenarioError for what cannot be assembled.
        """
        settings = _users() if settings is None else settings
        base = load_scenario(self.file) if self.file else Scenario.of({})
        values = base.to_dict() | {key: value for key, value in self.given.items() if value is not None}
        _define(values, self.given["agent"])
        for key in ("agent", "tokenizer"):
            if key == "agent" and values.get("definition") is not None:
                continue  # a file that was named comes before the user's own settings
            if (value := getattr(settings, key)) is not None:
                values.setdefault(key, value)
        if self.learned:
            values["learned"] = True
        if not self.file and self.given["capture"] is None:
            values["attended"] = True
        self._place(base, values)
        if self.given["capture"] is not None:
            _observe(values, self.given)
        _say_sizes_alone(values.get("agent"), values.get("agent_version"))
        if values.get("env") is None:
            values["env"] = dict(os.environ) if env is None else env
        scenario = with_settings(values, self.settings)
        folder = scenario.workspace
        if scenario.home and folder.startswith("~"):
            folder = scenario.home + folder[1:]
        if not _is_folder(folder):
            raise ScenarioError(f"no such folder: {scenario.workspace}", where="workspace")
        return scenario

    def of_run(self, cwd: str | None) -> Scenario:
        """The scenario of a run that was started in `cwd`, unless the options name another folder.

        Nothing is assumed of how: the capture tells.
        """
        named = self.file is not None or self.given["workspace"] is not None
        own = self if cwd is None or named or not _is_folder(cwd) else replace(self, path=cwd)
        return own.scenario(DEFAULTS).model_copy(update={"attended": False})

    def words(self) -> list[str]:
        """The same options on a command line, but for the format."""
        named = [*self.given.items(), ("scenario", self.file), *(("set", setting) for setting in self.settings)]
        options = [f"--{name.replace('_', '-')}={value}" for name, value in named if value is not None]
        options += ["--learned"] * self.learned
        options += [] if self.agent_dir is None else [f"--agent-dir={self.agent_dir}"]
        return [*options, "--", *([] if self.path is None else [self.path])]

    def _place(self, base: Scenario, values: dict[str, Any]) -> None:
        """Where the agent would be started: PATH, --workspace and the scenario may all name it, if they agree."""
        if self.path is not None and not Path(self.path).is_dir():
            raise click.UsageError(_no_folder(self.path))
        option = self.given["workspace"]
        said = {"PATH": self.path, "--workspace": option}
        if "workspace" in base.model_fields_set:
            said[f"the scenario {self.file}"] = base.workspace
        places = {name: place for name, place in said.items() if place is not None}
        if len({_real(place) for place in places.values()}) > 1:
            words = " and ".join(f"{name} ({place})" for name, place in places.items())
            raise click.UsageError(f"{words} name different workspaces: give only one")
        if self.path is not None:
            values["workspace"] = self.path

    def assembly(
        self,
        *,
        count: bool = True,
        workspace: Workspace | None = None,
        with_files: bool = True,
        cache: CountCache | None = None,
    ) -> Assembly:
        """The answer; its errors and warnings go to stderr. Without `count` only cached counts are there.

        `workspace` and `cache` are for callers that read and count more; `with_files` as for `assemble`.
        """
        scenario = self.scenario()
        workspace = workspace or Workspace()
        cache = cache or CountCache()
        counter = counter_for(scenario.model, cache)
        assembly = assemble(
            scenario,
            workspace,
            counter,
            knowledge=knowledge_for(scenario),
            cached_only=not count,
            with_files=with_files,
        )
        cache.flush()
        exits.report(assembly.diagnostics, verbose=self.verbose)
        if self.verbose:
            exits.report_quirks(quirks_in(assembly))
        _KEPT[:] = workspace, assembly
        return assembly


_KEPT: list[object] = []
"""What the last assembly is made of. The process is about to end at once (see `__main__`): to take thousands of files
apart before would take as long as to print them."""


def counter_of(assembly: Assembly, cache: CountCache) -> Counter:
    """What counts more of an assembly; the cache is to be flushed."""
    return Counter(get_tokenizer(assembly.tokens.tokenizer), cache)


_LEARNING = ("open", "verify")
"""The commands that go by what was learned without being told to."""


def lay_over_agents(agent_dir: str | None, *, learned: bool = False, own: bool = True) -> None:
    """Lay corrections over the built-in agents: learned ones, the user's own, then those of --agent-dir.

    Raises ScenarioError where --agent-dir is for no agent.
    """
    ids = built_in_ids()
    layers = layers_in(state_folder() / "agents", "learned", ids) if learned else []
    layers += layers_in(config_folder() / "agents", "own", ids) if own else []
    layers += [given_layer(Path(agent_dir).absolute(), ids)] if agent_dir is not None else []
    lay_over(layers)


def _users() -> Settings:
    """The user's settings; what is wrong with them goes to stderr."""
    found = read_settings()
    for problem in found.problems:
        exits.say(problem)
    return found.settings


def _say_sizes_alone(agent: str | None, version: str | None) -> None:
    """Say it of a version, or of an agent, that is only known by sizes that were imported."""
    if version is None and (agent is None or is_registered(agent)):
        return
    from promptscope_tui.session.releases import sizes_alone  # 8 ms, for a version that is named

    if words := sizes_alone(agent, version, wordings.load()):
        exits.say(f"promptscope: {words}")


def _observe(values: dict[str, Any], given: dict[str, str | None]) -> None:
    """A capture shows what its agent sent: `--agent` is then the name of the one that sent it.

    Without a folder it is the one in which promptscope recorded it, if that is still there.
    """
    values["capture"] = absolute(str(given["capture"]))
    agent = given["agent"]
    values["agent"] = agent and observed_id(agent)
    if "workspace" not in values:
        from promptscope_engine.captures.files import recorded_in  # not for a prediction

        recorded = recorded_in(values["capture"])
        if recorded is not None and _is_folder(recorded):
            values["workspace"] = recorded


def _define(values: dict[str, Any], agent: str | None) -> None:
    """`--agent FILE` names the file that defines the agent, `--agent ./FOLDER` the folder that has it."""
    if agent is None:
        return
    is_folder = agent.startswith(_FOLDERS) and _is_folder(agent)
    if is_folder or agent.endswith(_DEFINITIONS):
        path = Path(agent).expanduser()
        file = definition_in(path) if is_folder else path
        if file is None or not file.is_file():
            raise ScenarioError(
                f"no agent is defined in {agent}" if is_folder else f"no such file: {agent}", where="agent"
            )
        values["definition"] = str(file.absolute())
        del values["agent"]


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # characters that no path can hold
        return path


def _is_folder(path: str) -> bool:
    return is_folder(absolute(path))


def _no_folder(path: str) -> str:
    """PATH does not exist; perhaps a command was meant, or came after an option."""
    if Path(path).exists():
        return f"{path} is not a folder"
    if path in COMMANDS:
        return f"no such folder: {path}; a command comes first: promptscope {path} ..."
    if "/" in path or click.get_current_context().info_name != "open":
        return f"no such folder: {path}"
    hint = f"; did you mean {MEANT[path]}?" if path in MEANT else meant(path, COMMANDS, otherwise=": see --help")
    return f"no such folder: {path}, and no such command{hint}"


def with_settings(values: dict[str, Any], settings: Sequence[str]) -> Scenario:
    """The scenario that the values and every `--set` over them describe. Raises ScenarioError for what does not fit."""
    for setting in settings:
        name, value = parse_setting(setting)
        values = with_value(values, _own_input(name, value, values.get("agent")), value)
    check_values(values)
    try:
        return Scenario.of(values)
    except ValueError as error:
        raise scenario_error(error, Scenario) from None


def _own_input(name: str, value: Any, agent: str | None) -> str:
    """`params.agent` for `agent`, where an agent was chosen that has such an input and the value is no agent's id."""
    if name != "agent" or agent is None or not is_registered(agent) or is_registered(str(value)):
        return name
    return "params.agent" if "agent" in load_agent(agent).params.model_fields else name


def parse_setting(text: str) -> tuple[str, Any]:
    """`NAME=VALUE` as the dotted name in the scenario and the value."""
    try:
        name, value = parsed(text)
    except OptionError as error:
        raise click.BadParameter(str(error), param_hint="'--set'") from None
    is_printed = name.startswith(_HOOKS) and isinstance(value, dict | list)  # a hook prints a text, be it JSON
    return name, text.partition("=")[2] if is_printed else value


_HOOKS = ("hooks.", "params.hooks.")


def _taken(path: str | None, rest: dict[str, Any], *, own: bool = True) -> Options:
    """The common options, taken out of what click gives. `own`: with the user's own corrections of the agents."""
    keys = ("agent", "agent_version", "mode", "model", "home", "workspace", "tokenizer")
    given = {key: rest.pop(key) for key in keys}
    given["capture"] = rest.pop("capture", None)
    learned, agent_dir = rest.pop("learned", False), rest.pop("agent_dir", None)
    reads, settings = rest.pop("reads", ()), rest.pop("settings")
    lay_over_agents(agent_dir, learned=learned or click.get_current_context().info_name in _LEARNING, own=own)
    return Options(
        path,
        rest.pop("scenario_file"),
        given,
        (*settings, f"reads={json.dumps(reads)}") if reads else settings,
        rest.pop("form", "text"),
        learned,
        agent_dir,
        rest.pop("verbose", False),
    )


def with_options(command: Command) -> Command:
    """Give a command's function the common options as `options`."""

    @wraps(command)
    def wrapped(path: str | None, **rest: Any) -> None:
        options = _taken(path, rest)
        command(options=options, **rest)

    return wrapped


def with_side_options(command: Command) -> Command:
    """The common options for a command that compares: its function gets `options`, and as `words` the sides.

    A folder among the arguments is the PATH.
    """

    @wraps(command)
    def wrapped(words: tuple[str, ...], **rest: Any) -> None:
        folders = [word for word in words if _is_folder(word)]
        if len(folders) > 1:
            raise click.UsageError(f"{' and '.join(folders)} are both folders: only one can be the PATH")
        options = _taken(folders[0] if folders else None, rest, own=False)
        command(options=options, words=tuple(word for word in words if word not in folders), **rest)

    return wrapped


def with_capture_options(command: Command) -> Command:
    """The common options for a command about a capture: its function gets `options` and `capture`, its argument."""

    @wraps(command)
    def wrapped(file: str | None, **rest: Any) -> None:
        options = _taken(None, rest)
        command(options=options, capture=file, **rest)

    return wrapped
