"""Hints: off unless asked for, at the right line, never more than info, and silent where nothing is certain."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError
from tests.engine.insight.made_up import assembly_of, of_file, section

from promptscope_engine.checks.advice import advice, is_advised
from promptscope_engine.checks.findings import ADVICE, RULES
from promptscope_engine.checks.settings import CheckSettings

from .test_budgets import context
from .test_checker import checked, found

pytestmark = pytest.mark.slow


def hints(folder: Path, text: str, **more: str) -> list[tuple[str, str]]:
    """The findings on a CLAUDE.md with this text."""
    files = {"CLAUDE.md": text, **{f".claude/rules/{name}.md": rule for name, rule in more.items()}}
    return found(checked(folder, files, agent="claude-code", advice=True))


LOUD = "NEVER push. ALWAYS test. This is IMPORTANT, you MUST do it, it is CRITICAL.\n"


def test_nothing_is_said_unless_it_is_asked_for(tmp_path: Path) -> None:
    files = {"CLAUDE.md": f"Always use tabs.\nNever use tabs.\nDo it if appropriate.\n\n{LOUD}\n{'longword ' * 120}\n"}
    files["src/CLAUDE.md"] = "Always log in UTC.\n"
    assert checked(tmp_path / "a", files).findings == ()
    report = checked(tmp_path / "b", files, advice=True)
    assert {finding.rule for finding in report.findings} == set(ADVICE)
    assert {finding.level for finding in report.findings} == {"info"}
    assert not report.failed(strict=True)
    one = checked(tmp_path / "c", files, rules={"vague-trigger": "info"})
    assert found(one) == [("vague-trigger", "CLAUDE.md:3")]
    rest = checked(tmp_path / "d", files, advice=True, rules={"emphasis": "off", "contradiction": "off"})
    assert {finding.rule for finding in rest.findings} == {"long-paragraph", "vague-trigger", "lost-on-compaction"}
    with pytest.raises(ValidationError, match="only gives hints"):
        CheckSettings.model_validate({"rules": {"emphasis": "warning"}})
    assert all(RULES[name].level == "info" for name in ADVICE)


@pytest.mark.parametrize(
    ("given", "is_asked_for"),
    [
        ({}, False),
        ({"advice": True}, True),
        ({"rules": {"emphasis": "info"}}, True),
        ({"rules": {"emphasis": "off"}}, False),
        ({"rules": {"secret": "warning"}}, False),
    ],
)
def test_hints_are_looked_for_only_where_one_is_asked_for(given: dict[str, object], is_asked_for: bool) -> None:
    assert is_advised(CheckSettings.model_validate(given)) is is_asked_for


def test_always_and_never_of_the_same_are_told_with_both_places(tmp_path: Path) -> None:
    files = {
        "CLAUDE.md": "# A\n\n- **Always** use the `pnpm` tool.\n",
        ".claude/rules/b.md": "First.\n\n1. You must never use\n   `pnpm` tool!\n",
    }
    report = checked(tmp_path, files, advice=True)
    (finding,) = report.findings
    assert (finding.rule, finding.place) == ("contradiction", ".claude/rules/b.md:3")
    assert "in CLAUDE.md:3: which of them holds?" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "Always use tabs.\nNever use tabs in YAML.",  # an exception
        "Always use tabs.\n\n    Never use tabs.\n",  # code
        "Always use tabs.\n```\nNever use tabs.\n```\n",
        "Always use tabs.\n> Never use tabs.\n",  # somebody else's words
        'Always use tabs.\nDo not write "never use tabs" anywhere.',
        "Always use tabs.\nAlways use tabs.",
        "Never use tabs.\nDo not always use tabs.",
        "Always.\nNever.",
        "Always test.\nNever test.",
        "Always use tabs.\n```\n~~~\nNever use tabs.\n```\n",  # another mark does not end the code
        "---\ndescription: Never use tabs.\n---\nAlways use tabs.",
        "Whether you always use tabs.\nNever use tabs.",
    ],
)
def test_what_only_looks_like_a_contradiction_is_none(tmp_path: Path, text: str) -> None:
    assert hints(tmp_path, text) == []


@pytest.mark.parametrize(("length", "is_told"), [(999, 0), (1_000, 0), (1_001, 1)])
def test_a_long_paragraph(tmp_path: Path, length: int, is_told: int) -> None:
    lines = ("word " * 400)[: length - 1].rstrip().ljust(length - 1, "x") + "."
    half = lines.index(" ", length // 2)
    text = f"# Title\n\n{lines[:half]}\n{lines[half + 1 :]}\n\n- {'x ' * 400}\n- {'y ' * 400}\n"
    assert hints(tmp_path, text) == [("long-paragraph", "CLAUDE.md:3")] * is_told


@pytest.mark.parametrize(("loud", "is_told"), [(4, 0), (5, 1), (6, 1)])
def test_few_loud_words_are_no_inflation(tmp_path: Path, loud: int, is_told: int) -> None:
    text = "Quiet.\n" + "This is IMPORTANT.\n" * loud
    assert hints(tmp_path, text) == [("emphasis", "CLAUDE.md:2")] * is_told


@pytest.mark.parametrize(("more", "is_told"), [(-1, 1), (0, 0), (1, 0)])
def test_loud_words_are_held_against_all_words(tmp_path: Path, more: int, is_told: int) -> None:
    loud = 6
    quiet = 300 - loud + more  # of 300 words six are two per cent
    text = "NEVER\n" * loud + "\n" + "word\n\n" * quiet
    assert [rule for rule, _ in hints(tmp_path, text)] == ["emphasis"] * is_told


def test_abbreviations_do_not_shout_and_whole_lines_in_capitals_do(tmp_path: Path) -> None:
    text = "Use JSON, HTTP and a REST API; read the `NEVER` flag. XML, CSS.\n" * 3
    assert {rule for rule, _ in hints(tmp_path / "a", text)} == {"duplicate-lines"}
    assert hints(tmp_path / "b", "READ ALL OF THIS FIRST\n") == [("emphasis", "CLAUDE.md:1")]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("Add tests if appropriate.", 1),
        ("Refactor as needed, and say so.", 1),
        ("Where it makes sense, split files.", 1),
        ("Use your best judgment.", 1),
        ("Ask when necessary to delete a file.", 0),
        ("Run it if needed by the build.", 0),
        ("The flag `if appropriate` is read.", 0),
        ("The flags ``a`` and ``b` if needed``` are read.", 0),
        ("The flag ```x` is read if needed.", 1),
        ("The flag `x``, if needed, is `read`.", 1),
        ("Add tests if a function is exported.", 0),
        ("Things needed as soon as possible.", 0),
    ],
)
def test_what_leaves_open_when_it_holds(tmp_path: Path, line: str, is_told: int) -> None:
    assert hints(tmp_path, f"# A\n\n- {line}\n") == [("vague-trigger", "CLAUDE.md:3")] * is_told


def test_a_comment_in_the_file_takes_a_hint_back(tmp_path: Path) -> None:
    assert hints(tmp_path, "<!-- promptscope: ignore vague-trigger -->\nDo it as needed.\n") == []


@pytest.mark.parametrize(("line", "is_told"), [("DO IT", 0), ("DO IT NOW", 1), ("DO IT RIGHT NOW", 1), ("I AM A B", 0)])
def test_three_words_in_capitals_shout(tmp_path: Path, line: str, is_told: int) -> None:
    assert hints(tmp_path, f"{line} {line.lower()}\n" * 2) == [("emphasis", "CLAUDE.md:1")] * is_told


@pytest.mark.parametrize(
    ("start", "text", "places"),
    [
        (1, "First.\nAlways use tabs.\nNever use tabs.\nLast.\n", (2, 3)),
        (1, "One. Always use tabs. Two.\nThree. Four.\nNever use tabs.\n", (1, 3)),
        (1, "---\na: b\n---\nAlways use tabs.\nNever use tabs.\n", (4, 5)),
        (1, "---\n\nAlways use tabs.\nNever use tabs.\n", (3, 4)),  # front matter that does not end is none
        (1, "---\n\nAlways use tabs.\n\n---\nNever use tabs.\n", None),
        (5, "---\n\nAlways use tabs.\n\n---\n\nNever use tabs.\n", (7, 11)),  # nor is any within a file
        (5, "Always use tabs.\nNever use tabs.\n", (5, 6)),
    ],
)
def test_both_places_of_a_contradiction(start: int, text: str, places: tuple[int, int] | None) -> None:
    found = list(advice(context(assembly_of(section("a", of_file(text, line=start))))))
    if places is None:
        assert found == []
    else:
        (finding,) = found
        assert finding.place == f"CLAUDE.md:{places[1]}"
        assert f"in CLAUDE.md:{places[0]}:" in finding.message


def test_a_sentence_is_shown_up_to_its_60th_character() -> None:
    for length, shown in ((59, "{}"), (60, "{}"), (61, "{:.59}…")):
        what = "use ".ljust(length - len("never "), "x")
        text = f"Never {what}.\nAlways {what}.\n"
        (finding,) = advice(context(assembly_of(section("a", of_file(text)))))
        assert f"“{shown.format(f'Never {what}')}” in" in finding.message


def test_the_three_loudest_words_are_told() -> None:
    text = "NEVER NEVER NEVER NEVER MUST MUST MUST ALWAYS ALWAYS CRITICAL\n"
    (finding,) = advice(context(assembly_of(section("a", of_file(text)))))
    told = "10 of 10 words are emphasised with capitals, NEVER 4 ×, MUST 3 ×, ALWAYS 2 ×: "
    assert finding.message.startswith(told)
