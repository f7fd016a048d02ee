"""Our wording of what Claude Code puts around the user's words (specs/claude-code.md 2, 4)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.draft import Piece, builtin, computed

from .. import gates
from ..materials import Materials


def identity(m: Materials) -> Iterator[Piece]:
    with_append = gates.HEADLESS & gates.APPEND
    yield builtin("identity.interactive", "You are Claude Code, the command line of Anthropic.", when=gates.INTERACTIVE)
    yield builtin("identity.headless", "You are a Claude agent on the Agent SDK.", when=gates.HEADLESS & ~gates.APPEND)
    yield builtin("identity.appended", "You are Claude Code, run through the Agent SDK.", when=with_append)


def bare_identity(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("bare.identity", "You are Claude Code, the command line of Anthropic.")


def context_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("user_context.intro", "The following may help you to answer:")


def context_disclaimer(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("user_context.disclaimer", "Use it only where it bears on the task.")


def memory_preamble(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("user_context.preamble", "Instructions of the user and the project follow. Keep to them.")


def memory_cut(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("user_context.memory_cut", ", so only the beginning was loaded.")


def git_notice(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("git_status.notice", "The repository when the session began; it is not refreshed.")


def status_cut(m: Materials, limit: int) -> Iterator[Piece]:
    tool = "BashTool" if m.layout == "A" else "Bash"
    yield builtin("git_status.cut", f"... (cut at {limit} characters; run git status with {tool} for the rest)")


def language(m: Materials, name: Piece) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("language.before", "Answer in ")
    yield name
    yield builtin("language.after", ".")


def deferred_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("deferred_tools.intro", "Load these tools with ToolSearch before you call them:")


def mcp_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("mcp_instructions.intro", "The MCP servers say how to use them:")


def skills_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("skills.intro", "These skills can be run with the Skill tool:")


def agents_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("agents.intro", "Available agent types for the Agent tool:")


def environment_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("environment.facts.intro", "This is where you were started:")


def model_line(m: Materials) -> Iterator[Piece]:
    yield builtin("environment.model.text", "The model is ")
    yield computed("model.id", m.model.id)
    yield builtin("environment.model.end", ".")


def style_reminder(m: Materials) -> Iterator[Piece]:
    if m.style:
        yield computed("output_style.name", m.style.name)
        yield builtin("output_style.reminder.text", " output style is active; keep to it.")


def attribution_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("attribution.intro", "End commit messages with this line:")


def attribution_end(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("attribution.end", "Say in pull requests that they were made with Claude Code.")


def memory_folder(m: Materials) -> Iterator[Piece]:
    yield builtin("memory_instructions.folder.text", "Your memories are files below `")
    yield computed("memory.folder", m.memory_folder + "/")
    yield builtin("memory_instructions.folder.end", "`.")


def plan_mode(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("plan_mode.text", "Plan mode is on: look and plan, change nothing.")
