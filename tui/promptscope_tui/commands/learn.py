"""`promptscope learn`: the words of the clients that are installed here."""

import os
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent, Describes
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import LearnedError, LearnedVersion
from promptscope_engine.learning.script import Script
from promptscope_engine.prompt.model import to_json
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_tui.learning.clients import Client, client_of, learnable
from promptscope_tui.learning.learner import ClientError, Learner, Plan, Progress
from promptscope_tui.learning.mod_runs import modded, plan_for, run_mods
from promptscope_tui.learning.offer import alone, announcement, headline, why_not_offline, words_of_options
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.session.versions import one_before
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import many

from .learned import delete, options_of, put_list
from .programs import put_run, say_ended, sections_of
from .table import command

_QUICK = 20
"""Runs of `--quick`."""


class _Asked(Struct, frozen=True):
    """What is to be done."""

    agent: str | None
    client: str | None
    runs: int | None
    form: str
    quick: bool
    plan: bool
    yes: bool
    lists: bool
    forget: bool
    prune: bool
    options: bool
    mods: bool

    @property
    def most(self) -> int | None:
        """How many runs at most."""
        return _QUICK if self.quick else self.runs

    def check(self) -> None:
        """Raises click.UsageError."""
        if sum((self.plan, self.lists, self.forget, self.prune)) > 1:
            raise click.UsageError("--plan, --list, --forget and --prune exclude each other")
        if self.mods and (self.lists or self.forget or self.prune or self.options or self.quick):
            raise click.UsageError("--mods goes with --client, --plan, --yes and --format alone")
        if self.mods and self.agent is not None and self.agent not in modded():
            raise click.UsageError(f"--mods runs the client of {' or '.join(modded())}, not of {self.agent}")
        if self.quick and self.runs is not None:
            raise click.UsageError("--quick and --runs exclude each other")
        if self.client is not None and self.agent is None and not self.mods:
            raise click.UsageError("--client takes the name of its agent: promptscope learn AGENT --client PATH")
        if self.agent is not None and self.agent not in agent_ids():
            raise click.UsageError(str(unknown("agent", self.agent, agent_ids())))


@command("learn")
def learn(**options: Any) -> None:
    """Ask the client that is installed here for its own words."""
    asked = _Asked(**options)
    asked.check()
    if asked.lists:
        put_list(asked.agent, asked.form)
    elif asked.forget or asked.prune:
        delete(asked.agent, old_ones=asked.prune)
    elif asked.mods:
        agent = asked.agent or modded()[0]
        _learn_mods(agent, next(_clients(agent, asked.client))[2], asked)
    else:
        _learn(list(_clients(asked.agent, asked.client)), asked)


def _learn_mods(agent: str, client: Client, asked: _Asked) -> None:
    """Run the client with the folder's mods, and say what each did."""
    scenario = Scenario.model_validate({"agent": agent, "workspace": str(Path.cwd()), "env": dict(os.environ)})
    assembly = assemble(scenario, cached_only=True)
    plan = plan_for(assembly, client, str(Path.cwd()), os.environ)
    exits.say("\n".join(plan.announcement()))
    if asked.plan:
        return
    if not asked.yes and not _is_wanted():
        exits.say("promptscope: nothing was run")
        raise click.exceptions.Exit(exits.CHECK_FAILED)
    run = run_mods(plan, partial(say_ended, plan))
    if asked.form == "json":
        put_json(to_json(replace(run, effects=tuple(each.plain for each in run.effects))))
        return
    put_run(run, assembly)
    exits.say(f"  {sections_of(run.sections)}")


_Found = tuple[Agent, Script, Client]


