"""The terminal's driver: what Textual's thread cannot write is lost, and signals come between two steps."""

from __future__ import annotations

import asyncio
import io
import signal
from collections.abc import Callable

import pytest
from textual.app import App

pytest.importorskip("termios")

from textual.drivers._writer_thread import WriterThread
from textual.drivers.linux_driver import LinuxDriver

from promptscope_tui.driver import Output, TerminalDriver


async def test_textual_still_writes_to_the_file_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one private part of Textual that the driver needs: its thread writes to `_file`."""
    terminal = io.StringIO()
    terminal.fileno = lambda: 2  # type: ignore[method-assign]
    monkeypatch.setattr("sys.__stderr__", terminal)
    driver = TerminalDriver(App())
    writer = driver._writer_thread = WriterThread(driver._file)
    writer.start()
    driver.write("a frame")
    writer.stop()
    assert terminal.getvalue() == "a frame"


def test_a_terminal_that_is_gone_ends_no_thread_and_is_reported_once() -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError

        def fileno(self) -> int:
            return 2

    lost: list[str] = []
    writer = WriterThread(Output(Gone(), lambda: lost.append("lost")))  # type: ignore[arg-type]
    writer.start()
    for _ in range(100):  # more than the queue of the thread holds
        writer.write("a frame")
    writer.stop()
    assert lost == ["lost"]


async def test_a_signal_waits_until_the_app_has_done_what_it_is_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one is told after the first; while an editor has the terminal, each is carried out at once."""
    heard: list[int] = []

    def hear(number: int, _: object) -> None:
        if not heard:
            signal.raise_signal(number)
        heard.append(number)

    def as_textual_does(*_: object) -> None:
        for number in (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH):
            signal.signal(number, hear)

    nothing: Callable[..., None] = lambda *_: None  # noqa: E731 - its name says what it does
    monkeypatch.setattr(LinuxDriver, "start_application_mode", as_textual_does)
    monkeypatch.setattr(LinuxDriver, "stop_application_mode", nothing)
    monkeypatch.setattr(TerminalDriver, "_wait_for_its_end", nothing)
    driver = TerminalDriver(App())
    for number in (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH):
        heard.clear()
        driver.start_application_mode()
        signal.raise_signal(number)
        assert heard == []
        while len(heard) < 2:
            await asyncio.sleep(0)
        driver.stop_application_mode()
        signal.raise_signal(number)
        assert heard == [number] * 3
