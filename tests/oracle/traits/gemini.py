"""Traits of Gemini CLI that take more than a table."""

from __future__ import annotations

from tests.oracle.sketch import Sketch

from . import trait

_SETTINGS = ("home/.gemini/settings.json", "repo/.gemini/settings.json")
_TOOLS = [
    *("read_file", "glob", "ReadFileTool", "run_shell_command", "run_shell_command(ls)", "nope", "google_web_search"),
    *("GrepTool", "grep_search", "replace", "write_file", "list_directory", "save_memory", "activate_skill"),
    *("ask_user", "Read_File", "mcp_x_*", "*", "ShellTool(ls)", "web_fetch", "search_file_content"),
]


@trait("gemini")
def tools(s: Sketch) -> None:
    """Tools taken away or kept, by settings, arguments and the approval mode."""
    key, names = s.one("core", "exclude", "exclude", "allowed", "useRipgrep", "argument"), s.some(_TOOLS, 1, 3)
    if key == "argument":
        s.argument("allowedTools", names)
    else:
        s.settings(s.one(*_SETTINGS), {"tools": {key: s.perhaps() if key == "useRipgrep" else names}})
    if s.perhaps():
        s.argument("mode", s.one("yolo", "auto_edit", "plan", "default"))
    label = f"tools {key} {names}, mode {s.situation.args.get('mode')}"
    s.label_tools(label)
    s.add("repo/GEMINI.md", s.text(f"GEMINI.md beside {label}"))
