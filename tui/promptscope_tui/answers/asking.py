"""Asking why: what a word names in a prompt, and what would be answered if what is assumed were otherwise."""

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import islice

from msgspec.structs import replace

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import own_value, unread_file
from promptscope_engine.insight.editable import EditableFiles, find_editable
from promptscope_engine.insight.imagined import imagined
from promptscope_engine.insight.known import known, near
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.insight.mentions import mentions
from promptscope_engine.insight.offered_tools import as_offered, is_singled_out
from promptscope_engine.insight.set_keys import given_arguments, set_keys
from promptscope_engine.prompt.model import Assembly, Assumption, Lever, ModeChoice, Tool
from promptscope_engine.workspace import Workspace
from promptscope_tui.text.words import short_text

from .explaining import explanation, verdict
from .finding import Beyond, NotFoundError, find
from .items import Candidate
from .notes import notes, through_links


def answer(
    item: str, assembly: Assembly, scenario: Scenario, workspace: Workspace, knowledge: Knowledge
) -> list[Candidate]:
    """What the word names. The scenario names the assembly's agent. Raises NotFoundError."""
    resolved = cache(lambda: resolve(scenario, workspace, knowledge))
    found = find(item, assembly, _beyond(assembly, scenario, workspace, knowledge))
    return with_edits(found, assembly, lambda mode: find_editable(*resolved(), workspace, mode))


def in_words(found: list[Candidate], assembly: Assembly, again: str = "") -> list[str]:
    """The answers, those of many in a line each. `again`: how a command names the folder and the agent."""
    brief = [f"{verdict(each, assembly)}\n" for each in found if each.brief]
    if len(brief) > _MOST_BRIEF:
        brief[_MOST_BRIEF:] = [f"… {len(brief) - _MOST_BRIEF} more\n"]
    whole = [f"{each.title}\n{''.join(explanation(each, assembly, again))}" for each in found if not each.brief]
    return ["".join(brief), *whole] if brief else whole


_MOST_BRIEF = 24


def _beyond(assembly: Assembly, scenario: Scenario, workspace: Workspace, knowledge: Knowledge) -> Beyond:
    """What is looked up only for what has no row."""
    resolved = cache(lambda: resolve(scenario, workspace, knowledge))
    rules = cache(lambda: find_lazy_rules(*resolved(), workspace))

    return Beyond(
        rules=rules,
        unread=lambda path: unread_file(path, *resolved(), assembly, workspace),
        head=lambda file, key: own_value(file.path, key, workspace),
        offered=lambda server, tool: as_offered(server, tool, scenario, workspace, knowledge),
        singled_out=lambda server, tool: is_singled_out(server, tool, scenario, workspace, knowledge),
        keys=lambda name: (
            *set_keys(name, assembly, scenario, workspace, knowledge),
            *given_arguments(name, scenario, workspace, knowledge),
        ),
        known=lambda name: known(name, assembly, scenario, workspace, knowledge),
        near=lambda name, more: near(name, assembly, more),
        imagined=lambda path: imagined(path, scenario, workspace, knowledge),
        mentions=lambda words, more: mentions(words, assembly, workspace, more),
        notes=lambda item, thing: (
            *notes(item, thing, assembly, scenario, workspace, knowledge=knowledge),
            *(through_links(thing, rules(), assembly, scenario, workspace) if scenario.reads else ()),
        ),
    )


def otherwise(
    item: str,
    found: list[Candidate],
    assembly: Assembly,
    scenario: Scenario,
    workspace: Workspace,
    *,
    knowledge: Knowledge,
) -> Iterator[str]:
    """What was assumed since nothing says otherwise, where the answer would be another one without it."""
    for each in (*assembly.assumed, *_usual(assembly, scenario)):
        changed = reduce(lambda made, lever: made.with_value(lever.param, lever.value), each.otherwise, scenario)
        other = assemble(changed, workspace.snapshot(), knowledge=knowledge, cached_only=True)
        try:
            others = find(item, other, _beyond(other, changed, workspace, knowledge))
        except NotFoundError:
            others = []
        alike = [one for one in others if one.kind in {each.kind for each in found}]
        before, after = ([verdict(one, made) for one in some] for some, made in ((found, assembly), (alike, other)))
        if before != after:
            said = {note.message for note in assembly.diagnostics}
            why = (note.message for note in other.diagnostics if note.severity != "info" and note.message not in said)
            gone = ": ".join(("it is not there", *islice(why, 1)))
            yield f"assumed: {each.text}; otherwise {short_text('; '.join(after) or gone, assembly)}\n"


def _usual(assembly: Assembly, scenario: Scenario) -> Iterator[Assumption]:
    """That somebody sits at it, where that is the agent's usual session and nothing is said of it."""
    other = load_agent(assembly.agent).about.unattended
    if other and not other.keys() & flatten(scenario.params).keys():
        yield Assumption("interactive", tuple(Lever(name, value) for name, value in other.items()))


def with_edits(
    found: list[Candidate], assembly: Assembly, editable: Callable[[ModeChoice], EditableFiles | None]
) -> list[Candidate]:
    """With the files that may be edited, for modes and for tools that edit in the mode in force.

    `editable` holds the repository's files against a mode's pattern; it is asked only where that says something.
    """
    now = next((mode for mode in assembly.modes if mode.slug == assembly.mode), None)
    some: EditableFiles | None = None

    def edits(each: Candidate) -> Candidate:
        nonlocal some
        if isinstance(each.thing, ModeChoice):
            return replace(each, edits=editable(each.thing))
        if not isinstance(each.thing, Tool) or now is None:
            return each
        some = some or editable(now)
        return replace(each, edits=some) if some and each.thing.name in some.rules.tools else each

    return [edits(each) for each in found]
