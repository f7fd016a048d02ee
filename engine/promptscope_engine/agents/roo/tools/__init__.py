"""Roo's 21 tools with their prose, in the order in which a mode's prompt has them (specs/roo.md 2.1, 2.2)."""

from __future__ import annotations

from dataclasses import replace

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import ToolDraft

from .apply_diff import apply_diff
from .block import Describe
from .browser_action import browser_action
from .conversation import ask_followup_question, attempt_completion, run_slash_command, update_todo_list
from .edit import generate_image, insert_content, search_and_replace, write_to_file
from .execute_command import execute_command
from .mcp import access_mcp_resource, use_mcp_tool
from .read import codebase_search, fetch_instructions, list_code_definition_names, list_files, search_files
from .read_file import read_file
from .tasks import new_task, switch_mode

__all__ = ["tool_drafts"]

GROUPS: dict[str, tuple[Describe, ...]] = {
    "read": (read_file, fetch_instructions, search_files, list_files, list_code_definition_names, codebase_search),
    "edit": (apply_diff, write_to_file, insert_content, search_and_replace, generate_image),
    "browser": (browser_action,),
    "command": (execute_command,),
    "mcp": (use_mcp_tool, access_mcp_resource),
    "modes": (switch_mode, new_task),
}

ALWAYS_AVAILABLE: tuple[Describe, ...] = (
    ask_followup_question,
    attempt_completion,
    switch_mode,
    new_task,
    update_todo_list,
    run_slash_command,
)


def tool_drafts(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool: the mode's groups in the mode's order, then those that are always available, each tool once."""
    grouped = [describe for group in _order(materials.mode.groups) for describe in GROUPS[group]]
    drafts = (describe(materials) for describe in dict.fromkeys((*grouped, *ALWAYS_AVAILABLE)))
    return tuple(replace(tool, when=materials.override.generated & tool.when) for tool in drafts)


def _order(groups: tuple[str, ...]) -> list[str]:
    """The mode's groups, and each one that it lacks behind the group it follows elsewhere.

    `modes` counts only where a mode lists it: its tools are always available, and then stand further below.
    """
    order = list(groups)
    before: str | None = None
    for group in GROUPS:
        if group not in order and group != "modes":
            order.insert(order.index(before) + 1 if before else 0, group)
        before = group if group in order else before
    return order
