"""The tools of each family of models with their texts and schemas (specs/gemini.md 9.1)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.gemini.models import Family

from . import files, session, shell, tasks, web
from .schema import ToolText

_SAME = {
    "update_topic": session.UPDATE_TOPIC,
    "list_directory": files.LIST_DIRECTORY,
    "glob": files.GLOB,
    "activate_skill": session.ACTIVATE_SKILL,
    "read_mcp_resource": web.READ_MCP_RESOURCE,
    "list_mcp_resources": web.LIST_MCP_RESOURCES,
    "run_shell_command": shell.RUN_SHELL_COMMAND,
    "list_background_processes": shell.LIST_BACKGROUND_PROCESSES,
    "read_background_output": shell.READ_BACKGROUND_OUTPUT,
    "write_todos": tasks.WRITE_TODOS,
    "exit_plan_mode": session.EXIT_PLAN_MODE,
    "enter_plan_mode": session.ENTER_PLAN_MODE,
    "tracker_create_task": tasks.TRACKER_CREATE_TASK,
    "tracker_update_task": tasks.TRACKER_UPDATE_TASK,
    "tracker_get_task": tasks.TRACKER_GET_TASK,
    "tracker_list_tasks": tasks.TRACKER_LIST_TASKS,
    "tracker_add_dependency": tasks.TRACKER_ADD_DEPENDENCY,
    "tracker_visualize": tasks.TRACKER_VISUALIZE,
    "invoke_agent": session.INVOKE_AGENT,
}
TEXTS: Mapping[Family, Mapping[str, ToolText]] = {
    "gemini-3": {
        **_SAME,
        "read_file": files.READ_FILE,
        "grep_search": files.GREP_SEARCH,
        "replace": files.REPLACE,
        "write_file": files.WRITE_FILE,
        "web_fetch": web.WEB_FETCH,
        "google_web_search": web.GOOGLE_WEB_SEARCH,
        "ask_user": session.ASK_USER,
    },
    "default-legacy": {
        **_SAME,
        "read_file": files.READ_FILE_LEGACY,
        "grep_search": files.GREP_SEARCH_LEGACY,
        "replace": files.REPLACE_LEGACY,
        "write_file": files.WRITE_FILE_LEGACY,
        "web_fetch": web.WEB_FETCH_LEGACY,
        "google_web_search": web.GOOGLE_WEB_SEARCH_LEGACY,
        "ask_user": session.ASK_USER_LEGACY,
    },
}
"""By family and name."""
