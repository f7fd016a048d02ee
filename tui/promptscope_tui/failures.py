"""What failed in promptscope itself while the app ran, and the reports about it.

A report is made to be sent to somebody: versions, the terminal's size, the last events and the frames of the traceback.
Nothing in it comes from a file or was typed into a field. So it has no message of an exception either, which may quote
what could not be parsed.
"""

import os
import platform
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePath
from threading import Lock
from traceback import walk_tb
from types import CodeType

import textual
from msgspec import Struct
from textual import events

from promptscope_engine import __version__
from promptscope_tui.settings.paths import write_whole
from promptscope_tui.text.words import home_short, many

EVENTS = 50
"""The last events that a report has."""

KEPT = 20
"""Reports that are kept; the oldest goes first."""

_FRAMES = 60
"""Frames of one exception that a report has: endless recursion has a thousand."""

_OURS = ("promptscope_tui", "promptscope_engine")
_AROUND = "promptscope_tui/resilient.py"
"""It passes everything on, and is never where something is wrong."""


class Trail:
    """The last events, without anything that was typed into a field."""

    def __init__(self) -> None:
        self._events: deque[str] = deque(maxlen=EVENTS)

    def __iter__(self) -> Iterator[str]:
        return iter(self._events.copy())

    def note(self, what: str) -> None:
        """Something happened. From any thread."""
        self._events.append(what)

    def see(self, event: events.Event, *, typing: bool = False) -> None:
        """A key, the mouse or a size. With `typing` letters go into a field."""
        kind = type(event).__name__
        match event:
            case events.Key():
                self.note("Key, a character" if typing and event.is_printable else f"Key {event.key}")
            case events.MouseMove():
                if not (self._events and self._events[-1].startswith(kind)):
                    self.note(f"{kind} {event.screen_x},{event.screen_y}")
            case events.MouseEvent():
                self.note(f"{kind} {event.screen_x},{event.screen_y}")
            case events.Resize():
                self.note(f"{kind} {event.size.width} × {event.size.height}")
            case _:
                self.note(kind)


class Failure(Struct):
    """An exception, by its kind and where it was raised; `report` is the file about it, "" if none could be written."""

    kind: str
    place: str
    report: str
    times: int = 1

    @property
    def words(self) -> str:
        """It in one line."""
        where = f"the report is {home_short(self.report)}" if self.report else "no report could be written"
        return f"promptscope failed: {self.kind} in {self.place}; {where}"


class Failures:
    """Keeps what failed, and writes a report the first time."""

    def __init__(self, folder: Callable[[], Path], clock: Callable[[], datetime] = datetime.now) -> None:
        """`folder` is the state folder."""
        self._folder, self._clock = folder, clock
        self._found: dict[tuple[str, str], Failure] = {}
        self._lock = Lock()
        self.trail = Trail()

    @property
    def all(self) -> Sequence[Failure]:
        """In the order of their first time."""
        return tuple(self._found.values())

    def add(self, error: BaseException, about: Sequence[str]) -> Failure:
        """Keep a failure. From any thread. `about` are lines for the report: what was shown, and how large."""
        trace = tuple(_trace(error))
        kind, place = type(error).__name__, _place(error)
        with self._lock:
            if (known := self._found.get((kind, place))) is not None:
                known.times += 1
                return known
            found = self._found[kind, place] = Failure(kind, place, self._write(trace, about))
            return found

    def _write(self, trace: Sequence[str], about: Sequence[str]) -> str:
        now = self._clock()
        folder = self._folder() / "errors"
        lines = [f"time: {now:%Y-%m-%dT%H:%M:%S}", *_versions(), *about, "", "events, the last one last:"]
        text = "\n".join([*lines, *(f"  {each}" for each in self.trail), "", *trace, ""])
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / f"{now:%Y%m%d-%H%M%S}-{os.getpid()}-{len(self._found) + 1}.txt"
            write_whole(path, text.encode("utf-8", "backslashreplace"))
        except OSError:
            return ""
        with suppress(OSError):
            for old in sorted(folder.glob("*.txt"))[:-KEPT]:
                old.unlink()
        return str(path)

    @property
    def last_words(self) -> str:
        """What to say at the end."""
        reports = [home_short(each.report) for each in self.all if each.report]
        where = f": {', '.join(reports)}. No text of yours is in it: please attach it to an issue" if reports else ""
        return f"promptscope: the app met {many(len(self._found), 'error')} of its own and went on{where}"


def _versions() -> Iterator[str]:
    yield f"promptscope {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield f"textual {textual.__version__}, TERM={os.environ.get('TERM', '')}"


def _trace(error: BaseException) -> Iterator[str]:
    """The exceptions, the last one first: their kinds and frames, in code that is ours or of a package."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield f"{type(each).__module__}.{type(each).__qualname__}"
        frames = [f"  {_file(code.co_filename)}:{line} {code.co_qualname}" for code, line in _frames(each)]
        gap = [f"  … {len(frames) - _FRAMES} more"] if len(frames) > _FRAMES else []
        yield from [*frames[: _FRAMES // 2], *gap, *frames[-_FRAMES // 2 :]] if gap else frames
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def _frames(error: BaseException) -> Iterator[tuple[CodeType, int]]:
    return ((frame.f_code, line) for frame, line in walk_tb(error.__traceback__))


def _place(error: BaseException) -> str:
    """Where it was raised: the innermost frame of ours, if there is one."""
    places = [f"{_file(code.co_filename)}:{line}" for code, line in _frames(error)]
    ours = [place for place in places if place.startswith(_OURS) and not place.startswith(_AROUND)]
    return (ours or places or ["an unknown place"])[-1].removeprefix("promptscope_tui/")


def _file(name: str) -> str:
    """A file of code from its package on: the folders before say whose machine it is."""
    parts = PurePath(name).parts
    for package in (*_OURS, "site-packages"):
        if package in parts:
            at = len(parts) - 1 - parts[::-1].index(package)
            return "/".join(parts[at + (package == "site-packages") :])
    return name if name.startswith("<") else f"…/{parts[-1]}" if parts else name
