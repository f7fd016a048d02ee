"""The tools of 2.1.329 with their texts and schemas (specs/claude-code.md 6)."""

from __future__ import annotations

from . import agents, dialog, extension, files, monitor, schedule, search, shell, tasks, web, workflow, worktrees
from .text import ToolText

TEXTS: dict[str, ToolText] = {
    "Agent": agents.AGENT_329,
    "AskUserQuestion": dialog.ASK_USER_QUESTION,
    "Bash": shell.BASH_329,
    "CronCreate": schedule.CRON_CREATE,
    "CronDelete": schedule.CRON_DELETE,
    "CronList": schedule.CRON_LIST,
    "Edit": files.EDIT,
    "EnterPlanMode": dialog.ENTER_PLAN_MODE,
    "EnterWorktree": worktrees.ENTER_WORKTREE_329,
    "ExitPlanMode": dialog.EXIT_PLAN_MODE,
    "ExitWorktree": worktrees.EXIT_WORKTREE_329,
    "Glob": search.GLOB,
    "Grep": search.GREP,
    "ListAgents": agents.LIST_AGENTS,
    "Monitor": monitor.MONITOR,
    "NotebookEdit": files.NOTEBOOK_EDIT_329,
    "Read": files.READ_329,
    "ReportFindings": workflow.REPORT_FINDINGS,
    "ScheduleWakeup": schedule.SCHEDULE_WAKEUP,
    "SendMessage": agents.SEND_MESSAGE,
    "Skill": extension.SKILL_329,
    "TaskCreate": tasks.TASK_CREATE,
    "TaskGet": tasks.TASK_GET,
    "TaskList": tasks.TASK_LIST,
    "TaskStop": shell.TASK_STOP_329,
    "TaskUpdate": tasks.TASK_UPDATE,
    "ToolSearch": extension.TOOL_SEARCH,
    "WebFetch": web.WEB_FETCH_329,
    "WebSearch": web.WEB_SEARCH_329,
    "Workflow": workflow.WORKFLOW,
    "Write": files.WRITE,
}