def _clients(agent: str | None, path: str | None) -> Iterator[_Found]:
    """The clients to ask. Raises click's Exit where there is none."""
    known = [each for each in learnable() if agent in (None, each[0].id)]
    if not known:
        names = ", ".join(each.id for each, _ in learnable())
        raise click.UsageError(f"the client of {agent} cannot be asked; learn knows how to start those of {names}")
    found = [(each, script, client) for each, script in known if (client := client_of(script, path)) is not None]
    if not found:
        names = " or ".join(program for _, script in known for program in script.programs)
        exits.say(f"promptscope: no {names} on PATH or where npm, Homebrew and editors put it; --client names another")
        raise click.exceptions.Exit(exits.CHECK_FAILED)
    yield from found


def _learn(found: list[_Found], asked: _Asked) -> None:
    answers: list[dict[str, Json]] = []
    failed = False
    with alone() as is_alone:
        if not is_alone and not asked.plan:
            exits.say("promptscope: another `promptscope learn` is at work; wait for it, or end it")
            raise click.exceptions.Exit(exits.CHECK_FAILED)
        reason = why_not_offline(Path(gettempdir()))
        for agent, script, client in found:
            counter = Counter(tokenizer_for_model(None))
            with closing(Learner(agent, script, client, counter)) as learner:
                answer = _Turn(agent, client, learner, reason).answer(asked)
            if answer is None:
                failed = True
            else:
                answers.append(answer)
    if asked.form == "json":
        put_json(list(answers))
    if failed:
        raise click.exceptions.Exit(exits.CHECK_FAILED)


class _Turn:
    """One client's turn."""

    def __init__(self, agent: Describes, client: Client, learner: Learner, reason: str) -> None:
        self._agent, self._client, self._learner, self._reason = agent, client, learner, reason
        self._problems: list[str] = []

    def answer(self, asked: _Asked) -> dict[str, Json] | None:
        """What came of it; None if the client could not be run."""
        exits.say(headline(self._agent, self._client))
        learner = self._learner
        plan = learner.planned(asked.most, options=asked.options)
        if asked.plan:
            return _shown(plan, asked.form)
        if not (plan.chosen or plan.options) and (known := learner.known):
            exits.say(f"  nothing new: all {len(plan.texts):,} texts are known ({known.learned[:10]})")
            return self._nothing(known.agent_version)
        exits.say("\n".join(announcement(plan, self._reason, str(wordings.folder()))))
        if not asked.yes and not _is_wanted():
            exits.say("promptscope: nothing was run")
            return None
        try:
            return self._kept(self._run(plan, asked))
        except ClientError as error:
            exits.say(f"promptscope: {self._agent.name} could not be run: {error}")
            return None

    def _run(self, plan: Plan, asked: _Asked) -> Plan:
        """Run them, after an unknown version was asked which one it is; what was run in the end."""
        learner, offline = self._learner, not self._reason
        if not learner.is_modelled:
            learner.probe(offline=offline)
            exits.say(f"  {learner.version} is not modelled; nearest to it is {learner.base}")
            plan = learner.planned(asked.most, options=asked.options)
        try:
            learner.run(plan, self._told, offline=offline)
        except KeyboardInterrupt:
            exits.say("\npromptscope: interrupted; what was learned is kept, and the next call goes on")
        return plan

    def _told(self, progress: Progress) -> bool:
        left = f"{max(progress.seconds_left, 0):.0f} s left"
        line = f"  {progress.done}/{progress.runs} runs, {progress.known:,} of {progress.expected:,} texts, {left}"
        exits.say(f"{line}: {progress.title}")
        if progress.problem:
            self._problems.append(f"{progress.title}: {progress.problem}")
            exits.say(f"    {progress.problem}")
        return True

    def _nothing(self, version: str) -> dict[str, Json]:
        return {"agent": self._agent.id, "version": version, "runs": 0, "problems": []}

    def _kept(self, plan: Plan) -> dict[str, Json]:
        learner = self._learner
        if learner.has_nothing:
            exits.say("  nothing new: its --help lists no option that the model doesn't know")
            return self._nothing(learner.version)
        try:
            kept, known = learner.keep(plan)
        except (LearnedError, OSError) as error:
            words = error.strerror if isinstance(error, OSError) else str(error)
            hint = "`promptscope learn --prune` makes room"
            raise ScenarioError(f"cannot keep what was learned: {words}; {hint}") from None
        exits.say(f"{self._agent.name} {kept.agent_version}: {known:,} of {len(plan.texts):,} texts in its own words")
        if kept.names:
            names = {name for own in kept.names.values() for name in own}
            exits.say(f"  {many(len(names), 'section')} by the client's own names")
        elif learner.unnamed:
            exits.say(f"  sections without the client's own names: {learner.unnamed}")
        for gone in kept.ended:
            exits.say(f"  without {gone.part}: {gone.why}")
        for moved in kept.moved:
            exits.say(f"  {moved.part} is {'before' if moved.is_before else 'behind'} {moved.beside.rstrip(':')}")
        for section in kept.sections:
            what = f"the section {section.name}" if section.name else "a new text"
            where = "before" if section.is_before else "behind"
            exits.say(f"  with {what} {where} {section.after}: {kept.sent_in(section)}")
        for tool in kept.added:
            exits.say(f"  with the tool {tool.name}: {kept.sent_in(tool)}")
        self._say_options(kept)
        if before := one_before(self._agent, kept.agent_version, wordings.load()):
            sides = " ".join(f"{self._agent.id}@{version}" for version in (before, kept.agent_version))
            exits.say(f"  `promptscope diff {sides}` shows what changed")
        return {
            "agent": self._agent.id,
            "version": kept.agent_version,
            "base": kept.base,
            "runs": learner.lessons.runs,
            "texts": {"known": known, "expected": len(plan.texts)},
            "ended": [gone.part for gone in kept.ended],
            "moved": [moved.part for moved in kept.moved],
            "added": [tool.name for tool in kept.added],
            "options": options_of(kept),
            "problems": list(self._problems),
        }

    def _say_options(self, kept: LearnedVersion) -> None:
        """What the options change that were tried, and how many are left."""
        for effect in kept.options:
            exits.say(f"  with {effect.option}: {effect.words}")
        if self._learner.options == 0:
            exits.say("  its --help lists no option that the model doesn't know")
        elif self._learner.options and (left := self._learner.options - self._learner.tried):
            exits.say(f"  {many(left, 'option')} of its --help not tried yet: `--flips --runs 0` tries them")


