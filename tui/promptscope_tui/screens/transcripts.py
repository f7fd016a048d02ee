"""Choosing a recorded conversation, and opening it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from promptscope_engine.agents.transcripts import Recording
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.transcripts import keeper
from promptscope_tui.text.spans import Span, home_short

from .picker import Option, Picker
from .transcript import TranscriptScreen

if TYPE_CHECKING:
    from .deeds import Deeds


def choose_recording(main: Deeds) -> None:
    """Offer this workspace's recordings, then the others, newest first; any other path can be typed."""
    assembly = main.snapshot.assembly
    if assembly is None:
        return
    try:
        agent = keeper(assembly)
        _, inputs = resolve(main.snapshot.scenario, main.session.workspace)
    except ScenarioError as error:
        main.note(str(error), error=True)
        return
    found = {_name(each, assembly): each for each in agent.recordings(inputs, main.session.workspace)}
    options = [Option(name, _detail(each), Span(_when(each), "dim")) for name, each in found.items()]

    def take(chosen: str | None) -> None:
        if chosen is not None:
            open_recording(main, found[chosen].path if chosen in found else chosen)

    main.app.push_screen(Picker("A RECORDED CONVERSATION", options, None, free=True), take)


def open_recording(main: Deeds, path: str) -> None:
    """Open the recording at a path."""
    assembly = main.snapshot.assembly
    if assembly is None:
        return
    try:
        agent = keeper(assembly)
    except ScenarioError as error:
        main.note(str(error), error=True)
        return

    def go_on(fill: int | None) -> None:
        levers = agent.continue_from(fill) if fill is not None else ()
        if levers:
            main.session.apply(levers)
            main.show_page("window")
            main.note(f"the window as that turn left it: {fill:,} tok; u takes it back")

    reader = agent.transcript_reader(assembly.tokens.expected or 0)
    main.app.push_screen(TranscriptScreen(path, reader, assembly), go_on)


def _name(recording: Recording, assembly: Assembly) -> str:
    """Of this workspace: the file's name; else the path from the home folder on."""
    path = Path(recording.path)
    return path.stem if recording.here else home_short(str(path), assembly.home)


def _detail(recording: Recording) -> str:
    return f"{'this workspace' if recording.here else 'elsewhere'}, {size(recording.bytes)}"


def _when(recording: Recording) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(recording.modified))


def size(count: int) -> str:
    """`340 kB`, `12.4 MB`."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(count, 999) // 1000:,} kB"
