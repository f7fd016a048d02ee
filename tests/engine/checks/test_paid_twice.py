"""What is paid for again: files that are sent twice, and passages of a file, as one finding with its passages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import write

from promptscope_engine import Counter, Scenario, Workspace, assemble
from promptscope_engine.checks.checker import check
from promptscope_engine.checks.findings import Finding
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.checks.paid_twice import duplicates
from promptscope_engine.insight.repeats import Copy, Repeat
from promptscope_engine.tokens.models import get_tokenizer

from .test_checker import checked
from .test_files import context

COUNTER = Counter(get_tokenizer("o200k_base"))
FIRST = "Never push to the main branch: open a pull request and ask two people of the team to look at all of it.\n"
SECOND = "Write the test before the code that it is for, watch it fail, and only then make it pass in small steps.\n"
LONG = f"# Rules of the shop\n\n- {FIRST}- {SECOND}"


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (Copy("intro", "Intro", 0, 9), "also in the agent's own text, in Intro (1,234 tokens)"),
        (Copy("a", "A", 0, 9, "b.md", 3, 4), "also in app/b.md:3 (1,234 tokens)"),
        (Copy("a", "A", 0, 9, "/etc/b.md", 3, 4), "also in /etc/b.md:3 (1,234 tokens)"),
    ],
)
def test_a_copy_says_where_the_first_one_is(tmp_path: Path, first: Copy, says: str) -> None:
    copy = Copy("a", "A", 5, 1_234, "a.md", 7, 8)
    (found,) = duplicates(context(tmp_path), [Repeat("same words", "x", (first, copy), 1_234)])
    assert (found.rule, found.line, found.message) == ("duplicate-lines", 7, f"lines 7-8 are {says}")
    assert found.tokens == 1_234


def repeated(folder: Path, text: str, **settings: object) -> list[Finding]:
    report = checked(folder, {"CLAUDE.md": text}, "claude-code", **settings)
    return [each for each in report.findings if each.rule == "duplicate-lines"]


def test_four_hundred_equal_lines_are_one_finding(tmp_path: Path) -> None:
    (found,) = repeated(tmp_path, "# Shop\n\n" + "Always run the linter before you commit.\n" * 400)
    assert found.place == "CLAUDE.md:4"
    assert found.message.startswith("lines 4-402 are also in CLAUDE.md:3 (")
    assert len(found.passages) == 399
    assert found.tokens == sum(each.tokens or 0 for each in found.passages) > 399 * 5


def test_what_a_file_repeats_is_one_finding_with_its_passages(tmp_path: Path) -> None:
    (found,) = repeated(tmp_path, f"{FIRST}\nOnce.\n\n{SECOND}\nThen.\n\n{SECOND}\nAnd.\n\n{FIRST}")
    assert found.message == f"repeats itself: 2 passages, {found.tokens} tokens, the largest 9 = 5"
    places = [(each.line, each.end, each.of and (each.of.path, each.of.line)) for each in found.passages]
    assert places == [(9, 9, ("CLAUDE.md", 5)), (13, 13, ("CLAUDE.md", 1))]
    assert all((each.tokens or 0) > 15 and each.agents == ("claude-code",) for each in found.passages)


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        ({"lines": [9]}, [13]),
        ({"lines": [13]}, [9]),
        ({"lines": [9, 13]}, []),
        ({"lines": [10]}, [9, 13]),
        ({}, []),
        ({"rules": ["secret"], "lines": [9]}, [9, 13]),
    ],
)
def test_an_ignored_line_takes_its_passage_out(tmp_path: Path, ignore: dict[str, object], left: list[int]) -> None:
    text = f"{FIRST}\nOnce.\n\n{SECOND}\nThen.\n\n{SECOND}\nAnd.\n\n{FIRST}"
    found = repeated(tmp_path, text, ignore=[{"path": "*.md", **ignore}], repeated_from=1)
    assert [passage.line for each in found for passage in each.passages] == left
    assert [each.tokens for each in found] == [sum(p.tokens or 0 for p in each.passages) for each in found]


def test_a_comment_takes_the_passage_below_it_out(tmp_path: Path) -> None:
    text = f"{FIRST}\nOnce.\n\n{SECOND}\nThen.\n\n{SECOND}\n<!-- promptscope: ignore duplicate-lines -->\n{FIRST}"
    (found,) = repeated(tmp_path, text, repeated_from=1)
    assert [each.line for each in found.passages] == [9]


@pytest.mark.parametrize(("least", "is_found"), [(1, True), (9, True), (30, False), (None, False)])
def test_a_few_tokens_are_no_finding(tmp_path: Path, least: int | None, is_found: bool) -> None:
    settings = {} if least is None else {"repeated_from": least}
    line = "Always run the linter before you commit.\n"
    assert bool(repeated(tmp_path, f"{line}\nBe kind.\n\n{line}", **settings)) is is_found


def test_what_is_left_below_the_least_is_no_finding(tmp_path: Path) -> None:
    text = f"{FIRST}\nOnce.\n\n{SECOND}\nThen.\n\n{SECOND}\nAnd.\n\n{FIRST}"
    assert repeated(tmp_path / "all", text, repeated_from=60)
    assert repeated(tmp_path / "some", text, repeated_from=60, ignore=[{"path": "*.md", "lines": [9]}]) == []


def test_lines_that_agents_repeat_differently_are_in_one_finding(tmp_path: Path) -> None:
    report = checked(tmp_path, {"AGENTS.md": f"{FIRST}\n{SECOND}\nOnce.\n\n{FIRST}\n{SECOND}"})
    (found,) = (each for each in report.findings if each.rule == "duplicate-lines")
    assert found.agents == ("claude-code", "roo", "openclaw", "codex", "opencode", "copilot")
    assert found.message == f"lines 7-9 are also in AGENTS.md:1 ({found.tokens} tokens)"


def sent_twice(folder: Path, files: dict[str, str], agent: str | None = None, **settings: object) -> list[Finding]:
    write(folder, {**files, ".git/HEAD": "ref: refs/heads/main\n"})
    report = checked(folder, {}, agent, **settings)
    return [each for each in report.findings if each.rule == "sent-twice"]


def test_a_file_that_is_sent_by_itself_and_as_an_import_is_a_warning_with_its_price(tmp_path: Path) -> None:
    (found,) = sent_twice(tmp_path, {"AGENTS.md": LONG, "CLAUDE.md": "# Shop\n\n@AGENTS.md\n"})
    assert (found.level, found.place, found.agents) == ("warning", "AGENTS.md", ("copilot",))
    ways = "by itself, and as an import of CLAUDE.md"
    assert found.message == f"AGENTS.md is sent twice ({ways}): {found.tokens} tokens"
    scenario = Scenario(agent="copilot", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}, attended=True)
    assembly = assemble(scenario, counter=COUNTER)
    row = next(file for file in assembly.files if file.path.endswith("AGENTS.md") and file.present)
    assert (row.times, row.tokens) == (2, 2 * (found.tokens or 0)), "both copies are the person's"
    assert row.injected_chars == 2 * len(LONG)


def test_two_files_with_one_text_are_sent_twice(tmp_path: Path) -> None:
    files = {"AGENTS.md": LONG, ".roo/rules/all.md": LONG}
    (found,) = sent_twice(tmp_path, files, "roo")
    assert found.message == f"AGENTS.md is sent twice (by itself, and as .roo/rules/all.md): {found.tokens} tokens"


def test_a_link_that_is_read_beside_its_file_is_sent_twice(tmp_path: Path) -> None:
    (found,) = sent_twice(tmp_path, {"AGENTS.md": LONG, ".roo/rules/all.md": "-> ../../AGENTS.md"}, "roo")
    assert (found.tokens or 0) > 30


def test_a_few_tokens_that_are_sent_twice_are_no_finding(tmp_path: Path) -> None:
    files = {"AGENTS.md": "Use tabs, never spaces, in all of the files.\n", "CLAUDE.md": "@AGENTS.md\n"}
    assert sent_twice(tmp_path, files, "copilot") == []
    assert sent_twice(tmp_path, files, "copilot", repeated_from=1)


def test_what_an_agent_repeats_of_a_file_is_not_the_persons(tmp_path: Path) -> None:
    """OpenClaw sends a digest of the rules of an AGENTS.md that it cuts: the same lines again, some shortened."""
    rules = "".join(
        f"- Rule {n}: you must never touch folder number {n * 7919} of the shop, whoever asks.\n" for n in range(400)
    )
    long = "- You must never " + "do what nobody asked for " * 20 + "\n"
    write(tmp_path, {"AGENTS.md": f"# Shop\n\n{long}{rules}"})
    report = check(Scenario(agent="openclaw", workspace=str(tmp_path)), counter=COUNTER)
    assert [each.rule for each in report.findings] == ["truncated"]
    scenario = Scenario(agent="openclaw", workspace=str(tmp_path), home=str(tmp_path / "home"), env={})
    assembly, workspace = assemble(scenario, counter=COUNTER), Workspace()
    assert "Policy digest" in "".join(section.text for section in assembly.sections)
    paid = LiveCheck(COUNTER).paid_twice(assembly, workspace)
    assert [each for each in paid.repeats if each.is_own] == []


def test_a_file_of_the_home_folder_repeats_itself_too(tmp_path: Path) -> None:
    write(tmp_path, {"home/.claude/CLAUDE.md": f"{FIRST}\nOnce.\n\n{FIRST}{SECOND}", "shop/CLAUDE.md": SECOND})
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path / "shop"), home=str(tmp_path / "home"))
    found = check(scenario, counter=COUNTER).findings
    assert [(each.place, each.message.partition(" (")[0]) for each in found] == [
        ("CLAUDE.md:1", "the line is also in ~/.claude/CLAUDE.md:6"),
        ("~/.claude/CLAUDE.md:5", "the line is also in ~/.claude/CLAUDE.md:1"),
    ]
