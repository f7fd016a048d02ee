"""Every offered lever acts, and what has none says what a person would do: over all agents, by real assembly."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.drafting import draft
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Draft
from promptscope_engine.prompt.model import Reason, Verdict

from . import declared_scenarios
from .case import Case
from .scenarios import SCENARIOS, Key, as_key, scenario_of, things, write

pytestmark = pytest.mark.slow


def _present(drafted: Draft, kind: str, name: str) -> Iterator[Key]:
    """The things of one kind and of one name that an assembly of the drafts has present."""
    facts = drafted.facts
    for section in drafted.sections if kind in ("section", "fragment") else ():
        if section.id == name and section.when.holds(facts):
            yield ("section", name)
            for span in section.spans if kind == "fragment" else ():
                if span.text and span.when is not ALWAYS and span.when.holds(facts):
                    yield ("fragment", name, span.text, as_key(span.origin))
    for tool in drafted.tools if kind in ("tool", "parameter") else ():
        if tool.name == name and tool.when.holds(facts):
            yield ("tool", name)
            yield from (("parameter", name, each.name) for each in tool.parameters if each.when.holds(facts))
    yield from (
        ("file", name) for file in drafted.files if kind == "file" and file.path == name and file.when.holds(facts)
    )


def _shape(verdict: Verdict | None) -> str:
    """A condition without what is the case."""
    if verdict is None:
        return ""
    return f"{verdict.op} {verdict.name} {verdict.wanted} {[_shape(child) for child in verdict.children]}"


def _form(verdict: Verdict | None) -> object:
    """A condition and which parts of it hold: what exactly is the case instead changes no lever."""
    return verdict and (verdict.op, verdict.name, verdict.wanted, verdict.ok, *map(_form, verdict.children))


@dataclass(frozen=True)
class Outcome:
    """What a scenario makes of a workspace, as far as somebody looks."""

    scenario: Scenario
    workspace: Workspace
    _counts: dict[Key, Counter[Key]] = field(default_factory=dict)

    @cached_property
    def assembly(self) -> Assembly:
        return assemble(self.scenario, self.workspace, cached_only=True)

    @cached_property
    def _drafted(self) -> Draft:
        return draft(resolve(self.scenario, self.workspace), self.workspace)

    def count(self, key: Key) -> int:
        """How often a thing is present: the drafts tell, in half the time."""
        part = key[:2]
        if part not in self._counts:
            self._counts[part] = Counter(_present(self._drafted, *part))
        return self._counts[part][key]

    @cached_property
    def verdicts(self) -> dict[Key, bool]:
        """Whether a thing is present. It is known by its condition too: two forms may share a stretch of text."""
        found: dict[Key, bool] = {}
        for key, present, why in things(self.assembly):
            shaped = (*key, _shape(why.condition))
            found[shaped] = present or found.get(shaped, False)
        return found


def acted(base: Outcome, after: Outcome, key: Key, present: bool, why: Reason) -> bool:
    """Whether the thing that was `present` or absent in `base` is the other afterwards."""
    if (after.count(key) < base.count(key)) if present else (after.count(key) > base.count(key)):
        return True
    shaped = (*key, _shape(why.condition))
    if present or shaped in after.verdicts:
        return after.verdicts.get(shaped, False) is not present
    # What was held back is no thing of its own any more: it is among the lines of the section around it, or what
    # decides on it gives it another text.
    if key[0] == "fragment":
        return _reworded(after, key, why) or all(line in _text(after.assembly, key[1]) for line in key[2].split("\n"))
    parent = _parent(base.assembly, key[1])
    return key[0] == "section" and _text(after.assembly, parent) != _text(base.assembly, parent)


def _reworded(after: Outcome, key: Key, why: Reason) -> bool:
    """Whether a value's place in the section is taken by another value on the same condition."""
    _, section, text, origin = key
    shape = _shape(why.condition)
    return "kind='builtin'" not in origin and any(
        present and other[:2] == ("fragment", section) and other[2] != text and other[3:] == (origin, shape)
        for other, present in after.verdicts.items()
    )


def _text(assembly: Assembly, section_id: str) -> str:
    section = assembly.section(section_id)
    return section.text if section else ""


def _parent(assembly: Assembly, section_id: str) -> str:
    section = assembly.section(section_id)
    return (section.parent if section else None) or ""


def _situation(key: Key, present: bool, why: Reason, folder: Path, written: dict[int, str]) -> str:
    """A thing with all that decides on it, whatever folder its scenario is in. `written`: of reasons known so far."""
    decides = written.get(id(why))
    if decides is None:
        decides = written[id(why)] = repr((_form(why.condition), why.levers)).replace(str(folder), "")
    return f"{repr(key).replace(str(folder), '')} {present} {decides}"


class _Place:
    """The files of a case in a folder, and what was made of them: what a lever makes of one scenario is often
    what a lever makes of another."""

    def __init__(self, case: Case, folder: Path) -> None:
        write(case, folder)
        self.folder, self.workspace = folder, Workspace()
        self._outcomes: dict[str, Outcome] = {}

    def outcome(self, scenario: Scenario) -> Outcome:
        asked = json.dumps(scenario.to_dict(), sort_keys=True)
        if asked not in self._outcomes:
            self._outcomes[asked] = Outcome(scenario, self.workspace)
        return self._outcomes[asked]


@pytest.mark.parametrize("agent", [*agent_ids(), declared_scenarios.ID])
def test_every_lever_acts_and_what_has_none_names_a_remedy(agent: str, tmp_path: Path) -> None:
    """A lever is tried once for each situation: most of a scenario's things are as they do in the others."""
    tried: set[str] = set()
    wrong: list[str] = []
    places: dict[str, _Place] = {}
    for name, case in SCENARIOS.items():
        if case.scenario["agent"] == agent:
            files = repr((case.files, case.repository))
            if files not in places:
                places[files] = _Place(case, tmp_path / name)
            place = places[files]
            wrong += (f"{name}: {what}" for what in _wrong_levers(scenario_of(case, place.folder), place, tried))
    assert wrong == []


_OWED = ("section:budget", "section:subagent_tokens_left", "fragment:primary_workflows")
"""What has no lever yet that acts alone: a number of dollars, a part for a model that versions have apart, and words of
Gemini CLI for headless sessions, which in a folder that isn't trusted don't start."""


def _wrong_levers(scenario: Scenario, place: _Place, tried: set[str]) -> Iterator[str]:
    base = place.outcome(scenario)
    present = Counter(key for key, is_present, _ in things(base.assembly) if is_present)
    assert all(base.count(key) == present[key] for key, *_ in things(base.assembly))
    written: dict[int, str] = {}
    for key, is_present, why in things(base.assembly):
        if ":".join(key).startswith(_OWED):
            continue
        situation = _situation(key, is_present, why, place.folder, written)
        if situation in tried:
            continue
        tried.add(situation)
        name = f"{'present' if is_present else 'absent'} {':'.join(key)[:120]!r}, {why.text!r}"
        if why.levers:
            changed = scenario
            for lever in why.levers:
                changed = changed.with_value(lever.param, lever.value)
            if not acted(base, place.outcome(changed), key, is_present, why):
                levers = ", ".join(f"{lever.param}={lever.value!r}" for lever in why.levers)
                yield f"{name}: {levers} does nothing"
        elif not is_present and (not why.remedy or why.remedy.startswith("it depends")):
            yield f"{name}: neither lever nor remedy ({why.remedy!r})"
