"""Every reply of Roo's with its inputs and the condition that chooses it (docs/agents/roo.md#replies)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from promptscope_engine.agents.roo import ignore as files_list
from promptscope_engine.agents.roo.ignore import RooIgnore, RooProtected
from promptscope_engine.javascript.diff import create_pretty_patch
from promptscope_engine.replies import Input, Reply

from . import format_response as replies
from .instructions import fetch_instructions
from .tool_use import answer_text, command_feedback_text, interrupted_tool_text, rejected_tool_text, second_tool_text

APPROVAL = "Approval"
FAILURE = "Failure"
RESULT = "Result"
GUIDE = "Guide"

_PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

_FEEDBACK = Input("feedback", "text", "Keep the old name, please.", "the user's words; null prints undefined", True)
_IMAGES = Input("images", "list", [], "images as data URLs")
_SERVER = Input("server", "text", "docs", "the MCP server of the call")
_TOOL = Input("tool", "text", "search", "the tool of the call")
_LABEL = Input("label", "text", "[write_to_file for 'src/money.ts']", "the bracketed name of the call")


def format_files_list(
    directory: str, files: Sequence[str], did_hit_limit: bool, rooignore: str | None, show_ignored: bool, shields: bool
) -> str:
    """`files_list.format_files_list` from what a person can type: files relative to the folder, or absolute."""
    root = directory.rstrip("/")
    ignore = None if rooignore is None else RooIgnore(root, rooignore)
    protected = RooProtected(root) if shields else None
    absolute = [file if file.startswith("/") else f"{root}/{file}" for file in files]
    return files_list.format_files_list(
        root, absolute, did_hit_limit, ignore=ignore, show_ignored=show_ignored, protected=protected
    )


def _group(group: str, *rows: tuple[Any, ...]) -> Iterator[Reply]:
    """Replies from (function, what it is for, what chooses it, inputs…); each goes by its function's name."""
    for make, purpose, when, *inputs in rows:
        yield Reply(make.__name__, group, purpose, when, tuple(inputs), make)


