"""Our wording of what Claude Code puts around the user's words (specs/claude-code.md 2, 4)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, computed

from .prose_plan import plan_mode

__all__ = [
    "agents_intro",
    "attribution_end",
    "attribution_intro",
    "bare_identity",
    "context_disclaimer",
    "context_intro",
    "deferred_intro",
    "environment_intro",
    "git_notice",
    "identity",
    "language",
    "mcp_intro",
    "memory_cut",
    "memory_folder",
    "memory_preamble",
    "model_line",
    "plan_mode",
    "skills_intro",
    "status_cut",
    "style_reminder",
]

_INTERACTIVE = "You are Claude Code, the command-line agent of Anthropic."
_HEADLESS = "You run as a Claude agent upon the Agent SDK Anthropic offers."
_APPENDED = "You are Claude Code, the command-line agent of Anthropic, run this time through its Agent SDK."


def identity(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("identity.interactive", _INTERACTIVE, when=gates.INTERACTIVE)
    yield builtin("identity.headless", _HEADLESS, when=gates.HEADLESS & ~gates.APPEND)
    yield builtin("identity.appended", _APPENDED, when=gates.HEADLESS & gates.APPEND)


def bare_identity(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("bare.identity", _INTERACTIVE)


def context_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("user_context.intro", "For answering the user's questions you have this context at hand:")


def context_disclaimer(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "user_context.disclaimer",
        "IMPORTANT: some, all or none of this may matter for what you are asked. Leave it unmentioned unless it bears closely on your task.",
    )


def memory_preamble(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "user_context.preamble",
        "What follows are instructions of the user and of the codebase. Be sure to keep to them. IMPORTANT: They GO BEFORE anything you would do by default, and you MUST follow them to the letter.",
    )


def memory_cut(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "user_context.memory_cut",
        ", which is why only its beginning stands here. Keep each entry of the index to one line, and move details into files by topic.",
    )


def git_notice(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "git_status.notice",
        "The state of git when the conversation began. It is a snapshot of that moment, and it is not brought up to date as the conversation goes on.",
    )


def status_cut(m: Materials, limit: int) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("git_status.cut", f"... (cut after {limit} characters; to see the rest, run git status with ")
    yield computed("tool", "BashTool", when=gates.IS_100)
    yield computed("tool", "Bash", when=gates.IS_329)
    yield builtin("git_status.cut", ")")


def language(m: Materials, name: Piece) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("language.before", "Answer in ")
    yield name
    yield builtin(
        "language.after",
        ", always. Explanations, comments and whatever else you say to the user are to be in that language. Technical terms and identifiers in code stay as they are.",
    )


def deferred_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "deferred_tools.intro",
        'The tools named below are deferred: they can be used, but their schemas have not been loaded, so a direct call fails with an InputValidationError. Load them first with ToolSearch, by the query "select:<name>[,<name>...]". These are their names:',
    )


def mcp_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "mcp_instructions.intro", "MCP servers have sent instructions on how their tools and resources are to be used:"
    )


def skills_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("skills.intro", "Skills that can be called with the Skill tool:")


def agents_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("agents.intro", "Available agent types for the Agent tool:")


def environment_intro(m: Materials) -> Iterator[Piece]:
    yield builtin("environment.facts.intro", "This is the setting in which you were started:")
    yield from lines("environment.facts", _FACTS, before=" ", between=" ")
    yield from lines("environment.facts", _FACTS_OLDER, before=" ", when=m.gates.layout_is("A'"))


_FACTS = {
    "directories": "Relative paths count from the primary working directory, and files inside of the working directories may be worked on freely, within the permissions that are set; what lies outside needs a reason.",
    "moved": "If the session moves to another directory, a newer message of this kind says so and takes the place of this one.",
}
_FACTS_OLDER = {
    "shell": "Write commands for the platform and the shell named here. The list is what the harness found when the session began and is not a request: there is no need to confirm it, to repeat it to the user, or to run commands that find out the same things.",
}


def model_line(m: Materials) -> Iterator[Piece]:
    yield builtin("environment.model.text", "The model that drives you goes by the exact ID ")
    yield computed("model.id", m.model.id)
    yield builtin("environment.model.end", ". If somebody asks which model you are, answer by that.")


def style_reminder(m: Materials) -> Iterator[Piece]:
    yield computed("output_style.name", m.style.name)
    yield builtin(
        "output_style.reminder.text", " output style is in force. Keep to what it asks for in this turn, too."
    )


def attribution_intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "attribution.intro",
        "How commits and pull requests are attributed, unless the user or the project wants it otherwise. Every git commit that you make ends its message with a blank line and then this trailer:",
    )


def attribution_end(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "attribution.end",
        "The description of a pull request that you open ends with a line of its own: 🤖 Generated with [Claude Code](https://claude.com/claude-code). Take both as they stand here, and put them neither into code or documentation nor into commits that others have made. This tells how to attribute; it is no request to commit anything.",
    )


def memory_folder(m: Materials) -> Iterator[Piece]:
    yield builtin("memory_instructions.folder.text", "The directory of your memory, in which its files are kept, is `")
    yield computed("memory.folder", m.memory_folder + "/")
    yield builtin(
        "memory_instructions.folder.end", "`. It is there already, so write into it with the Write tool at once."
    )
