"""The machine as Roo sees it: its shell and its language (specs/roo.md 1.2, 1.6, 4.1)."""

from __future__ import annotations

import posixpath

from promptscope_engine.agents.roo.texts import FOLDER, LANGUAGES
from promptscope_engine.inputs.resolved import Inputs

ALLOWED_SHELLS = frozenset(f"{folder}{name}" for folder, names in FOLDER.agent["shells"].items() for name in names)
_ALLOWED_ANY_CASE = frozenset(path.lower() for path in ALLOWED_SHELLS)
_CMD = r"C:\Windows\System32\cmd.exe"
_FALLBACKS = {"win32": _CMD, "darwin": "/bin/zsh"}


def default_shell(inputs: Inputs, terminal_shell: str | None) -> str:
    """getShell(): the terminal profile's shell, else the login shell, else the environment's, if it is allowed."""
    platform = inputs.environment.platform or "linux"
    fallback = _FALLBACKS.get(platform, "/bin/bash")
    named = inputs.env.get("COMSPEC" if platform == "win32" else "SHELL")
    shell = terminal_shell or inputs.environment.shell or named or fallback
    return shell if _allowed(shell, platform) else fallback


def _allowed(shell: str, platform: str) -> bool:
    if platform == "win32":
        return shell.replace("/", "\\").lower() in _ALLOWED_ANY_CASE
    return posixpath.normpath(shell) in ALLOWED_SHELLS


def language_code(given: str | None, editor: str | None) -> str:
    """The language passed to the prompt; null means the editor's, and "" none (4.1)."""
    return format_language(editor or "") if given is None else given


def format_language(locale: str) -> str:
    """formatLanguage(): the last `-xx` in capitals if that is one of the eighteen, else en."""
    head, dash, region = locale.rpartition("-")
    code = f"{head}-{region.upper()}" if dash else locale
    return code if code in LANGUAGES else "en"
