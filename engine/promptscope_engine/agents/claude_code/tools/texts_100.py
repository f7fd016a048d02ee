"""The tools of 2.1.100 with their texts and schemas (specs/claude-code.md 6)."""

from __future__ import annotations

from . import agents, dialog, extension, files, schedule, search, shell, tasks, todo, web, worktrees
from .text import ToolText

TEXTS: dict[str, ToolText] = {
    "Agent": agents.AGENT_100,
    "AskUserQuestion": dialog.ASK_USER_QUESTION,
    "Bash": shell.BASH_100,
    "CronCreate": schedule.CRON_CREATE,
    "CronDelete": schedule.CRON_DELETE,
    "CronList": schedule.CRON_LIST,
    "Edit": files.EDIT,
    "EnterPlanMode": dialog.ENTER_PLAN_MODE,
    "EnterWorktree": worktrees.ENTER_WORKTREE_100,
    "ExitPlanMode": dialog.EXIT_PLAN_MODE,
    "ExitWorktree": worktrees.EXIT_WORKTREE_100,
    "Glob": search.GLOB,
    "Grep": search.GREP,
    "NotebookEdit": files.NOTEBOOK_EDIT_100,
    "Read": files.READ_100,
    "Skill": extension.SKILL_100,
    "TaskCreate": tasks.TASK_CREATE,
    "TaskGet": tasks.TASK_GET,
    "TaskList": tasks.TASK_LIST,
    "TaskOutput": shell.TASK_OUTPUT,
    "TaskStop": shell.TASK_STOP_100,
    "TaskUpdate": tasks.TASK_UPDATE,
    "TodoWrite": todo.TODO_WRITE,
    "ToolSearch": extension.TOOL_SEARCH,
    "WebFetch": web.WEB_FETCH_100,
    "WebSearch": web.WEB_SEARCH_100,
    "Write": files.WRITE,
}
