"""Signals on a real terminal: whatever ends or stops the user, the terminal is given back as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .support.roo_shop import roo_shop_at
from .support.terminal import Terminal
from .support.user import PATIENCE, running

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="asks /proc whether it stopped")]

CTRL_Z = "\x1a"
CURSOR, WRAP = b"25", b"7"
"""The modes that are on in a terminal; all others that the app sets are off (other screen, mouse, paste, focus)."""


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Terminal]:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    terminal = Terminal([["--agent", "roo"]], tmp_path / "shop", bare=True)
    yield terminal
    terminal.close()


def is_given_back(shown: Terminal, before: list[object]) -> bool:
    on = {mode for mode, is_set in shown.modes.items() if is_set}
    return on == {CURSOR, WRAP} and shown.settings == before


def test_a_stop_a_storm_of_sizes_and_an_end(shown: Terminal) -> None:
    before = shown.settings
    shown.until(lambda: "live" in shown.text)
    assert not is_given_back(shown, before)
    for stop in (lambda: shown.process.send_signal(signal.SIGTSTP), lambda: shown.send(CTRL_Z)):
        stop()
        shown.until(lambda: is_given_back(shown, before))
        assert os.WIFSTOPPED(os.waitpid(shown.process.pid, os.WUNTRACED)[1])
        shown.screen.reset()
        shown.process.send_signal(signal.SIGCONT)
        shown.until(lambda: "live" in shown.text and "Roo Code" in shown.text and "2 Tool" in shown.text)
    for number in range(40):
        shown.resize(20 + number * 7 % 130, 5 + number * 3 % 50)
    shown.resize(100, 30)
    shown.until(lambda: "live" in shown.text)
    shown.process.send_signal(signal.SIGTERM)
    assert shown.finish() == 128 + signal.SIGTERM
    assert is_given_back(shown, before)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
async def test_another_signal_ends_it_in_the_same_way(tmp_path: Path, number: signal.Signals) -> None:
    """In this process: what an end gives back, the test above has seen in a terminal."""
    missed: list[int] = []
    before = signal.signal(number, lambda *_: missed.append(number))
    try:
        async with running(roo_shop_at(tmp_path)) as user:
            signal.raise_signal(number)
            async with asyncio.timeout(PATIENCE):
                while user.app.return_code is None and not missed:
                    await asyncio.sleep(0)
    finally:
        signal.signal(number, before)
    assert (user.app.return_code, missed) == (128 + number, [])


@pytest.mark.parametrize("keys", ["", "jk" * 200])  # at rest, and with more frames than the driver's queue holds
def test_a_window_that_is_closed_ends_it(shown: Terminal, keys: str) -> None:
    shown.until(lambda: "live" in shown.text)
    shown.send(keys)
    assert shown.hang_up() in (128 + signal.SIGHUP, 120)  # Python's own, where it cannot flush at the end
