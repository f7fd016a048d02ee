"""Opening the user's editor at a file and line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from subprocess import DEVNULL

from textual.app import App, SuspendNotSupported

_PLUS = {
    "vi",
    "vim",
    "nvim",
    "gvim",
    "mvim",
    "emacs",
    "emacsclient",
    "nano",
    "kak",
    "joe",
    "mg",
    "ne",
    "pico",
    "ex",
    "micro",
}
_COLON = {"hx", "helix", "subl", "sublime_text", "zed", "lite-xl"}
_GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
_WINDOWED = _GOTO | {"subl", "sublime_text", "zed", "lite-xl", "gvim", "mvim", "gedit", "kate", "xed", "open"}

_FALLBACKS = ("nano", "vim", "vi")


class NoEditor(Exception):  # noqa: N818 - it names what is the case
    """No editor can be opened; the message says what to set."""


def editor_words(env: Mapping[str, str]) -> list[str]:
    """The command in $VISUAL, else $EDITOR, else a common editor that is installed.

    Raises NoEditor if there is none, or if the variable cannot be parsed.
    """
    for name in ("VISUAL", "EDITOR"):
        if env.get(name, "").strip():
            try:
                return shlex.split(env[name])
            except ValueError as error:
                raise NoEditor(f"cannot parse ${name}: {error}") from None
    found = next((path for name in _FALLBACKS if (path := shutil.which(name))), None)
    if not found:
        raise NoEditor("set $VISUAL or $EDITOR to open files")
    return [found]


def editor_command(words: list[str], path: str, line: int) -> list[str]:
    """The command that opens `path` at the 1-based `line`, in this editor's syntax."""
    name = Path(words[0]).name.lower().removesuffix(".exe")
    if name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    if name in _COLON:
        return [*words, f"{path}:{line}"]
    if name in _PLUS:
        return [*words, f"+{line}", path]
    return [*words, path]


def is_windowed(words: list[str]) -> bool:
    """Whether the editor opens its own window, so that the app can stay on the screen."""
    name = Path(words[0]).name.lower().removesuffix(".exe")
    if name in ("code", "subl") and "--wait" in words:
        return True
    return name in _WINDOWED and "-nw" not in words


def _chosen(app: App[object]) -> dict[str, str]:
    """The editor of the settings, which goes before the environment's."""
    settings = getattr(app, "settings", None)
    return {"VISUAL": settings.editor} if settings and settings.editor else {}


def open_editor(app: App[object], path: str, line: int) -> None:
    """Open the file; a terminal editor gets the terminal until it exits. Raises NoEditor if it does not start."""
    command = editor_command(words := editor_words({**os.environ, **_chosen(app)}), path, line)
    try:
        if is_windowed(words):
            subprocess.Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
            return
        with app.suspend():
            subprocess.run(command, check=False)
    except OSError as error:
        raise NoEditor(f"{words[0]}: {error.strerror}") from None
    except SuspendNotSupported:
        raise NoEditor(f"{words[0]} needs the terminal, which is not available here") from None
    app.refresh(layout=True)
