"""What the section Tooling says of each tool (specs/openclaw.md 2): our own wording, one line each."""

from __future__ import annotations

from promptscope_engine.javascript.text import js_trim, utf16_key

ORDER = (
    "read", "write", "edit", "apply_patch", "grep", "find", "ls", "exec", "process", "web_search", "web_fetch",
    "browser", "canvas", "nodes", "cron", "message", "gateway", "agents_list", "sessions_list", "sessions_history",
    "sessions_send", "subagents", "session_status", "image",
)  # fmt: skip
"""The listing's order; what is not in it follows, sorted by its lower-cased name in UTF-16 units (0.4)."""

_CRON = (
    "Schedule jobs and wake-ups (the way to remind somebody of something. When you write a reminder's systemEvent text, "
    "word it as what will be read at the moment it goes off: say that it is a reminder if it is set far enough ahead, "
    "and put in whatever recent context makes the text understandable on its own)"
)

SUMMARIES = {
    "read": "Show a file's text",
    "write": "Make a file or replace it",
    "edit": "Change exact spots in files",
    "apply_patch": "Patch many files at once",
    "grep": "Look for patterns inside of files",
    "find": "Locate files by name globs",
    "ls": "Show a folder's entries",
    "exec": "Execute shell commands (with a pty for CLIs wanting one)",
    "process": "Handle exec jobs in the background",
    "web_search": "Query the web (by Brave's API)",
    "web_fetch": "Get a URL and pull out its readable text",
    "browser": "Operate a browser",
    "canvas": "Show, script or capture the Canvas",
    "nodes": "Use paired nodes: list, details, notify, camera, screen",
    "cron": _CRON,
    "message": "Send messages and do channel actions",
    "gateway": "Restart OpenClaw's running process, configure it or bring updates to it",
    "agents_list": "Tell which agent ids sessions_spawn will take",
    "sessions_list": "Show other sessions, sub-agents too, by filters and latest use",
    "sessions_history": "Read what another session/sub-agent has said",
    "sessions_send": "Pass a message to some other session/sub-agent",
    "subagents": "See, redirect or end the sub-agent runs that this session started",
    "sessions_spawn": "Open a sub-agent session",
    "session_status": (
        "Give the status card, like /status does (usage, time, Reasoning/Verbose/Elevated); take it when asked which "
        "model is in use (📊 session_status); may set a model for this session"
    ),
    "image": "Have a picture analysed by the image model set up",
}
"""The 24 of the order and `sessions_spawn`, which is not in it and so is listed among the rest."""

FALLBACK = {
    **{name: SUMMARIES[name] for name in ("grep", "find", "ls", "apply_patch")},
    "exec": "execute commands in a shell (in the background by yieldMs/background)",
    "process": "handle exec jobs in the background",
    "browser": "operate the browser that OpenClaw owns",
    "canvas": "show, script or capture the Canvas",
    "nodes": "use paired nodes: list, details, notify, camera, screen",
    "cron": _CRON[0].lower() + _CRON[1:],
    "sessions_list": "show sessions",
    "sessions_history": "read a session's past",
    "sessions_send": "write to another session",
    "subagents": "see/redirect/end sub-agent runs",
    "session_status": "give the status card: usage, time, and which model is in use",
}
"""The fifteen that are printed where no tool is known: tools that do not exist in that run."""


def listed(names: list[str]) -> list[tuple[str, str]]:
    """(key, spelling) of the tools as Tooling lists them: the first spelling of a name wins, whatever its case."""
    spelled: dict[str, str] = {}
    for name in map(js_trim, names):
        if name:
            spelled.setdefault(name.lower(), name)
    rest = sorted((key for key in spelled if key not in ORDER), key=utf16_key)
    return [(key, spelled[key]) for key in (*ORDER, *rest) if key in spelled]


def spelling(name: str, names: list[str]) -> str:
    """How the caller spells a tool; the name itself where it has none, for these lines stand all the same."""
    return dict(listed(names)).get(name, name)
