"""The transcripts to choose from."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from promptscope_engine.agents.transcripts import TranscriptFile
from promptscope_tui.text.paths import home_short
from promptscope_tui.text.spans import Span
from promptscope_tui.widgets.picker import Option


def transcript_options(found: Iterable[TranscriptFile], home: str) -> list[Option]:
    """An option for each transcript, by its path."""
    return [Option(each.path, _detail(each), Span(_when(each), "dim"), _name(each, home)) for each in found]


def _name(transcript: TranscriptFile, home: str) -> str:
    """Of this workspace: the file's name; else the path from the home folder on."""
    path = Path(transcript.path)
    return path.stem if transcript.here else home_short(str(path), home)


def _detail(transcript: TranscriptFile) -> str:
    return f"{'this workspace' if transcript.here else 'elsewhere'}, {size(transcript.bytes)}"


def _when(transcript: TranscriptFile) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(transcript.modified))


def size(count: int) -> str:
    """`340 kB`, `12.4 MB`."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(count, 999) // 1000:,} kB"
