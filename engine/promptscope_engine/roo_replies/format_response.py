"""The texts that answer a tool call (docs/agents/roo.md#replies).

Tags, names and what comes from arguments are the agent's to the byte; the sentences are our own and say the
same.
"""

from collections.abc import Sequence
from typing import Any

from promptscope_engine.agents.roo.ignore import format_files_list as format_files_list

from .diff import create_pretty_patch as create_pretty_patch

Block = dict[str, Any]
"""A content block as it goes over the wire: `{"type": "text", "text"}` or `{"type": "image", "source"}`."""

REMINDER = """\
# Reminder: Instructions for Tool Use

A tool call is written in XML style: the name is a tag, and inside it each parameter has its own. In outline:

<actual_tool_name>
<parameter1_name>value1</parameter1_name>
<parameter2_name>value2</parameter2_name>
...
</actual_tool_name>

To finish a task with the attempt_completion tool, for example:

<attempt_completion>
<result>
All that was asked for is done; this is what came of it...
</result>
</attempt_completion>

The tag must be the real name of the tool, or the call can neither be read nor carried out."""
"""What the agent repeats wherever a reply could not be read as a tool call."""


def text_block(text: str) -> Block:
    """`text` as a content block."""
    return {"type": "text", "text": text}


def in_tag(lead: str, tag: str, content: str | None) -> str:
    """`lead`, then `content` on lines of its own within `tag`; None prints `undefined`, as in JavaScript."""
    return f"{lead}\n<{tag}>\n{'undefined' if content is None else content}\n</{tag}>"


def tool_denied() -> str:
    """The user refused a tool call and said no more."""
    return "The user did not allow this operation."


def tool_denied_with_feedback(feedback: str | None = None) -> str:
    """The user refused a tool call with words."""
    return in_tag("The user did not allow this operation and had this to say about it:", "feedback", feedback)


def tool_approved_with_feedback(feedback: str | None = None) -> str:
    """The user allowed a tool call and added words."""
    return in_tag("The user allowed this operation and had this to add:", "feedback", feedback)


def too_many_mistakes(feedback: str | None = None) -> str:
    """The user's words after more failures in a row than the limit."""
    lead = "Progress seems to have stalled, and the user gives this feedback to help you go on:"
    return in_tag(lead, "feedback", feedback)


def tool_error(error: str | None = None) -> str:
    """A tool failed with `error`."""
    return in_tag("The tool could not be carried out because of this error:", "error", error)


def roo_ignore_error(path: str) -> str:
    """A tool asked for a file that `.rooignore` hides."""
    return (
        f"The file {path} may not be accessed: the .rooignore settings forbid it. Look for a way to go on "
        "without this file, or ask the user to change the .rooignore file."
    )


def no_tools_used() -> str:
    """The model answered without any tool call."""
    return f"""\
[ERROR] Your last reply held no tool call; call a tool, please, and send the reply again.

{REMINDER}

# Next Steps

Where everything that the user asked for is done, call the attempt_completion tool.
Where you cannot go on without something that only the user knows, call the ask_followup_question tool.
In any other case go on with the next step of the task.
(This message was made by a program, so do not talk back to it.)"""


def missing_tool_parameter_error(name: str) -> str:
    """A tool call lacks the required parameter `name`."""
    lead = f"The required parameter '{name}' has no value. Send the call again with everything that it needs."
    return f"{lead}\n\n{REMINDER}"


def line_count_truncation_error(lines: int, is_new_file: bool, diff_enabled: bool = False) -> str:
    """`write_to_file` came without `line_count`, a sign that the content may have been cut off.

    `lines` is how many lines did arrive. What is advised depends on whether the file is new and, for an
    existing one, on whether `apply_diff` can be used.
    """
    found = (
        "Note: the reply may have been cut off, because it was longer than what can be put out at once.\n\n"
        f"The content that arrived has {lines} lines, but the parameter line_count was missing or stands "
        "after content that was lost. This is what happens when a reply runs into the output limit; "
        "leaving the parameter out by mistake looks the same."
    )
    again = "Where line_count was only forgotten, make the same call with the parameter in it"
    if is_new_file:
        intro = "For a file that is new, these are the ways to go on:"
        steps = [
            f"{again}.",
            "Where the content is too long, write a first span with write_to_file and keep to smaller spans.",
        ]
        steps.append("Add the spans that follow with insert_content, each at the end of the file.")
    else:
        intro = "For a file that exists already, these are the ways to go on:"
        steps = [f"{again}, if the whole content is small enough."]
        if diff_enabled:
            steps.append("Change only the parts that need it with apply_diff in place of writing the whole file.")
        steps.append("Replace single words or lines throughout the file with search_and_replace.")
        steps.append("Put new lines in at a given place with insert_content.")
    numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    return f"{found}\n\n{intro}\n{numbered}\n\n{REMINDER}"


def invalid_mcp_tool_argument_error(server: str, tool: str) -> str:
    """The `arguments` of `use_mcp_tool` were no JSON."""
    return (
        f"The arguments for the tool '{tool}' of the MCP server '{server}' are not valid JSON. Send the "
        "call again with properly formatted JSON arguments."
    )


def unknown_mcp_tool_error(server: str, tool: str, available: Sequence[str]) -> str:
    """The MCP server has no such tool; `available` are the names of those that it has."""
    return (
        f"The MCP server '{server}' has no tool named '{tool}'.\n\n"
        f"These are the tools of that server: {', '.join(available) or 'No tools available'}\n\n"
        "Use one of them, or see whether the server is set up as it should be."
    )


def unknown_mcp_server_error(server: str, available: Sequence[str]) -> str:
    """There is no such MCP server; `available` are the names of those that there are."""
    names = ", ".join(available) or "No servers available"
    return f"No MCP server named '{server}' is set up. These are the servers that can be used: {names}"


def tool_result(text: str, images: Sequence[str] | None = None) -> str | list[Block]:
    """A tool's result: the text itself, or with `images` (data URLs) a text block, then image blocks."""
    if images:
        return [text_block(text), *image_blocks(images)]
    return text


def image_blocks(images: Sequence[str] | None = None) -> list[Block]:
    """Image blocks from data URLs (`data:image/png;base64,…`). One without a `:` is a ValueError."""
    return [_image_block(url) for url in images or ()]


def _image_block(url: str) -> Block:
    # Split at every comma, but only the first two parts are looked at.
    head, *rest = url.split(",")
    _, colon, media = head.partition(":")
    if not colon:
        raise ValueError(f"not a data URL: {url[:40]!r}")
    media_type = media.split(":")[0].split(";")[0]
    data = rest[0] if rest else None
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


# --- how results join in the user's next message ----------------------------------------------------------------------

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
