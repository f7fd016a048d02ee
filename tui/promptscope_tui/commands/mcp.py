"""`promptscope mcp`: what coding agents can ask about their own prompt, and the answers as text.

The protocol is in `mcp_server.py`.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import click

from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.resolve import agents_for, resolve
from promptscope_engine.assembly.reuse import LastDrafts
from promptscope_engine.checks.checker import check
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.models import Model, field
from promptscope_engine.inputs.params import scenario_error
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.comparison import compare
from promptscope_engine.insight.lazy_rules import LazyRules, find_lazy_rules
from promptscope_engine.insight.sides import Side, assemble_both, between, is_side, side_of
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import from_system, is_folder
from promptscope_tui.answers.asking import answer, in_words
from promptscope_tui.answers.finding import NotFoundError
from promptscope_tui.output.stdout import Table, harmless
from promptscope_tui.settings import servers
from promptscope_tui.text import words

from . import files, show, tokens
from .check import as_text
from .diff import Report
from .table import command

MOST = 20_000
"""Characters of one answer: about 5,000 tokens of the window of the agent that asks."""

_SIDES = "git:REV, agent:ID, version:V or mode:M"


class QuestionError(ValueError):
    """A question that has no answer, in words for the agent that asked it."""


# --- the arguments ----------------------------------------------------------------------------------------------------


class Asked(Model):
    """What every tool takes."""

    folder: str = field(default="", description="A folder that was announced, or one below it; by default the first.")
    agent: str = field(default="", description="An agent's id, e.g. claude-code, codex, gemini, roo, openclaw.")
    start: int = field(default=0, ge=0, description="The character to begin at, where an answer before was cut.")


class _OfPrompt(Asked):
    agent_version: str = field(default="", description="By default the newest that promptscope knows.")
    mode: str = field(default="", description="The agent's mode, e.g. plan.")
    model: str = field(default="", description="The model's id; it decides the window and the tokenizer.")
    switches: dict[str, Any] = field(
        default_factory=dict,
        description="Switches of the agent, by the names that `why` gives: what if they were set so?",
    )
    reads: list[str] = field(
        default_factory=list,
        description="Files of the repository that the agent is imagined to read, which may load more instructions.",
    )


class _ShowPrompt(_OfPrompt):
    section: str = field(default="", description="Only this section, by its id or title (see `tokens`).")


class _Why(_OfPrompt):
    item: str = field(
        description="A section's id or title, a tool's name, a file's path or name, a part of these, or a mode."
    )


class _Check(Asked):
    against: str = field(default="", description="The revision that growth is measured from, instead of the settings'.")


class _Diff(Asked):
    before: str = field(description=f"{_SIDES}. git:A..B and git:A...B name both sides.")
    after: str = field(default="", description="The same; by default the files as they are.")
    texts: bool = field(default=True, description="false: only what changed and by how many tokens, without the texts.")


# --- the tools --------------------------------------------------------------------------------------------------------


TOOLS: Mapping[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""What each tool is told to do, by its name."""

_ASKS: Mapping[str, type[Asked]] = {
    "show_prompt": _ShowPrompt,
    "why": _Why,
    "tokens": _OfPrompt,
    "check": _Check,
    "diff": _Diff,
}


def schema_of(tool: str) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    made = _ASKS[tool].model_json_schema()
    for prop in made["properties"].values():
        prop.pop("title")
    return {key: made[key] for key in ("type", "properties", "required", "additionalProperties") if key in made}


