"""`promptscope agents`: the agents, their inputs, their texts, and corrections to those."""

import json
from datetime import date
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.agents.declared.reading import every_mistake
from promptscope_engine.agents.description import Quirk
from promptscope_engine.agents.features import WrittenAsText
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.lint import changes_of, mistake_of, mistakes_in
from promptscope_engine.agents.kit.text.sources import Layer, given_layer, laid_over, layers_of
from promptscope_engine.agents.registry import agent_ids, built_in_ids, definition_in, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.resolve import agents_for, resolve
from promptscope_engine.assembly.wording import coverage
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import FILES, read_by
from promptscope_engine.insight.quirks import all_quirks
from promptscope_engine.insight.sides import Side, assemble_pinned
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import Assembly, Diagnostic, to_json
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk
from promptscope_tui.learning.clients import learnable
from promptscope_tui.output.exits import CHECK_FAILED
from promptscope_tui.output.stdout import Format, Table, put_json, put_shown
from promptscope_tui.session.installed import HEADS, Standing
from promptscope_tui.session.releases import Release, changed_parts, imported_releases, releases_of, with_earlier
from promptscope_tui.session.versions import learned_versions
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import age, edits_only, many

from .agents_here import put_agents_here, put_values_here
from .options import lay_over_agents
from .table import command


@command("agents")
def agents(words: tuple[str, ...], place: bool, each: str | None, agent_dir: str | None, form: Format) -> None:
    """List the agents, or one AGENT's inputs with their defaults, or which agent reads which file of a PATH."""
    lay_over_agents(agent_dir)
    match words:
        case (agent,) | (agent, _) if each is not None and agent in agent_ids() and not place:
            put_values_here(agent, [*words, "."][1], each, agent_dir, form)
        case _ if each is not None:
            raise click.UsageError("--each goes with an AGENT, and a PATH if it is not this folder")
        case ("lint",) | ("lint", _):
            lint(*words[1:])
        case ("diff", agent):
            diff(agent)
        case (agent,) if place:
            put_shown(f"{folder_of(agent).path}\n")
        case (path,) if not place and path not in agent_ids() and Path(path).is_dir():
            put_agents_here(path, agent_dir, form)
        case () | (_,) if not place:
            _listed(words[0] if words else None, form)
        case _:
            raise click.UsageError("give one AGENT, a PATH, `lint [AGENT|DIR]` or `diff AGENT`")


_READS = {"yes": "yes", "alone": "if alone", "no": "no"}


def _listed(agent: str | None, form: Format) -> None:
    here = list(agents_for(Scenario()))
    if agent is not None:
        _inputs({each.id: each for each in here}.get(agent) or load_agent(agent), form)
        return
    known = [_Known.of(each, learned) for learned in [wordings.load()] for each in here]
    if form == "json":
        reading = [None if each.agent.about.definition else read_by(each.agent) for each in known]
        put_json([{**each.described(), "reads": reads} for each, reads in zip(known, reading, strict=True)])
        return
    if form == "plain":
        Table((), [each.row() for each in known]).put(form)
        return
    # scripts look for a version in the first row that begins with an agent's id
    Table(("id", "name", "shown", "own words", "versions", "modes"), [each.texts() for each in known]).put(form)
    put_shown("\n")
    Table(("id", *HEADS), [(each.agent.id, *each.standing.cells) for each in known]).put(form)
    states = ((each.id, each.about.state) for each in here)
    put_shown("\n" + "".join(f"{name}: {state.sentence}\n" for name, state in states if state and state.news))
    put_shown("\n")
    reads = [(each.id, *(_READS[how] for how in read_by(each).values())) for each in here if not each.about.definition]
    Table(("reads", *FILES), reads).put(form)


