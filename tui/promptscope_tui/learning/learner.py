"""Learns the words of an installed client: plans the runs, carries them out, and takes what their requests teach."""

import dataclasses
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.assembly.assembler import assemble, assemble_described
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.learned_parts import CONFIGURED, IN_GIT, WITH_SERVERS
from promptscope_engine.captures.files import read_capture
from promptscope_engine.captures.model import Capture, CaptureError, Content, Header
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import McpServer, Scenario
from promptscope_engine.insight.calibration import wording_in
from promptscope_engine.insight.captured_scenario import scenario_of, variables_of_run
from promptscope_engine.insight.client_sections import ClientSections
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import Learned, LearnedVersion, Wording
from promptscope_engine.learning.corrections import corrections, holes_of
from promptscope_engine.learning.lessons import Lesson, Lessons, by_names
from promptscope_engine.learning.mod_effects import composed
from promptscope_engine.learning.moves import line_places, moved_parts, new_blocks, new_sections
from promptscope_engine.learning.options import Trials, Usual, unknown_by_run
from promptscope_engine.learning.plan import (
    Chosen,
    Run,
    Texts,
    base_of,
    by_cause,
    candidates,
    cover,
    known_texts,
    scenario_of_run,
    servers_of_run,
    shown_by,
)
from promptscope_engine.learning.script import Script
from promptscope_engine.prompt.model import Assembly, Fragment
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_tui.capturing.running import LACKING
from promptscope_tui.settings import wordings

from .clients import Client
from .observing import observer_of
from .scratch import Scratch, command_of, git_program, remove, scratch_for
from .work import Job, Result, carried_out

TIMEOUT = 30.0
"""Seconds that a run may take."""
MOST_OPTIONS = 20
"""Options that the model does not know and that are tried."""
ENOUGH = 150.0
"""Seconds after the first run within which options are tried; what is learned is put together afterwards."""
_HELP = 200_000
"""Characters of a help text that are read."""


class Progress(Struct, frozen=True):
    """How far learning is: `known` of `expected` texts after `done` of `runs`; of the last run, title and problem."""

    done: int
    runs: int
    known: int
    expected: int
    seconds_left: float
    title: str
    problem: str = ""


class Plan(Struct, frozen=True):
    """The runs in their order, and the texts that the model knows and that any run could show.

    `unseen` are the ids of parts that no run could show, by the cause. `options`: at most so many that the model does
    not know are tried afterwards, each alone. `names`: the client is asked for its own names of sections.
    """

    chosen: tuple[Chosen, ...]
    texts: Texts
    unseen: Mapping[str, tuple[str, ...]] = {}
    options: int = 0
    names: bool = False

    @property
    def seconds(self) -> float:
        """About how long the runs take, one after another."""
        return sum(each.seconds for each in self.chosen)


class ClientError(Exception):
    """A client that cannot be run; the message says what it did."""


