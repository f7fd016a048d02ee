"""The frame of the last start, on a real terminal before the app is loaded."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .support.terminal import Terminal

pytestmark = pytest.mark.slow

MARK = "last view, loading"
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
PASTES = b"\x1b[?2004h"
"""What the app asks of the terminal when it is loaded: a kept frame comes before that."""
Start = Callable[..., Terminal]


def opened(folder: Path, columns: int = 120, env: dict[str, str] | None = None, *, bare: bool = False) -> Terminal:
    return Terminal([["--scenario", "roo.yaml", "--page", "prompt"]], folder, (columns, 36), env=env or {}, bare=bare)


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of frames after a first start."""
    place = tmp_path_factory.mktemp("last")
    (place / "shop").mkdir()
    (place / "shop" / "roo.yaml").write_text("agent: roo\n")
    (place / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    frames = place / "cache" / "frames"
    first = opened(place / "shop", bare=True)
    first.until_made(frames)
    first.until(lambda: any(not path.suffix for path in frames.iterdir()))
    look = place / "state" / "look.json"
    shutil.copy(look, look.with_suffix(".kept"))
    first.send("q")
    assert first.finish() == 0
    assert MARK.encode() not in first.raw
    first.close()
    return frames


@pytest.fixture
def start(frames: Path) -> Iterator[Start]:
    """Starts the app again, after that; the options are those of `opened`."""
    terminals: list[Terminal] = []

    def run(**options: object) -> Terminal:
        look = frames.parents[1] / "state" / "look.json"  # a page that was left has its own frames
        shutil.copy(look.with_suffix(".kept"), look)
        terminals.append(opened(frames.parents[1] / "shop", **options))  # type: ignore[arg-type]
        return terminals[-1]

    yield run
    for each in terminals:
        each.close()


def test_it_is_shown_at_once_and_confirmed_later(start: Start, frames: Path) -> None:
    assert {frame.stat().st_mode & 0o777 for frame in frames.iterdir()} == {0o600}
    assert frames.stat().st_mode & 0o777 == 0o700
    again = start()
    before = again.settings
    again.until(lambda: MARK in again.text)
    again.until(lambda: "Roo Code" in again.text and "Role definition" in again.text and "^p find" in again.text)
    assert "live" not in again.text
    again.send("3")  # typed while the app is loaded: it is kept for it
    again.until(lambda: "live" in again.text and "usual places, nothing there" in again.text)
    assert MARK not in again.text
    again.send("q")
    assert again.finish() == 0
    assert again.raw.count(ENTER) == 1, "entering it again would clear it"
    assert again.settings == before


def test_an_error_is_written_to_the_terminal_as_it_was(start: Start, frames: Path) -> None:
    scenario = frames.parents[1] / "shop" / "roo.yaml"
    scenario.write_text("agent: [\n")
    again = start()
    before = again.settings
    assert again.finish() == 3
    assert again.raw.index(MARK.encode()) < again.raw.index(LEAVE) < again.raw.index(b"roo.yaml")
    assert again.settings == before
    scenario.write_text("agent: roo\n")


def test_a_signal_while_the_app_is_loaded_gives_the_terminal_back(start: Start) -> None:
    again = start()
    before = again.settings
    again.until(lambda: MARK in again.text)
    again.process.send_signal(signal.SIGTERM)
    assert again.finish() == 128 + signal.SIGTERM
    assert LEAVE in again.raw
    assert again.settings == before


def test_the_first_start_says_what_it_opens_until_there_is_a_frame(start: Start) -> None:
    first = start(columns=101)
    first.until(lambda: PASTES in first.raw)
    begun, loaded = first.raw.index(ENTER), first.raw.index(PASTES)
    assert b"shop  loading" in first.raw[begun:loaded]
    first.until(lambda: "Role definition" in first.text)
    assert "loading" not in first.text
    first.send("q")
    assert first.finish() == 0
    assert first.raw.count(ENTER) == 1


def test_another_size_and_the_switch_show_none(start: Start) -> None:
    for other in (start(columns=100), start(env={"PROMPTSCOPE_LAST_FRAME": "0"})):
        other.until(lambda other=other: PASTES in other.raw)  # type: ignore[misc]
        assert MARK.encode() not in other.raw
