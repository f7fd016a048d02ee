"""What a version changed, in a line."""

from __future__ import annotations

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.insight.comparison import Compared, Comparison, SectionChange, ToolChange
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_tui.session.comparing import news

CLAUDE_CODE = load_agent("claude-code")
SIDE = Compared("x", "claude-code", "2.1.332", None, None, 1_000, 10_000)
FOUND = Comparison(
    SIDE,
    SIDE,
    1_204,
    sections=(
        SectionChange("intro", "Introduction", "changed", 4, "a", "b", False, 1, 5),
        SectionChange("notes", "Notes", "changed", -4, "a", "b", False, 5, 1),
        SectionChange("auto", "Auto mode", "removed", -96, "a", "", False, 96, None),
    ),
    tools=(
        ToolChange("Shout", "added", 1_300, "", "b", None, None, 1_300),
        ToolChange("Read", "changed", 0, "a", "b", None, 9, 9),
    ),
)


def learned(*versions: str) -> Learned:
    return Learned(tuple(LearnedVersion("claude-code", each, ()) for each in versions))


def test_tokens_tools_and_texts_are_counted() -> None:
    words = news(CLAUDE_CODE, ("2.1.332", "2.1.333"), FOUND, learned("2.1.332", "2.1.333"))
    assert words == ("Claude Code 2.1.333: +1,204 tokens, 1 new tool, 1 section gone, 3 texts changed since 2.1.332")


def test_what_changed_nothing_here_says_so() -> None:
    words = news(CLAUDE_CODE, ("2.1.332", "2.1.333"), Comparison(SIDE, SIDE, 0), learned("2.1.332", "2.1.333"))
    assert words == "Claude Code 2.1.333: the same prompt here since 2.1.332"


def test_texts_that_are_not_in_the_same_words_are_not_compared() -> None:
    words = news(CLAUDE_CODE, ("2.1.332", "2.1.333"), FOUND, learned("2.1.333"))
    assert words.endswith("since 2.1.332; their texts cannot be compared: 2.1.332 was not learned")
    words = news(CLAUDE_CODE, ("2.1.331", "2.1.332"), FOUND, learned("2.1.332"))
    assert words.endswith("since 2.1.331"), "both are modelled: both are in promptscope's words"
