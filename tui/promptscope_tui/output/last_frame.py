"""What the app showed at its last start, on the terminal again before anything else is imported.

Loading Textual and the engine takes most of the time to the first frame. Opened in the same folder, with the same words
and in a terminal of the same size, the app mostly shows what it showed before; so its first complete frame is kept and
written at once, marked in the header as not confirmed. The app takes the terminal over as it is and paints its own
frame over it. Frames hold text of prompts: they are kept in the cache folder, readable by their owner only.
"""

import atexit
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from promptscope_engine import __version__
from promptscope_tui.text.escape import visible

try:
    import termios
except ImportError:  # not everywhere
    termios = None  # type: ignore[assignment]

SWITCH = "PROMPTSCOPE_LAST_FRAME"
"""The environment variable that, set to 0, has no frame kept or shown."""

KEPT = 30
"""Frames that are kept; the oldest goes first."""

_LOOKS = ("TERM", "COLORTERM", "NO_COLOR", "HOME", "TEXTUAL_THEME")
"""Variables on which the frame's look depends."""

_ALTERNATE_SCREEN = "\x1b[?1049h"
_ENTER, _LEAVE = f"{_ALTERNATE_SCREEN}\x1b[?25l", "\x1b[?1049l\x1b[?25h"

_shown: list[ExitStack] = []
"""What is to be undone, in the terminal and of signals, once the frame that is shown is given back or handed over."""


def show(words: Sequence[str]) -> None:
    """Show the frame that was kept for these words of the command line, if there is one."""
    if _is_wanted():
        with suppress(OSError, ValueError):
            _paint(frame_path(words).read_bytes())


def show_loading(folder: str) -> None:
    """Say what is being opened where no frame was kept: the screen would be blank until the first one is drawn."""
    if _is_wanted() and not _shown:
        _paint(f"\x1b[H\x1b[1m promptscope\x1b[22m  \x1b[2m{visible(folder)}  loading…\x1b[22m".encode())


def _is_wanted() -> bool:
    streams = sys.stdin, sys.stdout
    on_terminal = all(stream is not None and stream.isatty() for stream in streams)
    return termios is not None and os.environ.get(SWITCH) != "0" and on_terminal


def _paint(frame: bytes) -> None:
    """Take the terminal over, and write a frame to it; nothing where the terminal doesn't let us."""
    try:
        before = termios.tcgetattr(sys.stdin)
        quiet = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
        termios.tcsetattr(sys.stdin, termios.TCSANOW, quiet)
    except (OSError, ValueError):
        return
    undo = ExitStack()
    undo.callback(termios.tcsetattr, sys.stdin, termios.TCSANOW, before)
    for number in (signal.SIGTERM, signal.SIGHUP):
        undo.callback(signal.signal, number, signal.signal(number, lambda number, _: sys.exit(128 + number)))
    _shown.append(undo)
    atexit.register(give_back)
    sys.stdout.write(_ENTER)
    sys.stdout.flush()
    sys.stdout.buffer.write(frame)
    sys.stdout.flush()


def keep(words: Sequence[str], app: Any) -> None:
    """Keep what an app shows for these words. A folder that cannot be written to keeps none."""
    if os.environ.get(SWITCH) == "0":
        return
    # Private, but Textual's own export of the screen does the same.
    frame: str = app.screen._compositor.render_update(full=True).render_segments(app.console)
    with suppress(OSError, ValueError):
        path = frame_path(words)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(frame.encode())
        new.replace(path)
        for old in sorted(path.parent.iterdir(), key=lambda each: each.stat().st_mtime)[:-KEPT]:
            old.unlink()


def give_back() -> None:
    """Leave the terminal as it was, if a frame is shown that no app took over: an error has to be readable."""
    if hand_over():
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


def hand_over() -> bool:
    """Whether a frame is shown: its screen is left as it is, for the app to paint over."""
    if not _shown:
        return False
    _shown.pop().close()
    return True


def taking_over(driver: type[Any]) -> type[Any]:
    """A driver of Textual for a terminal on which the frame is shown.

    It doesn't enter the alternate screen a second time, which would clear it; after a stop (ctrl+z) it does.
    """

    class TakingOver(driver):  # type: ignore[misc]
        _entered = True

        def write(self, data: str) -> None:
            if self._entered and data == _ALTERNATE_SCREEN:
                self._entered = False
            else:
                super().write(data)

    return TakingOver


def frame_path(words: Sequence[str]) -> Path:
    """Where the frame is kept: one file for each folder, command line, size and look.

    The look is the settings, the theme that was shown last, and the pages on which folders were left.

    Raises OSError without a size.
    """
    # only where there is a terminal: 3 ms, and 20 with what it imports, which no other command must pay for
    from hashlib import sha256

    from promptscope_tui.settings.paths import LOOK, SETTINGS, cache_folder, config_folder, state_folder

    out = sys.__stdout__  # an app has put something else into the place of sys.stdout
    size = os.get_terminal_size(out.fileno() if out else -1)
    looks: list[str | bytes | None] = [os.environ.get(name) for name in _LOOKS]
    looks += [_bytes(config_folder() / SETTINGS), _bytes(state_folder() / LOOK)]
    key = repr((__version__, str(Path.cwd()), list(words), tuple(size), looks))
    return cache_folder() / "frames" / sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