def _inputs(agent: Describes, form: Format) -> None:
    fields = inputs_of(agent)
    known = _Known.of(agent, wordings.load())
    if form == "json":
        keys = ("name", "group", "kind", "default", "required", "help", "choices")
        put_json({**known.described(), "params": [{k: getattr(f, k) for k in keys} for f in fields]})
        return
    choices = (", ".join(label for label, _ in f.choices) if f.kind == "enum" else "" for f in fields)
    defaults = ("required" if f.required else json.dumps(f.default) for f in fields)
    rows: list[tuple[str, ...]] = [(f.name, f.group, f.kind, next(defaults), next(choices), f.help) for f in fields]
    if form == "plain":
        rows += [(each.fact, "Quirks", "quirk", "", ", ".join(each.at), each.says) for each in known.quirks]
    else:
        heading = "# " if form == "markdown" else ""
        modes = known.blank.modes
        names = ", ".join(mode.slug for mode in modes)
        limits = "".join(f"{mode.slug} {edits_only(mode)}\n" for mode in modes if mode.edits_only)
        put_shown(f"{heading}{agent.name} ({agent.id}) {', '.join(agent.versions)}; modes: {names}\n")
        put_shown(f"{known.line()}{limits}\n")
    Table(("name", "group", "kind", "default", "choices", "help"), rows).put(form)
    if known.quirks and form != "plain":
        put_shown("\n")
        quirks = [(each.fact, ", ".join(each.at), each.says) for each in known.quirks]
        Table(("quirk", "where", "what the agent itself does"), quirks).put(form)


class _Known(Struct, frozen=True):
    """What is known of an agent here: `blank` is its prompt without any file, `learned` when that was done last."""

    standing: Standing
    blank: Assembly
    learned: str

    @classmethod
    def of(cls, agent: Describes, learned: Learned | None) -> "_Known":
        """Look for it; no client is run."""
        when = max((each.learned for each in learned_versions(agent, learned)), default="")
        return cls(Standing.of(agent, learned, date.today()), _blank(agent, learned), when)

    @property
    def agent(self) -> Describes:
        """The agent."""
        return self.standing.agent

    @property
    def quirks(self) -> tuple[Quirk, ...]:
        """The slips and oddities of the version that is shown."""
        return all_quirks(self.blank)

    @property
    def modelled(self) -> str:
        """When the version was modelled whose rules are shown, "" where nobody knows."""
        return self.agent.about.modelled.get(self.blank.agent_version, "")

    @property
    def words(self) -> str:
        """How much of the prompt is in the agent's own words."""
        return "{:,} of {:,} parts".format(*coverage(self.blank)) if self.learned else ""

    def texts(self) -> tuple[str, ...]:
        """The cells of the table of what is shown."""
        modes, versions = (", ".join(names) for names in ([m.slug for m in self.blank.modes], self.agent.versions))
        return self.agent.id, self.agent.name, self.blank.shown_version, self.words, versions, modes

    def row(self) -> tuple[str, ...]:
        """The cells for a program: new ones come last."""
        name, title, shown, words, versions, modes = self.texts()
        newest, _, _, learned, installed, state = self.standing.cells
        return name, title, installed, shown, words, self.modelled, versions, modes, newest, learned, state

    def line(self) -> str:
        """`installed: 2.1.333; shown: 2.1.332, learned in 31 of 31 parts, modelled 2026-11-26`, and the state."""
        found = [f"installed: {self.standing.installed}"] if self.standing.client else []
        ways = [f"learned in {self.words}"] if self.words else []
        ways += [f"modelled {self.modelled}, {age(self.modelled, self.standing.today)}"] if self.modelled else []
        state = [self.agent.about.state.sentence] if self.agent.about.state else []
        return "; ".join([*found, f"shown: {', '.join([self.blank.shown_version, *ways])}", *state]) + "\n"

    def described(self) -> dict[str, object]:
        """The keys of the JSON."""
        learned, of = coverage(self.blank)
        return {
            "id": self.agent.id,
            "name": self.agent.name,
            "versions": list(self.agent.versions),
            "modes": [to_json(mode) for mode in self.blank.modes],
            "modelled": dict(self.agent.about.modelled),
            "shown": self.blank.shown_version,
            "learned": {"version": self.standing.learned, "when": self.learned, "parts": learned, "of": of}
            if self.learned
            else None,
            "installed": to_json(self.standing.client),
            "state": to_json(self.agent.about.state),
            "quirks": [{"fact": each.fact, "at": list(each.at), "says": each.says} for each in self.quirks],
        }


def _blank(agent: Describes, learned: Learned | None) -> Assembly:
    """The prompt without any file but one that defines the agent: its built-in modes, and how much was learned."""
    if agent.about.definition:
        own = Scenario(definition=agent.about.definition, env={})
        return assemble(own, Workspace(), cached_only=True)

    scenario = Scenario(agent=agent.id, workspace="/", home="/", env={}, learned=learned is not None)
    return assemble(scenario, Workspace(EmptyDisk()), knowledge=Knowledge(learned), cached_only=True)


