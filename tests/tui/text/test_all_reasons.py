"""What a person reads as reasons: every one of every agent, over many scenarios, all versions, and the sample."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from tests.engine.contracts import declared_scenarios
from tests.engine.contracts.case import Case
from tests.engine.contracts.scenarios import SCENARIOS, scenario_of, write

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.drafting import draft
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.option import parsed
from promptscope_engine.prompt.conditions import Condition, Fact, Setting, Test
from promptscope_engine.prompt.drafts import Draft
from promptscope_engine.prompt.model import Lever, Reason
from promptscope_tui.cli import cli
from promptscope_tui.commands.options import with_settings
from promptscope_tui.text.reasons import Thing, lines_of, own_reason, refusal, sentence

pytestmark = pytest.mark.slow

SHOP = Path(__file__).parents[2] / "samples" / "shop"


@dataclass(frozen=True)
class Seen:
    """A scenario of an agent, and what is made of it."""

    name: str
    scenario: Scenario
    workspace: Workspace
    assembly: Assembly


@pytest.fixture(scope="module", params=[*agent_ids(), declared_scenarios.ID])
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Seen]:
    """The scenarios of an agent that levers are tried in, its versions, and the sample."""
    agent, folder = request.param, tmp_path_factory.mktemp("reasons")
    cases = {name: case for name, case in SCENARIOS.items() if case.scenario["agent"] == agent}
    versions = load_agent(agent).versions if agent in agent_ids() else ()
    cases |= {version: Case({}, {"agent": agent, "agent_version": version}) for version in versions}
    found = []
    for number, (name, case) in enumerate(cases.items()):
        write(case, folder / str(number))
        found.append((name, scenario_of(case, folder / str(number))))
    if versions:
        sample = scenario_of(Case({}, {"agent": agent}), folder / "0")
        found.append(("sample", sample.model_copy(update={"workspace": str(SHOP)})))
    workspaces = [Workspace() for _ in found]
    return [
        Seen(name, scenario, workspace, assemble(scenario, workspace, cached_only=True))
        for (name, scenario), workspace in zip(found, workspaces, strict=True)
    ]


def things_of(assembly: Assembly) -> Iterator[Thing]:
    yield from (*assembly.sections, *assembly.tools, *assembly.servers, *assembly.files)


def reasons_of(assembly: Assembly) -> Iterator[tuple[str, Reason]]:
    """Every reason, with the first thing that it is of."""
    known: set[int] = set()
    for name, why in _reasons(assembly):
        if id(why) not in known:
            known.add(id(why))
            yield name, why


def _reasons(assembly: Assembly) -> Iterator[tuple[str, Reason]]:
    for section in assembly.sections:
        yield section.id, section.why
        for fragment in (*section.fragments, *section.absent):
            if fragment.why is not None:
                yield f"{section.id}: {fragment.text[:30]!r}", fragment.why
    for tool in assembly.tools:
        yield tool.name, tool.why
        if tool.waits is not None:
            yield f"{tool.name} waits", tool.waits
        for parameter in (*tool.parameters, *tool.absent_parameters):
            if parameter.why is not None:
                yield f"{tool.name}.{parameter.name}", parameter.why
    yield from ((server.name, server.why) for server in assembly.servers)
    yield from ((file.path, file.why) for file in assembly.files)
    yield from ((each.param, each.why) for each in assembly.derived)


FAULTS = {
    "an empty name or bracket": r"\(\)|''|``|\( |\(:",
    "a gap": r"^\s|\s$|  | ,|,,|^and |,$",
    "the same twice": r"\b(.{8,}) and \1(?:$|,| and )|(?:^|, )(.{8,}), \2(?:$|,| and )",
}


def faults(text: str) -> list[str]:
    """What is wrong with a sentence."""
    return [] if text and not any(re.search(fault, text) for fault in FAULTS.values()) else [text]


def test_every_reason_is_a_sentence(seen: list[Seen]) -> None:
    wrong: set[str] = set()
    for each in seen:
        refused = refusal(each.assembly)
        for name, why in reasons_of(each.assembly):
            texts = {own_reason(why, refused), *why.remedy.split("; ")}
            texts |= {line.text for line in lines_of(why.condition)} if why.condition else set()
            wrong |= {f"{each.name}: {name}: {fault!r}" for text in texts - {""} for fault in faults(text)}
        for thing in things_of(each.assembly):
            wrong |= {f"{each.name}: {fault!r}" for fault in faults(sentence(thing, refused))}
    assert not wrong, "\n".join(sorted(wrong))


def test_no_tree_has_a_fact_with_both_marks(seen: list[Seen]) -> None:
    """`✗ the version is 2.1.332` beside `✓ the version is 2.1.332` says nothing."""
    wrong = set()
    for each in seen:
        for name, why in reasons_of(each.assembly):
            lines = lines_of(why.condition) if why.condition else []
            marks = {line.text: line.ok for line in lines}
            wrong |= {f"{each.name}: {name}: {line.text}" for line in lines if marks[line.text] is not line.ok}
            if lines and why.condition:
                assert any(line.ok is why.condition.ok for line in lines), name
    assert not wrong, "\n".join(sorted(wrong))


def conditions_of(drafted: Draft) -> Iterator[Condition]:
    for section in drafted.sections:
        yield section.when
        yield from (span.when for span in section.spans)
    for tool in drafted.tools:
        yield tool.when
        yield from (parameter.when for parameter in tool.parameters)
    yield from (file.when for file in drafted.files)
    yield from (server.when for server in drafted.servers)
    yield from (derived.because for derived in drafted.derived)


def leaves_of(condition: Condition) -> Iterator[Test | Fact | Setting]:
    if isinstance(condition, Test | Fact | Setting):
        yield condition
    for inner in (*getattr(condition, "members", ()), getattr(condition, "inner", None)):
        if inner is not None:
            yield from leaves_of(inner)


def test_no_leaf_says_the_same_under_not(seen: list[Seen]) -> None:
    """A leaf says what it compares; of a switch that is on or off its value says all."""
    wrong = set()
    for each in seen:
        drafted = draft(resolve(each.scenario, each.workspace), each.workspace)
        known: set[int] = set()
        for condition in conditions_of(drafted):
            if id(condition) in known:
                continue
            known.add(id(condition))
            for leaf in leaves_of(condition):
                values = leaf.wanted if isinstance(leaf.wanted, tuple) else (leaf.wanted,)
                says_its_value = "{actual}" in leaf.yes and all(isinstance(value, bool) for value in values)
                if leaf.yes == leaf.no and not says_its_value:
                    wrong.add(f"{each.name}: {leaf.yes!r}")
    assert not wrong, "\n".join(sorted(wrong))


def typed(reason: Reason) -> Iterator[list[str]]:
    """The words of every command that a reason offers; options are those of `show`."""
    for step in re.findall(r"`([^`]*)`", reason.remedy):
        if step.startswith("promptscope "):
            yield shlex.split(step)[1:]
        elif re.match(r"--(?:set|mode|model|agent-version|reads) ", step):
            yield ["show", *shlex.split(step)]
    if reason.levers:
        yield ["show", *shlex.split(" ".join(lever.option for lever in reason.levers))]


def read(words: list[str]) -> click.Context:
    """A command line as it is parsed. Raises click.UsageError."""
    with cli.make_context("promptscope", list(words)) as context:
        name, command, rest = cli.resolve_command(context, list(words))
        assert command is not None
        return command.make_context(name, rest, parent=context)


def test_every_remedy_can_be_typed_as_it_is(seen: list[Seen], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "FILE").write_text("{}")
    monkeypatch.chdir(tmp_path)
    done: set[str] = set()
    for each in seen:
        for name, why in reasons_of(each.assembly):
            assert not re.search(r"simulate|it depends|no switch", why.remedy), (name, why.remedy)
            for words in typed(why):
                if (line := shlex.join(words)) not in done:
                    done.add(line)
                    context = read(words)
                    with_settings(each.scenario.to_dict(), context.params.get("settings") or ())
    assert done
    for wrong in (["show", "--sett", "x=1"], ["mcp-lists", "docs"], ["mcp-list"]):
        with pytest.raises(click.UsageError):
            read(wrong)


def test_an_option_sets_what_its_lever_sets(seen: list[Seen]) -> None:
    for each in seen:
        for name, why in reasons_of(each.assembly):
            for lever in why.levers:
                assert set_by(lever) == (lever.param, lever.value), (name, lever.option)


def set_by(lever: Lever) -> tuple[str, object]:
    """What the option of a lever sets."""
    option, *rest = shlex.split(lever.option)
    if option == "--reads":
        return "reads", rest
    name, value = parsed(rest[0]) if option == "--set" else (option[2:].replace("-", "_"), rest[0])
    return name.removeprefix("params."), value
