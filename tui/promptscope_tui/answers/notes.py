"""Further lines on what was found: what nearly names a file, where its text is, what names it, what is set in vain."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.imagined import Imagined
from promptscope_engine.insight.known import near
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.insight.mentions import meant
from promptscope_engine.insight.set_keys import SetKey, naming, set_unread
from promptscope_engine.prompt.model import Assembly, SourceFile, Tool, Verdict
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_tui.text import words
from promptscope_tui.text.words import short_text

from .items import Row, Thing

_MOST = 4
_CALLED = ("agent", "skill", "command")
"""Kinds of files that lists name."""


def notes(
    item: str, thing: Thing, assembly: Assembly, scenario: Scenario, workspace: Workspace, *, knowledge: Knowledge
) -> tuple[str, ...]:
    """The lines on one thing that was found by a name."""
    lines = (
        *_nearly_named(thing, assembly),
        *_texts(thing, assembly),
        *_set_in_vain(thing, assembly, workspace),
        *_named_by(item, thing, assembly, scenario, workspace, knowledge=knowledge),
        *_meant_key(thing, assembly),
    )
    return tuple(map(partial(short_text, assembly=assembly), lines))


def _nearly_named(thing: Thing, assembly: Assembly) -> Iterator[str]:
    """An `@path` that looks like the file and means another one."""
    if isinstance(thing, Imagined) or (isinstance(thing, SourceFile) and not thing.present):
        path = path_in(assembly.workspace, thing.path)
        for each in islice(meant(path, assembly, assembly.home), _MOST):
            place = words.place(each.path, each.line) if each.path else "the prompt"
            other = f"means {each.means}, not this file" if each.means != path else "does name it"
            yield f"`{each.says}` in {place} {other}"


def _texts(thing: Thing, assembly: Assembly) -> Iterator[str]:
    """The sections that have text of the file."""
    if isinstance(thing, SourceFile) and thing.present:
        for section in assembly.sections if thing.kind in _CALLED else ():
            lines = [each.origin for each in section.fragments if each.origin.path == thing.path]
            if section.present and lines:
                where = words.line_range(lines[0].start_line or 1, lines[-1].end_line)
                yield f"in the section {section.id} ({section.title}): its {where}"


def _set_in_vain(thing: Thing, assembly: Assembly, workspace: Workspace) -> Iterator[str]:
    """What decides, where it is set in a file that does not count."""
    verdict = thing.why.condition if isinstance(thing, Row) else None
    keys = {key for key in _unset(verdict) if "." not in key or not key.startswith("env.")} if verdict else set[str]()
    for key, file, line in islice(set_unread(sorted(keys), assembly, workspace), _MOST):
        why = file.why.because
        yield f"`{key}` is set in {words.place(file.path, line)}, which does not count: {why}"


def _unset(verdict: Verdict) -> Iterator[str]:
    if verdict.source is not None and not verdict.source.is_set:
        yield verdict.source.key
    for each in verdict.children:
        yield from _unset(each)


def _named_by(
    item: str, thing: Thing, assembly: Assembly, scenario: Scenario, workspace: Workspace, *, knowledge: Knowledge
) -> Iterator[str]:
    """The lists of settings and of front matter that name it, and what that does."""
    is_file = isinstance(thing, SourceFile) and not thing.present and thing.kind == "file"
    name = item.rpartition("/")[2] if is_file else item
    if is_file or isinstance(thing, Tool) or (isinstance(thing, SourceFile) and thing.kind in _CALLED):
        for each in naming(name, assembly, scenario, workspace, knowledge, path=is_file):
            if each.effect:
                yield f"named by `{each.key}` of {words.place(each.path, each.line)}: {each.effect}"


def through_links(
    thing: Thing, rules: LazyRules | None, assembly: Assembly, scenario: Scenario, workspace: Workspace
) -> Iterator[str]:
    """The reads that would load a file if they were named by what a link leads to."""
    if rules is None or not isinstance(thing, SourceFile) or thing.present or not (rule := rules.of(thing.path)):
        return
    for read in scenario.reads:
        path = path_in(assembly.workspace, read)
        real = workspace.real_path(path)
        if real != path and rule.file.loads_for(real) and not rule.file.loads_for(path):
            where = short_text(real, assembly)
            yield f"{read} is read, a link to {where}: what counts is the path that is read, not where it leads"


def _meant_key(thing: Thing, assembly: Assembly) -> Iterator[str]:
    """A key that changes nothing, and whose name is nearly one that the agent knows."""
    if isinstance(thing, SetKey) and thing.without == () and not any("did you mean" in each for each in thing.said):
        name = thing.key.rpartition(".")[2]
        close = near(name, assembly, limit=1)
        if close and close[0].rpartition(".")[2] != name:
            yield f"did you mean `{close[0]}`?"