def folder_of(agent_id: str) -> Folder:
    """The texts of a built-in agent. Raises ScenarioError for another one."""
    if agent_id not in built_in_ids():
        raise unknown("built-in agent", agent_id, built_in_ids())
    with laid_over():  # whatever is wrong with corrections, this is what they are laid over
        agent = load_agent(agent_id)
        assert isinstance(agent, WrittenAsText)
        return agent.folder


def lint(which: str | None = None) -> None:
    """Print what is wrong with an agent and the corrections to it, with a folder, or with everything.

    A folder has corrections, or defines an agent.
    """
    found: list[Diagnostic] = []
    if which is not None and which not in built_in_ids() and Path(which).is_dir():
        place = Path(which).absolute()
        definition = definition_in(place)
        found += _of_definition(definition) if definition else _of_layer(given_layer(place, built_in_ids()))
    else:
        for agent_id in (which,) if which is not None else built_in_ids():
            with laid_over():
                found += _mistakes(folder_of(agent_id))
            for layer in layers_of(agent_id):
                found += _of_layer(layer)
    for each in found:
        put_shown(f"{each.place}: {each.severity}: {each.message}\n")
    errors = sum(each.severity == "error" for each in found)
    put_shown(f"{many(errors, 'error')}, {many(len(found) - errors, 'warning')}\n")
    if errors:
        raise click.exceptions.Exit(CHECK_FAILED)


def _mistakes(folder: Folder, layer: Layer | None = None) -> list[Diagnostic]:
    """The texts are looked at where all tables fit."""
    from promptscope_engine.schemas import unfit  # with pydantic, which nothing else here needs

    found = unfit(folder, layer)
    return found if any(each.severity == "error" for each in found) else [*found, *mistakes_in(folder, layer)]


def _of_layer(layer: Layer) -> list[Diagnostic]:
    folder = folder_of(layer.id)
    with laid_over():
        try:
            return _mistakes(folder, layer)
        except ScenarioError as error:  # too many files, a link out of it
            return [mistake_of(error)]


def _of_definition(file: Path) -> list[Diagnostic]:
    """Every mistake in the texts; where there is none, what assembling says."""
    scenario, workspace = Scenario(definition=str(file), workspace=str(file.parent), env={}), Workspace()
    try:
        agent, inputs = resolve(scenario, workspace)
        if wrong := [mistake_of(error) for error in agent.mistakes(inputs, workspace)]:
            return wrong
        said = assemble(scenario, workspace, cached_only=True).diagnostics
    except ScenarioError as error:
        return [*map(mistake_of, every_mistake(str(file), workspace, error))]
    return [replace(each, path=each.path or str(file)) for each in said]


def diff(agent_id: str) -> None:
    """Print what the corrections to an agent change, file by file."""
    folder = folder_of(agent_id)
    for layer in layers_of(agent_id):
        put_shown("".join(f"{line}\n" for line in changes_of(folder, layer)))


@command("releases")
def releases(agent: str | None, workspace: str, form: str) -> None:
    """List the versions of an agent that are known here, with their sizes."""
    others = [each.agent for each in imported_releases()]
    if agent is not None and agent not in (*agent_ids(), *others):
        raise unknown("agent", agent, (*agent_ids(), *others), where="agent")
    asked = [agent] if agent else list(dict.fromkeys([*(each.id for each, _ in learnable()), *others]))
    found = [each for name in asked for each in _of_agent(name, workspace)]
    if form == "json":
        put_json([to_json(each) for each in found])
        return
    rows = []
    for each, before in with_earlier(found):
        change = each.total - before.total if before else None
        sizes = (f"{size:,}" for size in (each.total, each.system, each.messages, each.tools))
        more = "" if change is None else f"{change:+,}" if change else "="
        parts = changed_parts(each, before) if before else ""
        rows.append((each.agent, each.version, each.known, *sizes, f"{each.tool_count}", more, parts))
    heads = ("agent", "version", "known", "total", "system", "messages", "tools", "of them", "±", "what changed")
    Table(heads, rows, frozenset(heads[3:-1])).put("text")


def _of_agent(agent: str, workspace: str) -> list[Release]:
    """Its versions in one folder, with everything of the machine pinned."""
    learned, counter = wordings.load(), counter_for(None)

    def made(version: str, is_learned: bool) -> Assembly:
        base = Scenario.of({"agent": agent, "agent_version": version, "workspace": workspace, "env": {}})
        return assemble_pinned(Side(version, base), counter, learned if is_learned else None)

    found = list(releases_of(agent, learned, made))
    counter.flush()
    return found
