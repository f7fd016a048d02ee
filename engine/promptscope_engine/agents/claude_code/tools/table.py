"""The tools of each version with their texts and schemas (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.claude_code.versions import V100, V329, V330

from . import (
    agents,
    dialog,
    extension,
    files,
    monitor,
    pages,
    schedule,
    search,
    shell,
    tasks,
    todo,
    web,
    workflow,
    worktrees,
)
from .schema import ToolText

_SAME = {
    "AskUserQuestion": dialog.ASK_USER_QUESTION,
    "CronCreate": schedule.CRON_CREATE,
    "CronDelete": schedule.CRON_DELETE,
    "CronList": schedule.CRON_LIST,
    "Edit": files.EDIT,
    "EnterPlanMode": dialog.ENTER_PLAN_MODE,
    "ExitPlanMode": dialog.EXIT_PLAN_MODE,
    "Glob": search.GLOB,
    "Grep": search.GREP,
    "TaskCreate": tasks.TASK_CREATE,
    "TaskGet": tasks.TASK_GET,
    "TaskList": tasks.TASK_LIST,
    "TaskUpdate": tasks.TASK_UPDATE,
    "ToolSearch": extension.TOOL_SEARCH,
    "Write": files.WRITE,
}
_TEXTS: dict[str, dict[str, ToolText]] = {
    V100: {
        **_SAME,
        "Agent": agents.AGENT_100,
        "Bash": shell.BASH_100,
        "EnterWorktree": worktrees.ENTER_WORKTREE_100,
        "ExitWorktree": worktrees.EXIT_WORKTREE_100,
        "NotebookEdit": files.NOTEBOOK_EDIT_100,
        "Read": files.READ_100,
        "Skill": extension.SKILL_100,
        "TaskOutput": shell.TASK_OUTPUT,
        "TaskStop": shell.TASK_STOP_100,
        "TodoWrite": todo.TODO_WRITE,
        "WebFetch": web.WEB_FETCH_100,
        "WebSearch": web.WEB_SEARCH_100,
    },
    V329: {
        **_SAME,
        "Agent": agents.AGENT_329,
        "Artifact": pages.ARTIFACT,
        "Bash": shell.BASH_329,
        "DesignSync": pages.DESIGN_SYNC,
        "EnterWorktree": worktrees.ENTER_WORKTREE_329,
        "ExitWorktree": worktrees.EXIT_WORKTREE_329,
        "ListAgents": agents.LIST_AGENTS,
        "Monitor": monitor.MONITOR,
        "NotebookEdit": files.NOTEBOOK_EDIT_329,
        "Read": files.READ_329,
        "ReportFindings": workflow.REPORT_FINDINGS,
        "ScheduleWakeup": schedule.SCHEDULE_WAKEUP,
        "SendMessage": agents.SEND_MESSAGE,
        "Skill": extension.SKILL_329,
        "TaskStop": shell.TASK_STOP_329,
        "WebFetch": web.WEB_FETCH_329,
        "WebSearch": web.WEB_SEARCH_329,
        "Workflow": workflow.WORKFLOW,
    },
}
TEXTS: Mapping[str, Mapping[str, ToolText]] = {**_TEXTS, V330: _TEXTS[V329]}
"""By version and name. 2.1.330 words two of them anew (variants, c); what it says there was not recorded."""
