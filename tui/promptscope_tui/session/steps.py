"""What a step through the scenario changed: which agent, mode, switch or edit, in words."""

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.edits import Edit, EditKind
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.conditions import show
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace.paths import home_short

from .inputs import AgentInputs
from .snapshot import Step

_EDITS: Mapping[EditKind, str] = {
    "drop": "dropped",
    "drop_tool": "dropped",
    "replace": "replaced",
    "insert": "inserted",
    "move": "moved",
    "tool": "offered",
}
_OWN = {"agent", "workspace", "agent_version", "mode", "model", "params", "env", "edits", "reads", "learned", "capture"}
"""The keys of a scenario that have words of their own, or none."""

READING = ("read", "no longer read")
"""The steps that simulate a read: the session that is followed makes many, most of which change nothing."""

Asked = tuple[Scenario, Assembly]
"""A scenario, and what it gave."""


def is_other_prompt(before: Assembly, after: Assembly) -> bool:
    """Whether it is another agent's, or of another folder: then no part is the same part as before."""
    return (before.agent, before.workspace) != (after.agent, after.workspace)


def steps_between(before: Asked, after: Asked) -> tuple[Step, ...]:
    """What a person changed of the scenario; of another agent or folder, that alone."""
    (was, old), (now, new) = before, after
    if was is now or any(each.agent.startswith(OBSERVED) for each in (old, new)):
        return ()
    return tuple(_places(old, new) if is_other_prompt(old, new) else _switches(before, after))


def _places(old: Assembly, new: Assembly) -> Iterator[Step]:
    if old.workspace != new.workspace:
        yield Step("folder", home_short(new.workspace, new.home), home_short(old.workspace, old.home))
    if old.agent != new.agent:
        yield Step("agent", *(load_agent(each.agent).name for each in (new, old)))


def _switches(before: Asked, after: Asked) -> Iterator[Step]:
    (was, old), (now, new) = before, after
    shown = {
        "agent_version": ("version", new.shown_version, old.shown_version),
        "mode": ("mode", new.mode, old.mode),
        "model": ("model", new.model, old.model),
    }
    for key, (name, there, here) in shown.items():
        if getattr(was, key) != getattr(now, key) and there != here:
            yield Step(name, show(there), show(here))
    yield from _params(*(AgentInputs.of(load_agent(new.agent), each) for each in (was, now)))
    for edit in now.edits:
        if edit not in was.edits:
            yield Step("edit", f"{edit.target} {_EDITS[edit.kind]}")
    for edit in was.edits:
        if not any(_place_of(edit) == _place_of(each) for each in now.edits):
            yield Step("edit", f"{edit.target} as it was")
    for words, paths, others in zip(READING, (now.reads, was.reads), (was.reads, now.reads), strict=True):
        yield from (Step(words, new.shortened(path)) for path in paths if path not in others)
    for name in Scenario.model_fields:
        one, other = getattr(was, name), getattr(now, name)
        if name not in _OWN and one != other:
            yield Step(name, _words(other), _words(one))


def _place_of(edit: Edit) -> tuple[EditKind, str]:
    return edit.kind, edit.target


def _params(was: AgentInputs, now: AgentInputs) -> Iterator[Step]:
    """The inputs that differ: of a choice with values in it the choice, of other nested values those that do."""
    others = [name for name in {**now.values, **was.values} if was.value(name) != now.value(name)]
    fields = {field.name: field for field in now.fields}
    for name in others:
        inside = any(name.startswith(f"{field}.") for field in fields)
        if inside or (name not in fields and any(each.startswith(f"{name}.") for each in others)):
            continue
        title = fields[name].title if name in fields else name
        labels = (_line(each.label(name, each.value(name))) for each in (now, was))
        yield Step(title, *labels)


def _words(value: object) -> str:
    """A value of the scenario itself, which may be one of many parts."""
    plain: Json = value if isinstance(value, str | bool | None) else "given"
    return _line(show(plain))


def _line(text: str) -> str:
    return " ".join(text.split())
