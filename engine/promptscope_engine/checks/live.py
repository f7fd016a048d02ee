"""What a check finds in the prompt that is shown, again after every save."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from msgspec import structs

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import AgentFiles
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.insight.sides import Side, assemble_pinned, at_revision
from promptscope_engine.prompt.model import Assembly, Diagnostic
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList, list_files, repository_root

from .budgets import Place, grown, required
from .checker import given_elsewhere
from .context import Context, Names
from .findings import Finding
from .judging import Judge, in_prompt
from .paid_twice import PaidTwice, duplicates
from .ranking import in_order
from .reading import Reading
from .settings import OWN_FILE, PROJECT_FILE, Growth, Loaded, load_settings
from .unread import unread_files

_REFUSES = "agent-refuses"


class _OfOnePrompt(Reading):
    """Knows what the last prompt says more than once, too: it is asked for twice, and few saves change it."""

    def __init__(self) -> None:
        super().__init__()
        self._repeats_in: object = None
        self._repeats: Sequence[Repeat] = ()

    def repeats(self, context: Context) -> Sequence[Repeat]:
        """Looked for again where the sections are others than the last time."""
        if self._repeats_in is not context.assembly.sections:
            self._repeats = super().repeats(context)
            self._repeats_in = context.assembly.sections
            self._divided.clear()
        return self._repeats


class LiveCheck:
    """The rules about one agent's prompt.

    A text that was checked is not checked again: after a save that is one file of thousands.
    """

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._reading = _OfOnePrompt()
        self.others: tuple[str, Sequence[AgentFiles]] | None = None
        """An agent, and what all the others make of the files: only with that it is known what nobody reads."""
        self._names: Names | None = None
        self._before: tuple[Side, Assembly] | None = None

    def paid_twice(
        self, assembly: Assembly, workspace: Workspace, check_cancelled: Callable[[], None] = lambda: None
    ) -> PaidTwice:
        """What the prompt pays for more than once, as `findings` has it. `check_cancelled` may raise to stop."""
        root, loaded = _settings(assembly, workspace)
        context = self._context(root, assembly, None, workspace)
        self._reading.go_on = check_cancelled
        repeats = self._reading.repeats(context)
        judge = Judge(loaded.settings, root, context.workspace)
        return PaidTwice.of(in_order(judge.judged(duplicates(context, repeats))), repeats, context)

    def findings(
        self,
        scenario: Scenario,
        assembly: Assembly,
        lazy: LazyRules | None,
        workspace: Workspace,
        wanted: Callable[[], bool] = lambda: True,
    ) -> tuple[Finding, ...] | None:
        """What is found in the prompt of a scenario, one list in order; None as soon as it is not `wanted` any more.

        A settings file that is not valid counts as none, a revision that is not there is not compared with.
        """
        found = self._judged(scenario, assembly, lazy, workspace, wanted)
        return None if found is None else found[1]

    def find(
        self,
        scenario: Scenario,
        assembly: Assembly,
        lazy: LazyRules | None,
        workspace: Workspace,
        wanted: Callable[[], bool],
    ) -> tuple[Diagnostic, ...] | None:
        """The findings, and as `info` what else the assembly's diagnostics say. Paths are absolute."""
        judged = self._judged(scenario, assembly, lazy, workspace, wanted)
        if judged is None:
            return None
        found, kept, context = judged
        return (*(_diagnostic(each, context) for each in kept), *_notes(assembly, found, kept, context.root))

    def _judged(
        self,
        scenario: Scenario,
        assembly: Assembly,
        lazy: LazyRules | None,
        workspace: Workspace,
        wanted: Callable[[], bool],
    ) -> tuple[list[Finding], tuple[Finding, ...], Context] | None:
        """All that is found, and what the settings leave of it, in order."""
        root, loaded = _settings(assembly, workspace)
        context = self._context(root, assembly, lazy, workspace)
        listing = lazy.listing if lazy else list_files(root, assembly.home, {}, context.workspace)
        context = structs.replace(context, known=self._named(listing))
        named = {key: getattr(assembly, key) for key in ("agent", "agent_version", "mode", "home", "workspace")}
        base = scenario.model_copy(update=named)
        try:
            found = list(self._found(base, context, loaded, partial(_go_on, wanted)))
        except _UnwantedError:
            return None
        return found, in_order(Judge(loaded.settings, root, context.workspace).judged(found)), context

    def _context(self, root: str, assembly: Assembly, lazy: LazyRules | None, workspace: Workspace) -> Context:
        place = workspace.snapshot()  # what is looked at here is not to be watched
        place.allow([root])
        return Context(root, assembly, lazy, place, self._counter)

    def _found(self, base: Scenario, context: Context, loaded: Loaded, go_on: Callable[[], None]) -> Iterator[Finding]:
        settings, place = loaded.settings, context.workspace

        def written(*keys: str | int) -> Place:
            return loaded.path, loaded.line(place, *keys)

        reading = self._reading
        reading.go_on = go_on
        found = list(in_prompt(context, loaded, written, reading))
        yield from found
        reading.keep({*context.passages, *context.later})
        if self.others is not None and self.others[0] == context.assembly.agent:
            agents = [_own_files(base, context), *self.others[1]]
            yield from unread_files(context, agents, found)
        with suppress(ScenarioError):
            elsewhere = partial(given_elsewhere, settings, base, place, self._counter)
            yield from required(settings.required, [context], elsewhere)
        if settings.growth is not None:
            go_on()
            with suppress(ScenarioError):
                yield from self._grown(settings.growth, base, context, written("growth", "against"))

    def _grown(self, growth: Growth, base: Scenario, context: Context, place: Place) -> Iterator[Finding]:
        """The growth between two pinned prompts, as a check has it; that of the revision is assembled once."""
        before = at_revision(growth.against, base)
        if self._before is None or self._before[0] != before:
            self._before = before, assemble_pinned(before, context.counter)
        now = assemble_pinned(Side("work tree", base), context.counter)
        yield from grown(growth, self._before[1], structs.replace(context, assembly=now), place)

    def _named(self, listing: FileList) -> Names:
        """The names of the repository's files, in tables that last as long as there are the same files."""
        if self._names is None or self._names.listing != listing:
            self._names = Names(listing)
        return self._names


