"""Which tools each version has, by their exact names: texts that mention a tool ask for it without knowing its text."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.claude_code.versions import V100, V329, V330

_BOTH = """
    Agent AskUserQuestion Bash CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode
    ExitWorktree Glob Grep ListMcpResourcesTool NotebookEdit Read ReadMcpResourceTool SendMessage SendUserMessage
    Skill StructuredOutput TaskCreate TaskGet TaskList TaskStop TaskUpdate ToolSearch WebFetch WebSearch Write
"""
_ONLY_100 = """
    TaskOutput TeamCreate TeamDelete TodoWrite
"""
_ONLY_329 = """
    Artifact DeferredToolPlaceholder DesignSync ListAgents Monitor PowerShell ReadMcpResourceDirTool
    ReportFindings ScheduleWakeup Workflow
"""
_NAMES = {V100: (_BOTH + _ONLY_100).split(), V329: (_BOTH + _ONLY_329).split()}
NAMES: Mapping[str, frozenset[str]] = {
    version: frozenset(names) for version, names in {**_NAMES, V330: _NAMES[V329]}.items()
}
