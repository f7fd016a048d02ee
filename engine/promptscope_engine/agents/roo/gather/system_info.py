"""The machine as Roo sees it: its shell and its language (specs/roo.md 1.2, 1.6, 4.1)."""

from __future__ import annotations

import posixpath
from itertools import product

from promptscope_engine.agents.roo.languages import LANGUAGES
from promptscope_engine.inputs.resolved import Inputs

_UNIX_FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin")
# In which of the folders above Roo accepts a shell: the first, and the one behind the last.
_UNIX_SHELLS: dict[str, tuple[int, int | None]] = {
    "sh": (0, 2), "bash": (0, None), "zsh": (0, None), "dash": (0, 2), "ash": (0, 2), "csh": (0, 2), "tcsh": (0, 3),
    "ksh": (0, 2), "ksh93": (0, 2), "mksh": (0, 2), "pdksh": (0, 2), "fish": (1, None), "elvish": (1, 3),
    "xonsh": (1, 3), "nu": (1, 3), "nushell": (1, 3), "ion": (1, 3), "busybox": (0, 2),
}  # fmt: skip
_WINDOWS_SHELLS = (
    r"C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe",
    *(rf"C:\Program Files\PowerShell\{version}\pwsh.exe" for version in (7, 6, 5)),
    r"C:\Windows\System32\cmd.exe",
    r"C:\Windows\System32\wsl.exe",
    *(
        rf"C:\{programs}\Git\{folder}\bash.exe"
        for programs, folder in product(("Program Files", "Program Files (x86)"), ("bin", r"usr\bin"))
    ),
    *(rf"C:\{tools}\bash.exe" for tools in (r"msys64\usr\bin", r"msys32\usr\bin", r"MinGW\msys\1.0\bin")),
    *(rf"C:\{tools}\bin\bash.exe" for tools in ("cygwin64", "cygwin")),
)
ALLOWED_SHELLS = frozenset(
    f"{folder}/{name}" for name, (first, last) in _UNIX_SHELLS.items() for folder in _UNIX_FOLDERS[first:last]
) | frozenset(_WINDOWS_SHELLS)

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
