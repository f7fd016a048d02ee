"""The captures and transcripts to choose from."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from promptscope_tui.session.recordings import RecordingFile
from promptscope_tui.text.paths import home_short
from promptscope_tui.text.spans import Span
from promptscope_tui.widgets.picker import Option


def recording_options(found: Iterable[RecordingFile], home: str) -> list[Option]:
    """An option for each file, by its path."""
    return [Option(each.path, _detail(each), _right(each), f"{each.kind}  {_name(each, home)}") for each in found]


def _name(file: RecordingFile, home: str) -> str:
    """A capture by its agent, a transcript of this workspace by its file's name, else by the path from home on."""
    if file.kind == "capture" and not file.problem:
        return file.agent
    path = Path(file.path)
    return path.stem if file.here or file.kind == "capture" else home_short(str(path), home)


def _detail(file: RecordingFile) -> str:
    if file.problem:
        return f"✗ {file.problem}"
    where = "this workspace" if file.here else "elsewhere"
    agent = file.agent if file.kind == "transcript" else ""
    return ", ".join(filter(None, (where, agent, file.detail, size(file.bytes))))


def _right(file: RecordingFile) -> Span:
    return Span(time.strftime("%Y-%m-%d %H:%M", time.localtime(file.modified)), "dim")


def size(count: int) -> str:
    """`340 kB`, `12.4 MB`."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(count, 999) // 1000:,} kB"
