"""What a check finds in the prompt that is shown, again after every save."""

import posixpath
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from msgspec import structs

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.insight.sides import Side, assemble_pinned, at_revision
from promptscope_engine.prompt.model import Assembly, Diagnostic
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files, repository_root

from .budgets import Place, grown, required
from .checker import given_elsewhere
from .context import Context, Names, Passage
from .findings import Finding, in_order
from .judging import Judge, Reading, in_prompt, in_text
from .references import Reference
from .settings import OWN_FILE, PROJECT_FILE, Growth, Loaded, load_settings
from .texts import referred

_REFUSES = "agent-refuses"


class LiveCheck:
    """The rules about one agent's prompt.

    A text that was checked is not checked again: after a save that is one file of thousands.
    """

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._known: dict[Passage, tuple[Finding, ...]] = {}
        self._refers: dict[Passage, tuple[Reference, ...]] = {}
        self._names: Names | None = None
        self._repeats_in: object = None
        self._repeats: tuple[Repeat, ...] = ()
        self._before: tuple[Side, Assembly] | None = None

    def repeats_of(self, assembly: Assembly, check_cancelled: Callable[[], None]) -> tuple[Repeat, ...]:
        """What the prompt says more than once, looked for again where its sections are others than the last time.

        `check_cancelled` may raise to stop.
        """
        if self._repeats_in is not assembly.sections:
            self._repeats = find_repeats(assembly, self._counter.count, check_cancelled)
            self._repeats_in = assembly.sections
        return self._repeats

    def find(
        self,
        scenario: Scenario,
        assembly: Assembly,
        lazy: LazyRules | None,
        workspace: Workspace,
        wanted: Callable[[], bool],
    ) -> tuple[Diagnostic, ...] | None:
        """What a check of the scenario finds, and as `info` what else the assembly's diagnostics say.

        Paths are absolute. A settings file that is not valid counts as none, a revision that is not there is not
        compared with. None as soon as it is not `wanted` any more.
        """
        root = repository_root(assembly.workspace, workspace.snapshot()) or assembly.workspace
        for name in (OWN_FILE, PROJECT_FILE):
            workspace.read(f"{root}/{name}")  # a save of the settings counts as one of the prompt's files
        place = workspace.snapshot()  # what else is looked at here is not to be watched
        place.allow([root])
        try:
            loaded = load_settings(root, place)
        except ScenarioError:
            loaded = Loaded.nothing()
        context = Context(root, assembly, lazy, place, self._counter, self._named(root, assembly, lazy, place))
        named = {key: getattr(assembly, key) for key in ("agent", "agent_version", "mode", "home", "workspace")}
        base = scenario.model_copy(update=named)
        try:
            found = list(self._found(base, context, loaded, partial(_go_on, wanted)))
        except _UnwantedError:
            return None
        judged = in_order(Judge(loaded.settings, root, place).judged(found))
        return (*(_diagnostic(each, context) for each in judged), *_notes(assembly, found, judged, root))

    def _found(self, base: Scenario, context: Context, loaded: Loaded, go_on: Callable[[], None]) -> Iterator[Finding]:
        settings, place = loaded.settings, context.workspace

        def written(*keys: str | int) -> Place:
            return loaded.path, loaded.line(place, *keys)

        def texts(passage: Passage, context: Context) -> tuple[Finding, ...]:
            go_on()
            if passage not in self._known:
                self._known[passage] = tuple(in_text(passage, context))
            return self._known[passage]

        def refers(passage: Passage) -> tuple[Reference, ...]:
            go_on()
            if passage not in self._refers:
                self._refers[passage] = referred(passage)
            return self._refers[passage]

        def repeats() -> tuple[Repeat, ...]:
            return self.repeats_of(context.assembly, go_on)

        yield from in_prompt(context, loaded, written, Reading(texts, refers, repeats))
        there = {*context.passages, *context.later}
        self._known = {passage: found for passage, found in self._known.items() if passage in there}
        self._refers = {passage: found for passage, found in self._refers.items() if passage in there}
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

    def _named(self, root: str, assembly: Assembly, lazy: LazyRules | None, place: Workspace) -> Names:
        """The names of the repository's files, in tables that last as long as there are the same files."""
        listing = lazy.listing if lazy else list_files(root, assembly.home, {}, place)
        if self._names is None or self._names.listing != listing:
            self._names = Names(listing)
        return self._names


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
    return Diagnostic(finding.level, finding.rule, finding.message, path and context.absolute(path), finding.line)
