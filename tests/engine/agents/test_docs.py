"""The documents on the agents: how exact each model is, counted, and every link to one of their headings."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.census.figures import Kind, figures
from tests.oracle.clients import NAMES, named
from tests.support.documents import anchors
from tests.support.generated import ROOT, assert_current

from promptscope_engine.agents.registry import built_in_ids, load_agent

DOCS = ROOT / "docs" / "agents"
CASES, STORE, PENDING = (ROOT / "tests" / name for name in ("conformance/cases", "oracle/store", "oracle/pending"))
_LINK = re.compile(r"(?:docs/)?agents/([\w-]+\.md)(?:#([\w-]+))?")
_PLACES = ("engine", "tui", "tests", "docs")


def _leaves(value: Any) -> int:
    """The single values that a case expects."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 1 if inner is None else sum(map(_leaves, inner))


def _held(agent: str) -> tuple[list[Any], int, int]:
    """The recorded cases of an agent, its stored situations, and how many of these are predicted wrongly."""
    cases = [json.loads(file.read_text("utf-8")) for file in sorted((CASES / agent).glob("*.json"))]
    clients = [name for name in NAMES if named(name).agent == agent]
    pending = sum(len(json.loads((PENDING / f"{name}.json").read_text("utf-8"))) for name in clients)
    return cases, sum(len(list((STORE / name).glob("*.json"))) for name in clients), pending


def _exactness(agent: str) -> str:
    cases, stored, differing = _held(agent)
    versions = Counter(str(case["scenario"]["agent_version"]) for case in cases)
    named = ", ".join(f"{version} ({count})" for version, count in sorted(versions.items()))
    return _recorded(cases, named, stored, differing) + _census(agent)


def _census(agent: str) -> str:
    """Of each kind of knob: known, asked, that change the request, of these predicted at first look, and now."""
    found = figures(agent)
    if found is None:
        return ""
    head = (
        f"\nEvery public knob of {found.version}, turned alone in the real client ({found.date}; tests/census):\n\n"
        "| kind of knob | known | asked | change the request | predicted at first look | predicted now |\n"
        "|---|---|---|---|---|---|\n"
    )
    return head + "".join(map(_row, (*found.kinds, found.total)))


def _row(kind: Kind) -> str:
    first = "" if kind.first is None else kind.first
    return f"| {kind.name} | {kind.known} | {kind.asked} | {kind.change} | {first} | {kind.right} |\n"


def _recorded(cases: list[Any], named: str, stored: int, differing: int) -> str:
    return (
        "| recorded cases | values in them | versions (cases) | situations stored | of these, predicted wrongly |\n"
        "|---|---|---|---|---|\n"
        f"| {len(cases)} | {sum(_leaves(case['expect']) for case in cases):,} | {named} | {stored} | {differing} |\n"
    )


@pytest.mark.parametrize("agent", built_in_ids())
def test_how_exact_the_model_is(agent: str) -> None:
    name = f"docs/agents/{agent}.md"
    before, _, rest = (ROOT / name).read_text("utf-8").partition("<!-- exactness -->\n")
    assert_current(
        name, f"{before}<!-- exactness -->\n{_exactness(agent)}<!-- end -->{rest.partition('<!-- end -->')[2]}"
    )


def test_the_readme_says_how_exact_and_how_old_each_model_is() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for agent in map(load_agent, built_in_ids()):
        cases, stored, differing = _held(agent.id)
        situations = f", {stored} random situations" if stored else ""
        if differing:
            situations += f" ({differing} wrongly predicted)"
        if knobs := figures(agent.id):
            total = knobs.total
            situations += f"; of {total.change} public knobs that change a request {total.right} are predicted"
            situations += f" ({total.first} at first look)" if total.first is not None else ""
        row = rf"(?m)^(\| {agent.name}[^|]*\|[^|]*\|)[^|]*\|[^|]*\|"
        news = f"; {agent.about.state.news}" if agent.about.state and agent.about.state.news else ""
        cells = f" {max(agent.about.modelled.values())}{news} | {len(cases)} recordings{situations} |"
        text, found = re.subn(row, lambda row, cells=cells: row[1] + cells, text)  # type: ignore[misc]
        assert found == 1, agent.name
    assert_current("README.md", text)


@pytest.mark.slow
def test_every_link_leads_to_a_heading() -> None:
    known = {file.name: anchors(file.read_text("utf-8")) for file in DOCS.glob("*.md")}
    files = [file for place in _PLACES for end in ("py", "md", "toml") for file in (ROOT / place).rglob(f"*.{end}")]
    for file in files:
        for name, heading in _LINK.findall(file.read_text("utf-8")):
            if name in known or "docs/agents/" in name:
                assert not heading or heading in known[name], f"{file}: {name}#{heading}"


def test_each_heading_numbers_its_facts_from_one() -> None:
    for agent in built_in_ids():
        for part in (DOCS / f"{agent}.md").read_text("utf-8").split("\n## ")[1:]:
            numbers = [int(number) for number in re.findall(r"^(\d+)\. ", part, re.M)]
            assert numbers == list(range(1, len(numbers) + 1)), part.partition("\n")[0]


@pytest.mark.slow
def test_nothing_cites_what_no_reader_has() -> None:
    files = [file for place in _PLACES for end in ("py", "md", "toml") for file in (ROOT / place).rglob(f"*.{end}")]
    own = {Path(__file__), *(ROOT / "tests" / "conformance").glob("check_*.py")}
    citing = [
        str(file)
        for file in files
        if file not in own
        and re.search(r"\bspecs/(?:claude|codex|gemini|openclaw|roo|capture)", file.read_text("utf-8"))
    ]
    assert citing == []


@pytest.mark.parametrize("agent", built_in_ids())
def test_the_quirks_of_the_document_are_those_of_the_data(agent: str) -> None:
    said = set()
    for part in (DOCS / f"{agent}.md").read_text("utf-8").split("\n## ")[1:]:
        heading, _, facts = part.partition("\n")
        said |= {f"{heading} {fact[1]}" for fact in re.finditer(r"(?m)^(\d+)\. .*\bQ$", facts)}
    assert said == {each.fact for each in load_agent(agent).about.quirks}


@pytest.mark.parametrize("agent", built_in_ids())
def test_how_files_are_read_is_said_of_every_agent_and_in_its_document(agent: str) -> None:
    text, found = (DOCS / f"{agent}.md").read_text("utf-8"), load_agent(agent)
    said = {found.sequence(kind) for kind in KINDS} - {""}
    assert said
    assert [sentence for sentence in said if f"read {sentence}" not in text] == []
    assert found.sequence("none such") == ""


KINDS = (
    "agent", "agents-md", "bootstrap", "claude-md", "claude-rule", "custom-instructions", "gemini-md", "mode-rules",
    "rules", "skill",
)  # fmt: skip
"""Kinds of files that are sent or listed as instructions."""
