"""The tools of each version with their texts and schemas (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.claude_code.versions import V100, V329, V330

from . import (
    agents,
    artifact,
    design,
    dialog,
    extension,
    files,
    messages,
    monitor,
    powershell,
    schedule,
    search,
    shell,
    tasks,
    teams,
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
    "Glob": search.GLOB,
    "ListMcpResourcesTool": extension.LIST_MCP_RESOURCES,
    "ReadMcpResourceTool": extension.READ_MCP_RESOURCE,
    "StructuredOutput": extension.STRUCTURED_OUTPUT,
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
        "Grep": search.GREP_100,
        "ExitPlanMode": dialog.EXIT_PLAN_MODE_100,
        "ExitWorktree": worktrees.EXIT_WORKTREE_100,
        "NotebookEdit": files.NOTEBOOK_EDIT_100,
        "Read": files.READ_100,
        "SendMessage": messages.SEND_MESSAGE_100,
        "SendUserMessage": messages.SEND_USER_MESSAGE_100,
        "Skill": extension.SKILL_100,
        "TaskOutput": shell.TASK_OUTPUT,
        "TaskStop": shell.TASK_STOP_100,
        "TeamCreate": teams.TEAM_CREATE,
        "TeamDelete": teams.TEAM_DELETE,
        "TodoWrite": todo.TODO_WRITE,
        "WebFetch": web.WEB_FETCH_100,
        "WebSearch": web.WEB_SEARCH,
    },
    V329: {
        **_SAME,
        "Agent": agents.AGENT_329,
        "Artifact": artifact.ARTIFACT,
        "Bash": shell.BASH_329,
        "DeferredToolPlaceholder": extension.PLACEHOLDER,
        "DesignSync": design.DESIGN_SYNC,
        "EnterWorktree": worktrees.ENTER_WORKTREE_329,
        "Grep": search.GREP_329,
        "ExitPlanMode": dialog.EXIT_PLAN_MODE_329,
        "ExitWorktree": worktrees.EXIT_WORKTREE_329,
        "ListAgents": agents.LIST_AGENTS,
        "Monitor": monitor.MONITOR,
        "NotebookEdit": files.NOTEBOOK_EDIT_329,
        "PowerShell": powershell.POWERSHELL,
        "Read": files.READ_329,
        "ReadMcpResourceDirTool": extension.READ_MCP_DIRECTORY,
        "ReportFindings": workflow.REPORT_FINDINGS,
        "ScheduleWakeup": schedule.SCHEDULE_WAKEUP,
        "SendMessage": messages.SEND_MESSAGE_329,
        "SendUserMessage": messages.SEND_USER_MESSAGE_329,
        "Skill": extension.SKILL_329,
        "TaskStop": shell.TASK_STOP_329,
        "WebFetch": web.WEB_FETCH_329,
        "WebSearch": web.WEB_SEARCH,
        "Workflow": workflow.WORKFLOW,
    },
}
TEXTS: Mapping[str, Mapping[str, ToolText]] = {**_TEXTS, V330: _TEXTS[V329]}
"""By version and name. 2.1.330 words two of them anew (variants, c); what it says there was not recorded."""