def _is_wanted() -> bool:
    exits.need_a_person("--yes runs the client without asking")
    return click.confirm("Run it?", default=True, err=True)


def _shown(plan: Plan, form: str) -> dict[str, Json]:
    """The plan as rows, or for JSON."""
    if form != "json":
        rows = [
            (f"{n}", f"{len(each.new):,}", f"{each.seconds:g}", each.run.title) for n, each in enumerate(plan.chosen, 1)
        ]
        Table(("run", "new texts", "seconds", "what"), rows, frozenset({"run", "new texts", "seconds"})).put("text")
        put_shown(
            f"\n{len(plan.texts):,} texts in {len(plan.chosen)} runs, about {plan.seconds:.0f} s one after another\n"
        )
        if plan.options:
            put_shown(f"then {words_of_options(plan)}\n")
        if plan.unseen:
            put_shown("\n")
            causes = [(cause, ", ".join(parts)) for cause, parts in plan.unseen.items()]
            Table(("what it would take", "what no run shows"), causes).put("text")
    runs: list[Json] = [
        {"run": each.run.title, "texts": len(each.new), "seconds": each.seconds} for each in plan.chosen
    ]
    unseen: dict[str, Json] = {cause: list(parts) for cause, parts in plan.unseen.items()}
    return {
        "runs": runs,
        "texts": len(plan.texts),
        "seconds": round(plan.seconds, 1),
        "options": plan.options,
        "unseen": unseen,
    }
