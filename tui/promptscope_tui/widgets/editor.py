"""Opening the user's editor at a file and line."""

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import PureWindowsPath
from subprocess import DEVNULL, Popen
from threading import Thread

from textual.app import App, SuspendNotSupported

from promptscope_engine.workspace.paths import to_system
from promptscope_tui.settings.packaged import is_packaged

_VI = {"ex", "vi", "vim", "nvim", "gvim", "mvim"}
_PLUS = _VI | {"emacs", "emacsclient", "nano", "kak", "joe", "mg", "ne", "pico", "micro"}
_COLON = {"hx", "helix", "subl", "sublime_text", "zed", "lite-xl"}
_GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
_OTHERS = {"subl", "sublime_text", "zed", "lite-xl", "gvim", "mvim", "gedit", "kate", "xed", "open", "notepad"}
_WINDOWED = _GOTO | _OTHERS

_FALLBACKS = ("nano", "vim", "vi", "notepad")


Failed = Callable[[str], object]
"""Is told in a sentence what failed."""


class NoEditorError(Exception):
    """No editor can be opened; the message says what to set."""


def editor_words(env: Mapping[str, str]) -> list[str]:
    """The command in $VISUAL, else $EDITOR, else a common editor that is installed.

    Raises NoEditorError if there is none, or if the variable cannot be parsed.
    """
    for name in ("VISUAL", "EDITOR"):
        if env.get(name, "").strip():
            try:
                return _split(env[name])
            except ValueError as error:
                raise NoEditorError(f"cannot parse ${name}: {error}") from None
    found = next((path for name in _FALLBACKS if (path := shutil.which(name))), None)
    if not found:
        raise NoEditorError("set $VISUAL or $EDITOR to open files")
    return [found]


def _split(words: str) -> list[str]:
    r"""The words of a command line; on Windows a `\` is part of a path. Raises ValueError."""
    if sys.platform != "win32":
        return shlex.split(words)
    return [word.strip('"') for word in shlex.split(words, posix=False)]


def _name(words: list[str]) -> str:
    return PureWindowsPath(words[0]).name.lower().removesuffix(".exe").removesuffix(".cmd")


def editor_command(words: list[str], path: str, line: int) -> list[str]:
    """The command that opens `path` at the 1-based `line`, in this editor's syntax."""
    name, path = _name(words), to_system(path)
    if name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    if name in _COLON:
        return [*words, f"{path}:{line}"]
    if name in _PLUS:
        return [*words, f"+{line}", path]
    return [*words, path]


def is_windowed(words: list[str]) -> bool:
    """Whether the editor opens its own window, so that the app can stay on the screen."""
    name = _name(words)
    if name in ("code", "subl") and "--wait" in words:
        return True
    return name in _WINDOWED and "-nw" not in words


def open_editor(app: App[object], path: str, line: int, failed: Failed) -> None:
    """Open the file; a terminal editor gets the terminal until it exits, and the screen is back whatever happens.

    `failed` is told about a failure; of an editor with a window of its own maybe later, and from another thread. Files
    of promptscope itself are never opened.
    """
    if is_packaged(path):
        failed("this is part of promptscope itself and isn't edited")
        return
    settings = getattr(app, "settings", None)  # their editor goes before the environment's
    env = {**os.environ, **({"VISUAL": settings.editor} if settings and settings.editor else {})}
    try:
        command = editor_command(words := editor_words(env), path, line)
    except NoEditorError as error:
        failed(str(error))
        return
    name = words[0]
    if is_windowed(words):
        problem = _open_window(name, command, failed)
    else:
        problem = ""
        try:
            with app.suspend():  # an exception in it would leave the terminal as it is now
                problem = _run(name, command)
        except SuspendNotSupported:
            problem = f"{name} needs the terminal, which is not available here"
        app.refresh(layout=True)
    if problem:
        failed(problem)


def _run(name: str, command: list[str]) -> str:
    """Run an editor to its end; what failed, or ""."""
    try:
        process = Popen(command)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        return _not_started(name, error)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl+c is for the editor now
    try:
        return _ending(name, process.wait())
    finally:
        signal.signal(signal.SIGINT, before)


def _open_window(name: str, command: list[str], failed: Failed) -> str:
    """Start an editor that opens its own window, and wait for it in a thread; what failed at once, or ""."""
    try:
        process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
    except (OSError, ValueError) as error:
        return _not_started(name, error)

    def wait() -> None:
        if problem := _ending(name, process.wait()):
            failed(problem)

    Thread(target=wait, name="promptscope-editor", daemon=True).start()
    return ""


def _not_started(name: str, error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"cannot start {name}: {reason}; set $VISUAL or $EDITOR"


def _ending(name: str, code: int) -> str:
    """What an exit code says; nothing if all is well."""
    if code < 0:
        known = {number.value: number.name for number in signal.Signals}
        return f"{name} was ended by {known.get(-code, f'signal {-code}')}"
    return f"{name} exited with code {code}" if code else ""
