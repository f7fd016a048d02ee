"""What a check finds in the prompt that is shown, again after every save."""

from collections.abc import Callable, Iterator
from functools import partial

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly, Diagnostic
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files, repository_root

from .advice import advice, is_advised
from .budgets import forbidden, over_budget
from .checker import Judge
from .context import Context, Passage
from .files import file_findings
from .findings import Finding
from .named import Names
from .references import Reference
from .settings import Loaded, load_settings
from .stale import referred, stale_references
from .texts import duplicates, invisible, secrets


class LiveCheck:
    """The rules about one agent's prompt, but for its growth.

    A text that was checked is not checked again: after a save that is one file of thousands.
    """

    def __init__(self) -> None:
        self._known: dict[Passage, tuple[Finding, ...]] = {}
        self._refers: dict[Passage, tuple[Reference, ...]] = {}
        self._names: Names | None = None
        self._repeats_in: object = None
        self._repeats: tuple[Repeat, ...] = ()

    def repeats_of(
        self, assembly: Assembly, counter: Counter, check_cancelled: Callable[[], None]
    ) -> tuple[Repeat, ...]:
        """What the prompt says more than once, looked for again where its sections are others than the last time.

        `check_cancelled` may raise to stop.
        """
        if self._repeats_in is not assembly.sections:
            self._repeats = find_repeats(assembly, counter.count, check_cancelled)
            self._repeats_in = assembly.sections
        return self._repeats

    def find(
        self,
        assembly: Assembly,
        lazy: LazyRules | None,
        workspace: Workspace,
        counter: Counter,
        wanted: Callable[[], bool],
    ) -> tuple[Diagnostic, ...] | None:
        """Findings that the assembly's own diagnostics do not have, as diagnostics with absolute paths.

        A settings file that is not valid counts as none. None as soon as it is not `wanted` any more.
        """
        place = workspace.snapshot()  # what is looked at here is not to be watched
        root = repository_root(assembly.workspace, place) or assembly.workspace
        place.allow([root])
        try:
            loaded = load_settings(root, place)
        except ScenarioError:
            loaded = Loaded.nothing()
        settings = loaded.settings
        context = Context(root, assembly, lazy, place, counter, self._named(root, assembly, lazy, place))
        found = list(file_findings(context))
        known: dict[Passage, tuple[Finding, ...]] = {}
        for passage in context.passages:
            if not wanted():
                return None
            if passage not in known:
                before = self._known.get(passage)
                known[passage] = tuple(in_text(passage, context)) if before is None else before
            found += known[passage]
        self._known = known
        try:
            found += self._stale(context, wanted)
            found += duplicates(context, self.repeats_of(assembly, counter, partial(_go_on, wanted)))
        except _UnwantedError:
            return None
        found += forbidden(settings.forbidden, context)
        for number, budget in enumerate(settings.budget):
            if budget.agent in (None, assembly.agent) and budget.mode in (None, assembly.mode):
                line = loaded.line(place, "budget", number, budget.limit)
                found += over_budget(budget, context, (loaded.path, line))
        if is_advised(settings):
            found += advice(context)
        told = {each.message.replace(f"{root}/", "") for each in assembly.diagnostics}
        new = (each for each in Judge(settings, root, place).judged(found) if each.message not in told)
        return tuple(_diagnostic(each, root) for each in new)

    def _stale(self, context: Context, wanted: Callable[[], bool]) -> list[Finding]:
        refers: dict[Passage, tuple[Reference, ...]] = {}

        def kept(passage: Passage) -> tuple[Reference, ...]:
            _go_on(wanted)
            refers[passage] = self._refers[passage] if passage in self._refers else referred(passage)
            return refers[passage]

        try:
            found = list(stale_references(context, kept))
        except _UnwantedError:
            self._refers |= refers
            raise
        self._refers = refers
        return found

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


def in_text(passage: Passage, context: Context) -> Iterator[Finding]:
    """What a passage's own text alone decides."""
    yield from secrets(context, (passage,))
    yield from invisible(context, (passage,))


def _diagnostic(finding: Finding, root: str) -> Diagnostic:
    path = finding.path and (finding.path if finding.path.startswith("/") else f"{root}/{finding.path}")
    return Diagnostic(finding.level, finding.rule, finding.message, path, finding.line)
