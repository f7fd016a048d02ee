"""Passages of files that a prompt has elsewhere too, as each file's page and a check tell them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import assembly_of, of_file, section

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.insight.repeats import Shared, shared_lines
from promptscope_engine.prompt.model import Assembly, Fragment, Origin

pytestmark = pytest.mark.slow

TESTS = "- Run the tests before every commit, all of them."
JSON = "- Never write JSON by hand: use safeWriteJson for it."


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    rules = tmp_path / "shop" / ".roo" / "rules"
    rules.mkdir(parents=True)
    return tmp_path / "shop"


def assembled(shop: Path, agent: str = "roo") -> Assembly:
    values = {"agent": agent, "workspace": str(shop), "home": str(shop.parent / "home"), "env": {}}
    return assemble(Scenario.model_validate(values))


def words(text: str) -> int:
    return len(text.split())


def shared(assembly: Assembly) -> dict[str, tuple[Shared, ...]]:
    """By the files' names."""
    return {Path(path).name: lines for path, lines in shared_lines(find_repeats(assembly, words)).items()}


def places(lines: tuple[Shared, ...]) -> list[tuple[int, int, str, int | None]]:
    return [(each.start, each.end, Path(each.copy.path or "").name, each.copy.file_line) for each in lines]


def test_passages_in_two_files_are_told_from_both_sides(shop: Path) -> None:
    (shop / "AGENTS.md").write_text(f"# Agents\n\n{TESTS}\n{JSON}\n\nOnly here, and nowhere else in the prompt.\n")
    (shop / ".roo/rules/a.md").write_text(f"Be kind to all.\n\n  {TESTS.replace('the ', 'the   ')}\n{JSON}\n")
    found = shared(assembled(shop))
    assert places(found["a.md"]) == [(3, 4, "AGENTS.md", 3)]
    assert places(found["AGENTS.md"]) == [(3, 4, "a.md", 3)]
    assert found["a.md"][0].tokens == words(TESTS) + words(JSON)


def test_a_file_that_says_it_twice_itself(shop: Path) -> None:
    (shop / ".roo/rules/a.md").write_text(f"{TESTS}\n\n{JSON}\n\n{TESTS}\n")
    assert places(shared(assembled(shop))["a.md"]) == [(1, 1, "a.md", 5), (5, 5, "a.md", 1)]


def test_lines_are_those_of_the_file_where_only_a_part_of_it_is_in_the_prompt(shop: Path) -> None:
    (shop / ".claude/rules").mkdir(parents=True)
    (shop / ".claude/rules/a.md").write_text(f"---\npriority: high\n---\n\n{TESTS}\n")
    (shop / "CLAUDE.md").write_text(f"{TESTS}\n")
    found = shared(assembled(shop, "claude-code"))
    assert places(found["a.md"]) == [(5, 5, "CLAUDE.md", 1)]
    assert places(found["CLAUDE.md"]) == [(1, 1, "a.md", 5)]


def test_a_file_without_numbers_is_one_from_its_first_line_on(shop: Path) -> None:
    for name in ("a.md", "b.md"):
        (shop / ".roo/rules" / name).write_text(f"{TESTS}\n")
    assembly = assembled(shop)
    sections = tuple(
        replace(s, fragments=tuple(replace(f, origin=replace(f.origin, start_line=None)) for f in s.fragments))
        for s in assembly.sections
    )
    found = shared(replace(assembly, sections=sections))
    assert places(found["a.md"]) == [(1, 1, "b.md", 1)]


@pytest.mark.parametrize(("length", "is_told"), [(24, False), (25, True), (26, True)])
def test_a_passage_has_a_length_from_which_on_it_is_no_coincidence(shop: Path, length: int, is_told: bool) -> None:
    for name in ("a.md", "b.md"):
        (shop / ".roo/rules" / name).write_text("x" * length)
    assert bool(shared(assembled(shop))) is is_told


def test_short_lines_and_rules_of_dashes_are_no_repeats(shop: Path) -> None:
    common = "# Rules\n\nBe kind.\n\n" + "-" * 60 + "\n\n```\n"
    (shop / "AGENTS.md").write_text(common)
    (shop / ".roo/rules/a.md").write_text(common)
    assert shared(assembled(shop)) == {}


def test_a_copy_in_no_file_is_told_by_its_section() -> None:
    assembly = assembly_of(section("a", of_file(TESTS, "/a.md")), section("b", Fragment(TESTS, Origin("param"))))
    (only,) = shared(assembly)["a.md"]
    assert (only.copy.path, only.copy.section) == (None, "b")


def test_a_passage_in_many_files_is_told_once_for_each(shop: Path) -> None:
    for n in range(5):
        (shop / f".roo/rules/{n}.md").write_text(f"{TESTS}\n")
    found = shared(assembled(shop))
    assert {name: [Path(each.copy.path or "").name for each in lines] for name, lines in found.items()} == {
        "0.md": ["1.md"],
        **{f"{n}.md": ["0.md"] for n in range(1, 5)},
    }


def test_whoever_asks_may_stop_it(shop: Path) -> None:
    """A newer save need not wait for the lines of thousands of files."""
    (shop / ".roo/rules/a.md").write_text(TESTS)
    assembly = assembled(shop)

    def stop_at(most: int) -> Callable[[], None]:
        asked = iter(range(most))
        return lambda: None if next(asked, None) is not None else _stop()

    present = sum(each.present for each in assembly.sections)
    for most in (0, 1, present - 1):
        with pytest.raises(InterruptedError):
            find_repeats(assembly, words, stop_at(most))
    assert find_repeats(assembly, words, stop_at(present)) == find_repeats(assembly, words)


def _stop() -> None:
    raise InterruptedError