class Planner:
    """Which runs of a client would show most."""

    def __init__(self, agent: Agent, script: Script, client: Client, counter: Counter) -> None:
        """The folders of its runs are below the system's temporary one until `close`."""
        self._agent, self._script, self._client, self._counter = agent, script, client, counter
        self._workspace = Workspace()
        self._root = Path(os.path.realpath(tempfile.mkdtemp(prefix="promptscope-learn-")))
        self._planning: dict[str, Scratch] = {}
        self._observer = observer_of(agent, script)
        self._made = 0
        self.version = client.version
        self.base = client.version if self.is_modelled else agent.versions[-1]

    def close(self) -> None:
        """Take its folders away."""
        remove(self._root)

    @property
    def is_modelled(self) -> bool:
        """Whether its version is one that is modelled."""
        return self.version in self._agent.versions

    def planned(self, most: int | None = None, *, options: bool = False) -> Plan:
        """What to run for what is not known on this machine. Raises ScenarioError, OSError.

        `options`: the options of `--help` are tried, as they are once, with a whole plan, for a version that is not
        modelled.
        """
        known = self.known
        options = options or not (most is not None or self.is_modelled or (known and known.options))
        plan = self.plan(most=most, known=known.wordings if known else ())
        names = bool(plan.chosen and self._observer and self._observer.fits(self.version))
        return replace(plan, options=MOST_OPTIONS if options else 0, names=names)

    @property
    def known(self) -> LearnedVersion | None:
        """What was learned of the version before, on this machine."""
        found = wordings.load() if self.version else None
        return found.version(self._agent.id, self.version) if found else None

    def plan(self, most: int | None = None, known: Sequence[Wording] = ()) -> Plan:
        """What to run, if these words are `known`. Raises ScenarioError, OSError."""
        script = self._script
        if any(kind.git for kind in script.workspace.values()):
            git_program()
        first = Run(next(iter(script.start)), next(iter(script.workspace)))
        base, _ = self._predicted(first)
        runs = list(candidates(self._agent, script, [mode.slug for mode in base.modes]))
        shown = shown_by(runs, self._predicted)
        chosen = cover(shown.by_run, runs, script, most, known_texts(shown.texts, known))
        if chosen and most is None:
            # once more, with another prompt: what then differs is chance; and what no model knows may be in any folder
            plain = (run for run in runs if not run.flip and all(run != each.run for each in chosen))
            more = [chosen[0].run, *plain]
            chosen += tuple(Chosen(run, frozenset(), script.start[run.start].seconds) for run in more)
        parts = {section.id: section.why for section in base.sections}
        parts |= {f"tools.{tool.name}": tool.why for tool in base.tools}
        unseen = by_cause(((name, why) for name, why in parts.items() if name not in shown.parts), script)
        return Plan(chosen, shown.texts, unseen)

    def _predicted(self, run: Run) -> tuple[Assembly, Mapping[str, tuple[Fragment, ...]]]:
        """The prompt of a run that is to come, without wording that was learned before."""
        own_files = json.dumps(run.settings) if "file" in self._script.settings else ""
        place = f"{run.workspace} {own_files}"
        if place not in self._planning:
            self._planning[place] = self._scratch(run)
        scratch = self._planning[place]
        scenario = scenario_of_run(self._agent, self._script, run, self._header(run, scratch))
        return assemble_described(scenario, self._workspace, self._counter, cached_only=True)  # no text is counted

    def _scratch(self, run: Run) -> Scratch:
        self._made += 1
        return scratch_for(self._script, run, self._root / str(self._made))

    def _header(self, run: Run, scratch: Scratch) -> Header:
        env = {**scratch.env, **run.env}
        return Header(
            agent=self._agent.id,
            agent_version=self.base,
            command=command_of(self._script, run, self._client.path, scratch, self._script.prompts[0]),
            cwd=scratch.repo,
            home=scratch.home,
            prompt=self._script.prompts[0],
            login="dummy",
            variables=variables_of_run(self._agent.id, env),
        )