class Toolbox:
    """Answers questions about the announced folders; what was read and counted is kept for the next one."""

    def __init__(
        self,
        folders: Sequence[str],
        *,
        agent: str | None = None,
        home: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`folders` may be asked about, with everything below them.

        `agent` is the one where a question names none; `home` and `env` are the home folder and the variables that
        agents see.
        """
        self._folders = tuple(os.path.realpath(folder) for folder in folders)
        self._agent, self._home, self._env = agent, home, dict(env or {})
        self.workspace = Workspace()
        self._knowledge = Knowledge(answers=servers.load, drafts=LastDrafts(self.workspace))
        self._counter = counter_for(None)
        self._lock = Lock()

    def answer(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The answer to one question, harmless and no longer than MOST. Raises QuestionError."""
        if name not in TOOLS:
            raise QuestionError(f"there is no tool {name!r}: there are {', '.join(TOOLS)}")
        try:
            asked = _ASKS[name].model_validate(arguments)
        except ValueError as error:
            raise QuestionError(str(scenario_error(error, _ASKS[name]))) from None
        with self._lock:
            try:
                return _page(harmless(self._text(asked)), asked.start)
            except click.UsageError as error:
                raise QuestionError(error.format_message()) from None
            except (ScenarioError, NotFoundError) as error:
                raise QuestionError(str(error)) from None
            finally:
                self._counter.flush()

    def _text(self, asked: Asked) -> str:
        match asked:
            case _Check():
                scenario = self._pinned(asked)
                return as_text(check(scenario, counter=self._counter, growth_against=asked.against or None))
            case _Diff():
                return self._compared(asked)
            case _OfPrompt():
                self.workspace.forget(self.workspace.changed())
                scenario = self._scenario(asked)
                assembly = assemble(scenario, self.workspace, self._counter, knowledge=self._knowledge)
                return "".join((*self._about(asked, scenario, assembly), *_problems(assembly)))
        raise AssertionError(asked)

    def _about(self, asked: _OfPrompt, scenario: Scenario, assembly: Assembly) -> Iterator[str]:
        match asked:
            case _ShowPrompt():
                only = (show.find_section(assembly, asked.section),) if asked.section else assembly.sections
                yield from show.plain_words(assembly, only)
            case _Why():
                named = scenario.with_value("agent", assembly.agent)
                yield from in_words(answer(asked.item, assembly, named, self.workspace, self._knowledge), assembly)
            case _:
                yield f"{words.who(assembly)}   {assembly.workspace}\n{words.budget(assembly)}\n\n"
                yield Table(tokens.COLUMNS, tuple(tokens.rows(assembly)), tokens.NUMBERS).aligned()
                rows = files.rows(assembly, self._lazy(scenario), self.workspace)
                yield "\n" + Table(files.COLUMNS, rows, files.NUMBERS).aligned()

    def _lazy(self, scenario: Scenario) -> LazyRules | None:
        return find_lazy_rules(*resolve(scenario, self.workspace, self._knowledge), self.workspace)

    def _compared(self, asked: _Diff) -> str:
        base = self._pinned(asked)
        base = base.with_value("agent", resolve(base, Workspace()).agent.id)
        before, after = _sides(asked, base)
        names = (before.name, after.name)
        found = compare(*assemble_both((before, after), self._counter), names)
        return Report(found, texts=asked.texts).text()

    # --- the scenario -------------------------------------------------------------------------------------------------

    def _pinned(self, asked: Asked) -> Scenario:
        """The folder without the machine's variables."""
        folder, agent = self._folder(asked), self._named(asked)
        return Scenario(workspace=folder, agent=agent, home=self._home, env={}, attended=True)

    def _scenario(self, asked: _OfPrompt) -> Scenario:
        folder = self._folder(asked)
        scenario = Scenario(
            workspace=folder,
            agent=self._named(asked),
            agent_version=asked.agent_version or None,
            mode=asked.mode or None,
            model=asked.model or None,
            home=self._home,
            env=self._env,
            attended=True,
            reads=[self._below(str(Path(folder, path)), path) for path in asked.reads],
        )
        return self._switched(scenario, asked.switches) if asked.switches else scenario

    def _switched(self, scenario: Scenario, switches: Mapping[str, Json]) -> Scenario:
        """With the switches set. Other inputs can name folders, so they are not for the agent to set."""
        agent = resolve(scenario, self.workspace, self._knowledge).agent
        known = {each.name: each for each in inputs_of(agent) if each.is_flag and not each.name.startswith("env.")}
        for name, value in switches.items():
            name = name.removeprefix("params.")
            if name not in known:
                raise unknown("switch", name, known)
            meant, choices = known[name].resolve_label(value), dict(known[name].choices)
            if not any(meant == choice and type(meant) is type(choice) for choice in choices.values()):
                raise QuestionError(f"{name} is one of {', '.join(choices)}, not {value!r}")
            scenario = scenario.with_value(name, meant)
        return scenario

    def _named(self, asked: Asked) -> str | None:
        name = asked.agent or self._agent
        if name and name != self._agent:
            check_agent(name, Scenario(workspace=self._folder(asked), home=self._home))
        return name or None

    def _folder(self, asked: Asked) -> str:
        folder = self._below(str(Path(self._folders[0], asked.folder)), asked.folder)
        if not is_folder(folder):
            raise QuestionError(f"there is no folder {asked.folder!r}")
        return folder

    def _below(self, path: str, asked: str) -> str:
        """The real path. Raises QuestionError where it does not be in an announced folder."""
        try:
            real = os.path.realpath(path)
        except (OSError, ValueError):  # a NUL, say
            raise QuestionError(f"no path can be {asked!r}") from None
        if not any(os.path.commonpath((real, folder)) == folder for folder in self._folders):
            raise QuestionError(
                f"{asked!r} is outside of what may be asked about: {', '.join(self._folders)}. The server can "
                "be started with more folders: promptscope mcp FOLDER..."
            )
        return from_system(real)


def check_agent(name: str, scenario: Scenario) -> None:
    """Raise ScenarioError unless it is an agent that is built in, or that the scenario's folder defines."""
    known = [agent.id for agent in agents_for(scenario)]
    if name not in known:
        raise unknown("agent", name, known)


def _sides(asked: _Diff, base: Scenario) -> tuple[Side, Side]:
    kind, _, name = asked.before.partition(":")
    if kind == "git" and ".." in name:
        if asked.after:
            raise QuestionError(f"{asked.before} names both sides: give no `after`")
        return between(name, base)
    before = _side(asked.before, base)
    if asked.after:
        return before, _side(asked.after, base)
    return before, Side("work tree" if before.revision else "this prompt", base)


def _side(text: str, base: Scenario) -> Side:
    kind, _, value = text.partition(":")
    if not is_side(text):  # the command takes files, too: here they would be read wherever they are
        raise QuestionError(f"{text!r} is not a side: give {_SIDES}")
    if kind == "agent":
        check_agent(value, base)
    return side_of(text, base)


def _problems(assembly: Assembly) -> Iterator[str]:
    """What kept the agent, or promptscope, from taking a file as it was meant."""
    told = [each for each in assembly.diagnostics if each.severity != "info"]
    if told:
        yield "\nProblems:\n"
    for each in told:
        place = f"{each.place}: " if each.path else ""
        yield f"  {each.severity}: {place}{each.message}\n"


def _page(text: str, start: int) -> str:
    """The text from a character on, cut at a line's end where it is too long, with a line that says so."""
    if start > len(text):
        raise QuestionError(f"start: the answer has {len(text):,} characters")
    rest = text[start : start + MOST]
    if start + len(rest) == len(text):
        return rest
    end = start + (rest.rfind("\n") + 1 or len(rest))
    left = f"{len(text) - end:,} of {len(text):,} characters were cut"
    return f"{text[start:end].rstrip(chr(10))}\n\n[{left}: ask again with start={end} for what follows]\n"


# --- the command ------------------------------------------------------------------------------------------------------


_MISSING = (
    "mcp needs the package mcp, which is optional: pip install 'mcp>=1.9,<2'; in a clone, "
    "uv run --extra mcp promptscope mcp"
)


@command("mcp")
def mcp(folders: tuple[str, ...], agent: str | None, home: str | None) -> None:
    """Serve coding agents that ask what their own prompt is, over MCP on stdin and stdout."""
    try:
        from .mcp_server import run  # 500 ms, and of the extra
    except ImportError:
        raise click.UsageError(_MISSING) from None

    folders = folders or (str(Path.cwd()),)
    if agent is not None:
        check_agent(agent, Scenario(workspace=folders[0], home=home))
    toolbox = Toolbox(folders, agent=agent, home=home, env=os.environ)
    run(toolbox.answer, [(name, words, schema_of(name)) for name, words in TOOLS.items()])
