"""Why tells what to change: every lever that is offered acts, and what is absent without one has a remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly, Fragment, Reason
from promptscope_engine.workspace import Workspace

from .lever_scenarios import SCENARIOS, Case

Key = tuple[str, ...]


def things(assembly: Assembly) -> Iterator[tuple[Key, bool, Reason | None]]:
    """Every section, fragment, tool, parameter and file: a key that survives a change, whether present, and why."""
    for section in assembly.sections:
        yield ("section", section.id), section.present, section.why
        for fragment in (*section.fragments, *section.absent):
            origin = fragment.origin
            key = ("fragment", section.id, origin.kind, origin.id or origin.name or "", fragment.text)
            yield key, isinstance(fragment, Fragment), fragment.why
    for tool in assembly.tools:
        yield ("tool", tool.name), tool.present, tool.why
        for parameter in (*tool.parameters, *tool.absent_parameters):
            yield ("parameter", tool.name, parameter.name), parameter.present, parameter.why
    for file in assembly.files:
        yield ("file", file.path), file.present, file.why


def present(assembly: Assembly) -> Counter[Key]:
    """How often each thing is there. A fragment whose text the change itself makes counts by its name as well."""
    keys = [key for key, there, _ in things(assembly) if there]
    return Counter([*keys, *(key[:-1] for key in keys if key[0] == "fragment")])


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: f"{case.agent}-{case.name}")
def test_levers_act_and_what_has_none_says_what_to_do(case: Case, tmp_path: Path) -> None:
    scenario = case.scenario(tmp_path.resolve())
    base = assemble(scenario, Workspace(), cached_only=True)
    before = present(base)
    after: dict[str, Counter[Key]] = {}
    wrong: list[str] = []
    for key, there, why in things(base):
        if why is None or not why.levers:
            if not there and not (why and why.remedy):
                wrong.append(f"{key}: no lever and no remedy: {why and why.text}")
            continue
        levers = ", ".join(f"{lever.param}={lever.value!r}" for lever in why.levers)
        if levers not in after:
            after[levers] = present(assemble(_applied(scenario, why), Workspace(), cached_only=True))
        named = key[:-1] if key[0] == "fragment" and not there else key
        change = max(after[levers][key] - before[key], after[levers][named] - before[named])
        if change * (-1 if there else 1) <= 0:
            wrong.append(f"{key}: {why.text}: {levers} does nothing")
    assert wrong == [], "\n".join(wrong)


def _applied(scenario: Scenario, why: Reason) -> Scenario:
    for lever in why.levers:
        scenario = scenario.with_value(lever.param, lever.value)
    return scenario