CATALOGUE: tuple[Reply, ...] = (
    *_group(
        APPROVAL,
        (replies.tool_denied, "a tool call was refused", "the user says no and adds nothing"),
        (
            replies.tool_denied_with_feedback,
            "a tool call was refused with words",
            "the user answers an approval with words, or says no with words",
            _FEEDBACK,
        ),
        (
            replies.tool_approved_with_feedback,
            "a tool call was allowed with words",
            "the user says yes with words; the tool's own result follows under a second label",
            _FEEDBACK,
        ),
        (
            rejected_tool_text,
            "a later call of a refused message",
            "the user refused an earlier tool of the same message, and this call is complete",
            _LABEL,
        ),
        (
            interrupted_tool_text,
            "a later call that was still arriving",
            "the user refused an earlier tool of the same message while this call was arriving",
            _LABEL,
        ),
        (
            second_tool_text,
            "a later call of a message",
            "an earlier tool of the same message has run: only the first one does",
            Input("tool", "text", "read_file", "the tool's name, without its parameters"),
        ),
    ),
    *_group(
        FAILURE,
        (
            replies.too_many_mistakes,
            "the user helps after failures in a row",
            "consecutive mistakes reach consecutiveMistakeLimit (3; 0: never) and the user answers with words",
            _FEEDBACK,
        ),
        (
            replies.tool_error,
            "a tool failed",
            "a tool throws, or refuses what it was called with",
            Input("error", "text", "ENOENT: no such file or directory", "the message; null prints undefined", True),
        ),
        (
            replies.roo_ignore_error,
            "a hidden file was asked for",
            "a tool is called with a path that .rooignore hides",
            Input("path", "text", "secrets/key.pem", "the path as the call gives it"),
        ),
        (
            replies.no_tools_used,
            "a reply without any tool call",
            "the model answers with text alone, or with nothing; mistakes + 1",
        ),
        (
            replies.missing_tool_parameter_error,
            "a call lacks a parameter",
            "a required parameter has no value; mistakes + 1",
            Input("name", "text", "path", "the parameter"),
        ),
        (
            replies.line_count_truncation_error,
            "a file's content may have been cut off",
            "write_to_file comes without line_count",
            Input("lines", "number", 240, "how many lines did arrive"),
            Input("is_new_file", "switch", False, "the file does not exist yet"),
            Input("diff_enabled", "switch", True, "apply_diff can be used"),
        ),
        (
            replies.invalid_mcp_tool_argument_error,
            "arguments that are no JSON",
            "use_mcp_tool is called with arguments that do not parse",
            _SERVER,
            _TOOL,
        ),
        (
            replies.unknown_mcp_tool_error,
            "a server lacks the tool",
            "use_mcp_tool names a tool that the connected server does not have",
            _SERVER,
            _TOOL,
            Input("available", "list", ["fetch", "list"], "the server's tools"),
        ),
        (
            replies.unknown_mcp_server_error,
            "there is no such server",
            "use_mcp_tool names a server that is not set up",
            _SERVER,
            Input("available", "list", ["tickets"], "the servers that are set up"),
        ),
    ),
    *_group(
        RESULT,
        (
            replies.tool_result,
            "what a tool gives",
            "a tool has run; with images a text block and then the images",
            Input("text", "text", "1 | export const x = 1", "the result"),
            _IMAGES,
        ),
        (
            replies.image_blocks,
            "images of a message",
            "the user or a tool adds images, and the model takes them",
            Input("images", "list", [_PIXEL], "images as data URLs"),
        ),
        (
            answer_text,
            "the answer to a question",
            "the user answers ask_followup_question; its mentions are expanded",
            Input("words", "text", "The second one, see @/README.md", "the user's words"),
        ),
        (
            command_feedback_text,
            "words while a command runs",
            "the user writes while execute_command is under way",
            Input("words", "text", "It hangs, stop it.", "the user's words"),
        ),
        (
            create_pretty_patch,
            "a change as a diff",
            "a file was written and the user edited what was proposed",
            Input("filename", "text", "src/money.ts", "the file"),
            Input("old", "text", "one\ntwo\nthree\n", "the text before; null: none", True),
            Input("new", "text", "one\n2\nthree\n", "the text after; null: none", True),
        ),
        (
            format_files_list,
            "files of a folder",
            "list_files has run; the environment details list the workspace the same way, without shields",
            Input("directory", "text", "/project", "the folder, absolute"),
            Input(
                "files",
                "list",
                ["src/", "src/money.ts", "AGENTS.md", "secrets/key.pem", "a10.md", "a9.md"],
                "entries below it, or absolute paths; folders end in /",
            ),
            Input("did_hit_limit", "switch", False, "there are more than were listed"),
            Input("rooignore", "text", "*.pem\n", "the text of .rooignore; null: no handling of it, no marks", True),
            Input("show_ignored", "switch", True, "showRooIgnoredFiles: a lock in place of nothing"),
            Input("shields", "switch", True, "mark what may not be written"),
        ),
    ),
    *_group(
        GUIDE,
        (
            fetch_instructions,
            "a guide that the agent hands out",
            "fetch_instructions is called; create_mcp_server needs a hub and a diff strategy, create_mode a hub",
            Input("task", "text", "create_mode", "create_mcp_server or create_mode; null: missing", True),
            Input("servers_path", "text", "~/Documents/Cline/MCP", "the folder for new MCP servers"),
            Input("settings_path", "text", "~/.roo-storage/settings/mcp_settings.json", "the global MCP settings"),
            Input("modes_path", "text", "~/.roo-storage/settings/custom_modes.yaml", "the global modes"),
            Input("connected_servers", "list", ["docs"], "names of connected servers"),
            Input("has_hub", "switch", True, "there is an MCP hub"),
            Input("has_diff_strategy", "switch", True, "diffs are enabled"),
        ),
    ),
)
"""In the order in which a task meets them."""
