"""The terminal's driver: what Textual's thread cannot write is lost, and the app is told once."""

from __future__ import annotations

import io

import pytest
from textual.app import App

pytest.importorskip("termios")

from textual.drivers._writer_thread import WriterThread

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
