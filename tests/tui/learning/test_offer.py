"""What is said before a client is run."""

from __future__ import annotations

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learning.plan import Chosen, Run
from promptscope_tui.learning.clients import Client, learnable
from promptscope_tui.learning.learner import Plan
from promptscope_tui.learning.offer import announcement, headline

PLAN = Plan((Chosen(Run("headless", "plain"), frozenset(), 1.2),), {("intro", "v"): {}})


def said(reason: str) -> str:
    return "\n".join(announcement(PLAN, reason, "~/state/learned"))


def test_it_says_what_is_run_and_what_is_not_there() -> None:
    words = said("")
    for each in ("1 run, about 1 s", "for 1 text", "keys and repository are not there", "~/state/learned"):
        assert each in words
    assert "on a network of the loopback alone, and nothing that it writes reaches the disk" in words


def test_without_namespaces_it_says_what_a_program_could_do() -> None:
    words = said("it takes Linux")
    assert "without a network of its own (it takes Linux)" in words
    assert "a program that ignores those could still connect" in words
    assert "loopback alone" not in words


def test_a_version_that_is_not_modelled_is_named_with_the_one_that_is() -> None:
    agent = load_agent("claude-code")
    assert headline(agent, Client("/bin/claude", "2.1.332")) == "Claude Code 2.1.332: /bin/claude"
    assert "2.1.999 (the model is 2.1.332)" in headline(agent, Client("/bin/claude", "2.1.999"))
    assert "of an unknown version" in headline(agent, Client("/bin/claude", ""))


def test_five_agents_can_be_asked() -> None:
    assert [agent.id for agent, _ in learnable()] == ["claude-code", "codex", "gemini", "opencode", "copilot"]
