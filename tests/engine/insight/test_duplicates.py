"""Lines that are in two files of a prompt, and what the other agents make of the same files."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import assembly_of, of_file, section

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import agent_files
from promptscope_engine.insight.duplicates import DuplicateLines, find_duplicates
from promptscope_engine.prompt.model import Assembly, Fragment, Origin
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import get_tokenizer
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.slow

TESTS = "- Run the tests before every commit, all of them."
JSON = "- Never write JSON by hand: use safeWriteJson for it."


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    rules = tmp_path / "shop" / ".roo" / "rules"
    rules.mkdir(parents=True)
    return tmp_path / "shop"


def scenario(shop: Path, agent: str = "roo", **more: object) -> Scenario:
    values = {"agent": agent, "workspace": str(shop), "home": str(shop.parent / "home"), "env": {}, **more}
    return Scenario.model_validate(values)


def assembled(shop: Path) -> Assembly:
    return assemble(scenario(shop))


def words(text: str) -> int:
    return len(text.split())


def test_lines_in_two_files_are_told_from_both_sides(shop: Path) -> None:
    (shop / "AGENTS.md").write_text(f"# Agents\n\n{TESTS}\n{JSON}\n\nOnly here, and nowhere else in the prompt.\n")
    (shop / ".roo/rules/a.md").write_text(f"{JSON}\n\n  {TESTS.replace('the ', 'the   ')}\n{JSON}\n")
    found = find_duplicates(assembled(shop), words)
    mine = next(found[path] for path in found if path.endswith("a.md"))
    agents = next(path for path in found if path.endswith("AGENTS.md"))
    assert mine == (
        DuplicateLines(1, 1, agents, 4, words(JSON)),
        DuplicateLines(3, 4, agents, 3, words(TESTS) + words(JSON)),
    )
    assert [(r.start, r.end) for r in found[agents]] == [(3, 4)]


@pytest.mark.parametrize("seed", range(20))
def test_of_one_file_it_is_the_same(shop: Path, seed: int) -> None:
    chance = random.Random(seed)
    lines = ["", "short", TESTS, JSON, *(f"- Line number {n} of the pool of lines." for n in range(6))]
    for number in range(6):
        text = "\n".join(chance.choices(lines, k=12))
        (shop / f".roo/rules/{number}.md").write_text(text)
    assembly = assembled(shop)
    found = find_duplicates(assembly, words)
    assert len(found) > 4
    assert any(found.values())
    for path in found:
        assert find_duplicates(assembly, words, only=[path]) == {path: found[path]}
    elsewhere = str(shop / "elsewhere.md")
    assert find_duplicates(assembly, words, only=[elsewhere]) == {elsewhere: ()}


def test_lines_are_those_of_the_file_where_only_a_part_of_it_is_in_the_prompt(shop: Path) -> None:
    (shop / ".claude/rules").mkdir(parents=True)
    (shop / ".claude/rules/a.md").write_text(f"---\npriority: high\n---\n\n{TESTS}\n")
    (shop / "CLAUDE.md").write_text(f"{TESTS}\n")
    found = find_duplicates(assemble(scenario(shop, "claude-code")), words)
    rule = next(path for path in found if path.endswith("a.md"))
    instructions = str(shop / "CLAUDE.md")
    assert found[rule] == (DuplicateLines(5, 5, instructions, 1, words(TESTS)),)
    assert found[instructions] == (DuplicateLines(1, 1, rule, 5, words(TESTS)),)


def test_a_file_without_numbers_is_one_from_its_first_line_on(shop: Path) -> None:
    for name in ("a.md", "b.md"):
        (shop / ".roo/rules" / name).write_text(f"{TESTS}\n")
    assembly = assembled(shop)
    sections = tuple(
        replace(s, fragments=tuple(replace(f, origin=replace(f.origin, start_line=None)) for f in s.fragments))
        for s in assembly.sections
    )
    found = find_duplicates(replace(assembly, sections=sections), words)
    assert [(d.start, d.end, d.at) for each in found.values() for d in each] == [(1, 1, 1)] * 2


@pytest.mark.parametrize(("length", "is_told"), [(24, False), (25, True), (26, True)])
def test_a_line_has_a_length_from_which_on_it_is_no_coincidence(shop: Path, length: int, is_told: bool) -> None:
    for name in ("a.md", "b.md"):
        (shop / ".roo/rules" / name).write_text("x" * length)
    assert any(find_duplicates(assembled(shop), words).values()) is is_told


def test_short_lines_and_rules_of_dashes_are_no_repeats(shop: Path) -> None:
    common = "# Rules\n\nBe kind.\n" + "-" * 60 + "\n```\n"
    (shop / "AGENTS.md").write_text(common)
    (shop / ".roo/rules/a.md").write_text(common)
    assert not any(find_duplicates(assembled(shop), words).values())


def test_only_the_text_of_files_is_looked_through() -> None:
    param, nameless = Fragment(TESTS, Origin("param", path="/p.md")), Fragment(TESTS, Origin("file"))
    assembly = assembly_of(section("a", of_file(TESTS, "/a.md"), param, nameless))
    assert find_duplicates(assembly, words) == {"/a.md": ()}


def test_a_line_in_many_files_is_told_once_for_each(shop: Path) -> None:
    for n in range(5):
        (shop / f".roo/rules/{n}.md").write_text(f"{TESTS}\n")
    found = find_duplicates(assembled(shop), words)
    assert {Path(path).name: [Path(r.path).name for r in repeats] for path, repeats in found.items()} == {
        "0.md": ["1.md"],
        **{f"{n}.md": ["0.md"] for n in range(1, 5)},
    }


def test_lines_that_a_file_repeats_do_not_hide_those_of_another(shop: Path) -> None:
    (shop / ".roo/rules/a.md").write_text(f"{TESTS}\n\n{TESTS}\n")
    (shop / ".roo/rules/b.md").write_text(f"\n{TESTS}\n")
    found = {Path(path).name: lines for path, lines in find_duplicates(assembled(shop), words).items()}
    assert [(line.start, line.end, Path(line.path).name, line.at) for line in found["a.md"]] == [
        (1, 1, "b.md", 2),
        (3, 3, "b.md", 2),
    ]
    assert [(line.start, line.end, Path(line.path).name, line.at) for line in found["b.md"]] == [(2, 2, "a.md", 1)]


def test_each_agent_says_what_it_makes_of_a_file(shop: Path) -> None:
    (shop / "AGENTS.md").write_text(f"{TESTS}\n")
    (shop / "CLAUDE.md").write_text(f"{JSON}\n")
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    found = {
        agent: agent_files(load_agent(agent), scenario(shop, agent), workspace, counter)
        for agent in ("roo", "openclaw", "claude-code")
    }
    agents, claude = str(shop / "AGENTS.md"), str(shop / "CLAUDE.md")
    assert [found[agent].files[agents].present for agent in ("roo", "openclaw")] == [True, True]
    assert found["claude-code"].files[claude].present
    assert not found["openclaw"].files[claude].present  # a row that says which names count
    assert all(r.error is None for r in found.values())


def test_an_agent_that_cannot_be_asked_says_why(shop: Path) -> None:
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    wrong = scenario(shop, "roo", params={"diffEnabeld": True})
    found = agent_files(load_agent("roo"), wrong, workspace, counter)
    assert found.files == {}
    assert "diffEnabled" in (found.error or "")


def test_whoever_asks_may_stop_it(shop: Path) -> None:
    """A newer save need not wait for the lines of thousands of files."""
    for name in ("a", "b"):
        (shop / f".roo/rules/{name}.md").write_text(TESTS)
    assembly = assembled(shop)

    def stop_at(most: int) -> Callable[[], None]:
        asked = iter(range(most))
        return lambda: None if next(asked, None) is not None else _stop()

    for most in range(3 * 2):  # of each of the two files its lines, their places, and what is duplicated
        with pytest.raises(InterruptedError):
            find_duplicates(assembly, words, stop_at(most))
    assert find_duplicates(assembly, words, stop_at(3 * 2)) == find_duplicates(assembly, words)


def _stop() -> None:
    raise InterruptedError