def _own_files(scenario: Scenario, context: Context) -> AgentFiles:
    """What the prompt's own agent makes of the files."""
    lazy = [rule.file for rule in context.lazy.rules] if context.lazy else []
    return AgentFiles.of(resolve(scenario, context.workspace), context.assembly.files, lazy, context.workspace)


def _settings(assembly: Assembly, workspace: Workspace) -> tuple[str, Loaded]:
    """The root of the repository around a prompt's folder, and its settings."""
    root = repository_root(assembly.workspace, workspace.snapshot()) or assembly.workspace
    for name in (OWN_FILE, PROJECT_FILE):
        workspace.read(f"{root}/{name}")  # a save of the settings counts as one of the prompt's files
    place = workspace.snapshot()
    place.allow([root])
    try:
        return root, load_settings(root, place)
    except ScenarioError:
        return root, Loaded.nothing()


class _UnwantedError(Exception):
    """Nobody waits for the answer any more."""


def _go_on(wanted: Callable[[], bool]) -> None:
    if not wanted():
        raise _UnwantedError


def _notes(assembly: Assembly, found: list[Finding], kept: Iterable[Finding], root: str) -> Iterator[Diagnostic]:
    """The diagnostics that are no finding, as notes; so is a refusal that is switched off: the app goes by it."""
    told, shown = ({each.message for each in findings} for findings in (found, kept))
    for each in assembly.diagnostics:
        message = each.message.replace(f"{root}/", "")
        if message not in (shown if each.code == _REFUSES else told):
            yield structs.replace(each, severity="info")


def _diagnostic(finding: Finding, context: Context) -> Diagnostic:
    path = finding.path
    if path is not None and not path.startswith("~/"):
        path = posixpath.join(context.root, path)
    place = path and context.absolute(path), finding.line
    return Diagnostic(finding.level, finding.rule, finding.message, *place, finding.tokens)
