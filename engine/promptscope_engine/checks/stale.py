"""References in instruction files to what is not there: paths, links, scripts and targets."""

from collections.abc import Callable, Iterable, Iterator

from promptscope_engine.nearest import nearest

from .context import Context, Passage
from .findings import Finding
from .named import LIKE, Repository
from .references import Reference, Runner, references
from .scripts import scripts

_NONE = {
    "npm": "no package.json has a script `{}`",
    "make": "no Makefile has a target `{}`",
    "just": "no justfile has a recipe `{}`",
    "uv": "no pyproject.toml has a script `{}`",
}

_MOST = 50
"""Findings of one passage: a file that is about another repository is told about often enough."""


def referred(passage: Passage) -> tuple[Reference, ...]:
    """What a passage refers to."""
    return tuple(references(passage.text, passage.start))


def stale_references(
    context: Context, refers: Callable[[Passage], Iterable[Reference]] = referred
) -> Iterator[Finding]:
    """What instructions, loaded now or later, name that is not there. `refers` may know what a passage refers to."""
    repository = Repository(context.names, context.workspace, context.relative(context.assembly.workspace) or "")
    known = _Scripts(repository)
    for passage in (*context.passages, *context.later) if context.names.listing.complete else ():
        named = [*refers(passage)]
        file = named and context.relative(context.workspace.real_path(context.absolute(passage.path)))
        told = 0
        for each in named if file else ():
            if each.kind == "path" or each.kind == "link":
                said = _place(each, str(file), repository)
            else:
                said = known.missing(each.kind, each.name)
            if said and (told := told + 1) <= _MOST:
                yield context.finding("stale-reference", said, passage.path, each.line)


def _place(reference: Reference, file: str, repository: Repository) -> str | None:
    place = repository.missing(reference.name, file, is_link=reference.kind == "link")
    return place and f"there is no {reference.name}{_meant(repository.names.nearest(place))}"


def _meant(close: str | None) -> str:
    return f": did you mean {close}?" if close else ""


class _Scripts:
    """What the runners know, read when it is first asked for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[Runner, frozenset[str] | None] = {}

    def missing(self, runner: Runner, name: str) -> str | None:
        """That no file has what a runner is to run; None where one has, or where that cannot be told."""
        repository = self._repository
        if runner not in self._known:
            self._known[runner] = scripts(runner, repository.names.listing, repository.workspace)
        known = self._known[runner]
        if known is None or name in known:
            return None
        close = next(iter(nearest(name, known, 1, cutoff=LIKE)), None)
        if (runner == "uv" and not close) or (runner == "make" and repository.is_there(name)):
            return None  # a program of any package, or a file
        return _NONE[runner].format(name) + _meant(close and f"`{close}`")
