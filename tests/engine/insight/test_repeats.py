"""Passages that a prompt has more than once, and what its parts would save."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.insight import repeats
from promptscope_engine.insight.effects import each_effect
from promptscope_engine.insight.repeats import LEAST, find_repeats, paid_twice
from promptscope_engine.insight.savings import savings
from promptscope_engine.insight.weights import weights
from promptscope_engine.prompt.bullets import units
from promptscope_engine.tokens import Counter, get_tokenizer
from promptscope_engine.workspace import Workspace

COUNTER = Counter(get_tokenizer("o200k_base"))
READY = {"codeIndex": {"enabled": True, "configured": True, "initialized": True}}


def prompt(place: Path, rules: str = "", other: str = "") -> tuple[Scenario, Assembly]:
    (place / ".roo/rules").mkdir(parents=True)
    (place / ".roo/rules/a.md").write_text(rules)
    (place / ".roo/rules/b.md").write_text(other)
    scenario = Scenario(agent="roo", workspace=str(place), home=str(place / "home"), params=READY, env={})
    return scenario, assemble(scenario, Workspace(), COUNTER)


def test_a_tool_that_is_insisted_on_is_found_in_all_its_places(tmp_path: Path) -> None:
    own = "Be brief.\n\n- IMPORTANT: `codebase_search` comes FIRST, before any other tool.\n"
    _, assembly = prompt(tmp_path, own)
    (found,) = (each for each in find_repeats(assembly, COUNTER.count) if each.kind == "other words")
    assert found.about == "codebase_search"
    sections = [copy.section for copy in found.copies]
    assert sections[:4] == ["tool_use_guidelines", "capabilities", "rules", "objective"]
    assert (found.copies[4].path or "").endswith("a.md")
    assert found.copies[4].file_line == 3
    counts = [copy.tokens or 0 for copy in found.copies]
    assert found.tokens == sum(counts) - max(counts)


def test_the_same_sentences_are_one_passage_across_files_and_built_in_text(tmp_path: Path) -> None:
    _, plain = prompt(tmp_path / "plain")
    sentence = next(f.text for f in plain.section("rules").fragments if f.origin.id == "rules.no_home")  # type: ignore[union-attr]
    twice = "Run the tests before you commit. Never push to main by hand.\n"
    _, assembly = prompt(tmp_path / "own", f"# A\n\n{twice}", f"{twice}\n{sentence}")
    found = [each for each in find_repeats(assembly, COUNTER.count) if each.kind == "same words"]
    ours = next(each for each in found if each.text.startswith("Run the tests"))
    assert [(Path(copy.path or "").name, copy.file_line) for copy in ours.copies] == [("a.md", 3), ("b.md", 1)]
    assert "Never push" in ours.text
    assert ours.tokens == COUNTER.count(ours.text)
    built_in = next(each for each in found if "$HOME" in each.text)
    assert next((copy.section, copy.path is None) for copy in built_in.copies) == ("rules", True)
    assert Path(built_in.copies[1].path or "").name == "b.md"
    assert paid_twice(found) == sum(each.tokens or 0 for each in found)


def test_every_copy_stands_in_the_line_that_is_told(tmp_path: Path) -> None:
    own = "# A\n\nBe brief in all that you answer.\n\n- IMPORTANT: `codebase_search` comes FIRST, before others.\n"
    _, assembly = prompt(tmp_path, f"\n\n{own}", f"Other words.\n{own}")
    told = set()
    for repeat in find_repeats(assembly, COUNTER.count):
        for copy in repeat.copies:
            section = assembly.section(copy.section)
            assert section is not None
            if copy.path is not None and copy.file_line is not None:
                line = section.text.split("\n")[copy.line]
                assert Path(copy.path).read_text().split("\n")[copy.file_line - 1] == line
                told.add((Path(copy.path).name, line[:11]))
    assert told >= {(name, begin) for name in ("a.md", "b.md") for begin in ("Be brief in", "- IMPORTANT")}


@pytest.mark.parametrize(("length", "is_told"), [(LEAST - 1, False), (LEAST, True), (LEAST + 1, True)])
def test_a_short_sentence_is_a_coincidence(tmp_path: Path, length: int, is_told: bool) -> None:
    words = "Say what you have changed, and why so."[:length].rstrip(", ").ljust(length, "x")
    _, assembly = prompt(tmp_path, f"{words}\n", f"* {words}.\n")
    found = [each for each in find_repeats(assembly, COUNTER.count) if any(copy.path for copy in each.copies)]
    assert bool(found) is is_told


def test_every_bullet_has_its_tokens_and_they_add_up_to_their_section(tmp_path: Path) -> None:
    _, assembly = prompt(tmp_path, "Intro.\n\n- one\n  more of it\n  - deeper\n\n      code\n- two\n\nEnd.\n")
    found = weights(assembly, COUNTER.count)
    rules = assembly.section("rules")
    assert rules is not None
    assert len(found["rules"]) > 20
    assert sum(bullet.tokens or 0 for bullet in found["rules"]) == pytest.approx(rules.expected_tokens, rel=0.02)
    own = next(bullets for name, bullets in found.items() if name.endswith("a.md"))
    assert [(b.text, b.last - b.first) for b in own] == [("- one", 4), ("- two", 0)]


def test_a_text_is_divided_as_a_person_would() -> None:
    text = "# Title\nA paragraph\nof two lines.\n1. first\n\n   still\n2. second\n```\n- no bullet\n```\n* last"
    assert [(unit.text, unit.is_bullet) for unit in units(text)] == [
        ("A paragraph\nof two lines.", False),
        ("1. first\n\n   still", True),
        ("2. second", True),
        ("* last", True),
    ]


def test_savings_are_what_would_go_the_largest_first(tmp_path: Path) -> None:
    scenario, assembly = prompt(tmp_path, "Run the tests before you commit anything.\n" * 2)
    effects = list(each_effect(scenario, Workspace(), COUNTER, assembly))
    found = savings(assembly, effects, find_repeats(assembly, COUNTER.count))
    assert [each.tokens for each in found] == sorted((each.tokens for each in found), reverse=True)
    assert all(each.tokens > 0 for each in found)
    index = next(each for each in found if each.id == "codeIndex=off")
    without = assemble(scenario.with_value("codeIndex", None), Workspace(), COUNTER)
    assert index.tokens == (assembly.tokens.expected or 0) - (without.tokens.expected or 0)
    assert (index.param, index.value) == ("codeIndex", None)
    kinds = {each.kind for each in found}
    assert kinds == {"switch", "file", "section", "passage"}
    tools = next(each for each in found if (each.kind, each.id) == ("section", "tools"))
    assert tools.detail == "with 15 below it"
    passage = next(each for each in found if each.kind == "passage" and each.title.startswith("Run the tests"))
    assert "2 times" in passage.detail


@pytest.mark.parametrize(("more", "is_told"), [(-1, False), (0, True), (1, True)])
def test_of_a_very_long_prompt_the_rest_is_not_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int, is_told: bool
) -> None:
    """The own rules stand in the last section: with it the prompt is as long as is looked through."""
    sentence = "Run the tests before you commit.\n"
    _, assembly = prompt(tmp_path, sentence, sentence)
    monkeypatch.setattr(repeats, "MAX_CHARS", sum(len(s.text) for s in assembly.sections if s.present) + more)
    assert any(each.text == sentence.strip() for each in find_repeats(assembly, COUNTER.count)) is is_told