class Learner(Planner):
    """Runs a client by the plan, and learns from what it sends."""

    def __init__(self, agent: Agent, script: Script, client: Client, counter: Counter) -> None:
        super().__init__(agent, script, client, counter)
        self.lessons = Lessons()
        self._problem = "it was stopped before it sent anything"
        self._captures: dict[int, tuple[Capture, Run]] = {}
        self._began = 0.0
        self._trials: Trials | None = None
        self._named: dict[int, ClientSections] = {}
        self.unnamed = ""
        """Why the client's own names of sections are not known, where it was asked for them."""
        self.options: int | None = None
        """Options of `--help` that the model does not know; None where nobody looked."""

    @property
    def has_nothing(self) -> bool:
        """Whether only options were to be tried, and there is none that the model does not know."""
        return self.options == 0 and not self.lessons.runs

    @property
    def tried(self) -> int:
        """How many options were tried."""
        return len(self._trials.effects) if self._trials else 0

    def run(self, plan: Plan, told: Callable[[Progress], bool], *, offline: bool) -> None:
        """Run them, and learn from each as it ends, until `told` says with False that it is enough. Raises OSError.

        Then the options are tried. What was learned before an interruption stays.
        """
        left = plan.seconds
        observed = bool(plan.chosen) and self._may_observe(plan.chosen[0].run, offline=offline)
        runs = self._results([each.run for each in plan.chosen], offline=offline, observed=observed)
        for done, (result, each) in enumerate(runs, 1):
            left -= plan.chosen[result.number].seconds
            problem = self._learn(result, each)
            self._problem = problem or self._problem
            progress = Progress(done, len(plan.chosen), self._known(plan), len(plan.texts), left, each.title, problem)
            if not told(progress):
                return
        if plan.options:
            self._try_options(plan, told, offline=offline)

    def _known(self, plan: Plan) -> int:
        """How many of the plan's texts are known so far."""
        return len(known_texts(plan.texts, self.lessons.wordings()))

    def _try_options(self, plan: Plan, told: Callable[[Progress], bool], *, offline: bool) -> None:
        """Give each option of the client's `--help` that the model does not know alone: what does it change?"""
        ways = [*unknown_by_run(partial(self._help, offline=offline), self._agent, self._script)]
        self.options = sum(len(options) for _, options in ways)
        for run, options in ways:
            if not self._try(run, options[: max(plan.options - self.tried, 0)], plan, told, offline=offline):
                return

    def _try(
        self,
        run: Run,
        options: Sequence[tuple[str, ...]],
        plan: Plan,
        told: Callable[[Progress], bool],
        *,
        offline: bool,
    ) -> bool:
        """Try these options in a run, as long as there is time; whether there is some left."""
        end = self._began + ENOUGH
        seconds = self._script.start[run.start].seconds
        most = int((end - time.monotonic()) / seconds) - 2
        runs = [replace(run, words=words) for words in options[: max(most, 0)]]
        if not runs:
            return False
        at = partial(Progress, runs=len(runs), known=self._known(plan), expected=len(plan.texts))
        try:
            usual = Usual(*[self._sides_of(*each) for each in self._results([run, run], offline=offline)])
        except ClientError as error:
            self._problem = str(error)
            return told(at(0, seconds_left=0, title=run.title, problem=self._problem))
        trials = self._trials = self._trials or Trials(self._counter.count)
        for done, (result, each) in enumerate(self._results(runs, offline=offline), 1):
            option = " ".join(each.words)
            try:
                effect = trials.add(option, usual, self._sides_of(result, each))
            except ClientError as error:
                effect = trials.refuse(option, str(error))
            progress = at(done, seconds_left=(len(runs) - done) * seconds, title=f"{option}: {effect.words}")
            if not told(progress) or time.monotonic() > end:
                return False
        return True

    def _sides_of(self, result: Result, run: Run) -> Sides:
        """What a run sent beside its prediction. Raises ClientError."""
        capture = _captured(result)
        if capture is None:
            raise ClientError(_nothing_came(result))
        try:
            return self._sides(capture, run)[0]
        except ScenarioError as error:
            raise ClientError(str(error)) from None

    def keep(self, plan: Plan) -> tuple[LearnedVersion, int]:
        """Keep what was learned; how many of the plan's texts are known now.

        Raises ClientError where no run taught anything, LearnedError, OSError.
        """
        if not self.lessons.runs and not self._trials:
            raise ClientError(self._problem)
        kept = wordings.keep(self.learned())
        return kept, len(known_texts(plan.texts, kept.wordings))

    def probe(self, *, offline: bool) -> None:
        """Run the client once, for its version and the modelled one that it is nearest to. Raises ClientError."""
        script = self._script
        run = Run(next(iter(script.start)), script.richest)
        for result, _ in self._results([run], offline=offline):
            capture = _captured(result)
            if capture is None:
                raise ClientError(_nothing_came(result))
            self.version = capture.header.agent_version or self.version
            self._find_base(capture, run)

    def _may_observe(self, run: Run, *, offline: bool) -> bool:
        """Whether the observing mod loads, and the request of a run with it is the one without."""
        if self._observer is None or not self._observer.fits(self.version):
            return False
        jobs = [replace(self._job(0, run, observed=observed), number=int(observed)) for observed in (False, True)]
        found = sorted(carried_out(jobs, str(self._root), offline=offline), key=lambda each: each.number)
        try:
            sent = {_sent(self._sides_of(each, run)) for each in found}
        except ClientError as error:
            self.unnamed = str(error)
        else:
            if not (found and found[-1].written):
                self.unnamed = "it did not load the observing mod"
            elif len(sent) > 1:
                self.unnamed = "its request with the observing mod is another one than without"
        return not self.unnamed

    def _results(self, runs: Sequence[Run], *, offline: bool, observed: bool = False) -> Iterator[tuple[Result, Run]]:
        if LACKING:
            raise ClientError(LACKING)
        jobs = [self._job(number, run, observed=observed) for number, run in enumerate(runs)]
        self._began = self._began or time.monotonic()
        return ((result, runs[result.number]) for result in carried_out(jobs, str(self._root), offline=offline))

    def _help(self, run: Run, *, offline: bool) -> str:
        """What the client prints of a way to start when it is asked for help."""
        command = (self._client.path, *self._script.start[run.start].command, "--help")
        job = replace(self._job(0, run), command=command, dialogs=None, most_said=_HELP)
        return "".join(result.said for result in carried_out([job], str(self._root), offline=offline))

    def _job(self, number: int, run: Run, *, observed: bool = False) -> Job:
        """A run, with the observing mod if its client is `observed`."""
        scratch = self._scratch(run)
        written = str(scratch.root / "observed") if observed and self._observer else ""
        more = {}
        if self._observer and written:
            more = {self._observer.how.loaded_by: self._observer.folder, **self._observer.variables(written)}
        prompt = self._script.prompts[number % len(self._script.prompts)]
        return Job(
            number=number,
            agent=self._agent.id,
            command=command_of(self._script, run, self._client.path, scratch, prompt),
            env={**scratch.env, **more},
            cwd=scratch.repo,
            log=str(scratch.root / "log"),
            timeout=TIMEOUT,
            dialogs=self._script.answers if self._script.start[run.start].terminal else None,
            reads=written,
        )

    def _learn(self, result: Result, run: Run) -> str:
        """Take what a run taught; why it taught nothing, or ""."""
        capture = _captured(result)
        if capture is None:
            return _nothing_came(result)
        self.version = capture.header.agent_version or self.version
        if self._observer and result.written:
            capture = _without(capture, self._observer.how.loaded_by)
            with suppress(ValueError):  # it was stopped while it wrote
                self._named[result.number] = ClientSections(composed(result.written), self._observer.how.sections)
        try:
            self.lessons.add(self._lesson(result.number, run, capture))
            self._captures[result.number] = capture, run
        except ScenarioError as error:
            return str(error)
        return ""

    def _lesson(self, number: int, run: Run, capture: Capture) -> Lesson:
        sides, described = self._sides(capture, run)
        named = self._named.get(number, ClientSections())
        system = {section.id for section in sides.assembly.sections if section.channel == "system"}
        parts = tuple(by_names(sides.compared()[0].parts, system, named))
        worded = wording_in(sides.content, capture, sides.assembly, described, named).wordings
        holes = holes_of(sides)
        lost = {part.id for part in parts if part.verdict == "not sent"}
        kind = self._script.workspace[run.workspace]
        start = self._agent.started_by(self._script.start[run.start].words, self._script.start[run.start].user_agent)
        return Lesson(
            number=number,
            title=run.title,
            start=start,
            flip=run.flip,
            wordings=worded,
            parts=parts,
            tools=sides.content.tools,
            moved=tuple(moved_parts(sides, lost)),
            blocks=(*new_sections(sides, named, holes), *new_blocks(sides, holes)),
            names={part: names for part in sorted(system) if (names := named.names_of(part))},
            holes=holes,
            place={
                IN_GIT: kind.git,
                WITH_SERVERS: bool(self._answered(capture, run)),
                CONFIGURED: bool(servers_of_run(self._script, run)),
            },
        )

    def _sides(self, capture: Capture, run: Run) -> tuple[Sides, Mapping[str, tuple[Fragment, ...]]]:
        """What a run sent beside its prediction without learned wording, and our descriptions of the tools."""
        content, scenario = self._asked(capture, run)
        modelled = scenario.with_value("agent_version", self.base)
        assembly, described = assemble_described(modelled, self._workspace, self._counter)
        return Sides(assembly, content, capture), described

    def learned(self) -> LearnedVersion:
        """What all runs taught: where the parts are, their words, the lines that still differ, those elsewhere."""
        made = partial(self.lessons.learned, self._agent.id, self.version, self.base)
        found = made()
        if found.moved or found.ended or found.sections:
            for number, (content, capture, scenario), knowledge in self._as_learned(replace(found, wordings=())):
                assembly, described = assemble_described(scenario, self._workspace, self._counter, knowledge)
                named = self._named.get(number, ClientSections())
                self.lessons.reword(number, wording_in(content, capture, assembly, described, named).wordings)
        for rows in (True, False):
            for number, (content, capture, scenario), knowledge in self._as_learned(made()):
                assembly, described = assemble_described(scenario, self._workspace, self._counter, knowledge)
                self.lessons.correct(number, corrections(Sides(assembly, content, capture), described, rows=rows))
        for number, (content, capture, scenario), knowledge in self._as_learned(made()):
            assembly, described = assemble_described(scenario, self._workspace, self._counter, knowledge)
            self.lessons.place(number, tuple(line_places(Sides(assembly, content, capture), described)))
        return self._trials.added_to(made()) if self._trials else made()

    def _as_learned(self, found: LearnedVersion) -> Iterator[tuple[int, tuple[Content, Capture, Scenario], Knowledge]]:
        """Each run once more, by its number, with what was learned so far."""
        knowledge = Knowledge(Learned((found,)))
        for number, (capture, run) in self._captures.items():
            content, scenario = self._asked(capture, run)
            again = scenario.model_copy(update={"agent_version": self.version, "learned": True})
            yield number, (content, capture, again), knowledge

    def _asked(self, capture: Capture, run: Run) -> tuple[Content, Scenario]:
        request = capture.main
        assert request is not None
        assert request.protocol is not None
        content = content_of(request.protocol, request.path, request.body)
        base = base_of(self._agent, self._script, workspace=capture.header.cwd)
        found = scenario_of(capture, request, content, base)
        if found.mcp_servers is None and (servers := self._answered(capture, run)):
            found = found.model_copy(update={"mcp_servers": servers})  # no tool of theirs was sent
        return content, found

    def _answered(self, capture: Capture, run: Run) -> list[McpServer]:
        """The servers of a run; none if its request came before any of them answered."""
        servers = servers_of_run(self._script, run)
        sent = json.dumps(capture.main.body) if servers and capture.main else ""
        words = ((each.instructions, *(tool["name"] for tool in each.tools)) for each in servers)
        return servers if any(word and json.dumps(word)[1:-1] in sent for each in words for word in each) else []

    def _assembled(self, scenario: Scenario) -> Assembly:
        return assemble(scenario, self._workspace, self._counter)

    def _find_base(self, capture: Capture, run: Run) -> None:
        """Of a version that is not modelled: the modelled one that explains most of a request."""
        content, scenario = self._asked(capture, run)

        def explained(version: str) -> float:
            assembly = self._assembled(scenario.with_value("agent_version", version))
            return Sides(assembly, content, capture).compared()[0].explained

        if not self.is_modelled:
            self.base = max(self._agent.versions, key=explained)


def _captured(result: Result) -> Capture | None:
    """What a run sent; None if its main request is not there."""
    try:
        capture = read_capture(result.capture.encode()) if result.capture else None
    except CaptureError:
        return None
    return capture if capture and capture.main else None


def _without(capture: Capture, variable: str) -> Capture:
    """A capture without a variable that was set for the run's sake."""
    variables = capture.header.variables
    own = None if variables is None else {name: value for name, value in variables.items() if name != variable}
    return dataclasses.replace(capture, header=dataclasses.replace(capture.header, variables=own))


def _sent(sides: Sides) -> tuple[object, ...]:
    """What a run sent, but for what differs from run to run."""
    texts = [block.masked for blocks in sides.theirs.values() for block in blocks]
    return (*texts, *((tool.name, tool.description, json.dumps(tool.schema)) for tool in sides.content.tools))


def _nothing_came(result: Result) -> str:
    """Why a run taught nothing: how it ended, and the last line that it printed."""
    said = [line.strip() for line in result.said.splitlines() if line.strip()]
    how = {"time-out": f"it sent nothing in {TIMEOUT:g} seconds", "by itself": "it ended and sent nothing"}
    words = how.get(result.ended, result.ended)
    return f"{words}: {said[-1][:160]}" if said else words
