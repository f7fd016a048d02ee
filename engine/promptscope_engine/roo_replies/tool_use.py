"""How tool results join in the user's next message (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

from collections.abc import Sequence

from .format_response import Block, in_tag, text_block

RESUMPTION = "[TASK RESUMPTION] The task was interrupted and goes on now."
"""What a task resumes with where there is nothing else to send."""

_WORDS_LEAD = "New instructions from the user, to go on with the task:"
_NO_OUTPUT = "(there was no output from this tool)"


def push_tool_result(label: str, result: str | Sequence[Block]) -> list[Block]:
    """The blocks that a result adds: `<label> Result:`, then the text or the blocks, nothing joined."""
    head = text_block(f"{label} Result:")
    if isinstance(result, str):
        return [head, text_block(result or _NO_OUTPUT)]
    return [head, *result]


def second_tool_text(tool: str) -> str:
    """For a call after the first one of a message: only the first runs. Names the tool, not its label."""
    return (
        f"Tool [{tool}] did not run, because another tool was already called in this message. There can be "
        "one tool call per message; look at the result of the first before you call the next."
    )


def rejected_tool_text(label: str) -> str:
    """For a complete call after the user refused an earlier one of the same message."""
    return f"Tool {label} was left out, since the user refused an earlier tool."


def interrupted_tool_text(label: str) -> str:
    """For a call that was still arriving when the user refused an earlier one of the same message."""
    return f"Tool {label} was broken off and did not run, since the user refused an earlier tool."


def answer_text(words: str) -> str:
    """The result of `ask_followup_question`."""
    return f"<answer>\n{words}\n</answer>"


def command_feedback_text(words: str) -> str:
    """The result of `execute_command` where the user wrote while the command ran."""
    return in_tag("The command is still at work, and the user gives this feedback meanwhile:", "feedback", words)


def resumption(words: str) -> str:
    """What the user says when a saved task is taken up again."""
    return f"\n\n{_WORDS_LEAD}\n<user_message>\n{words}\n</user_message>"
