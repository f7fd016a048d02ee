"""The terminal's driver: a frame is out before anything else is done."""

from __future__ import annotations

import io
from threading import Event

import pytest
from textual.app import App

pytest.importorskip("termios")

from textual.drivers._writer_thread import WriterThread

from promptscope_tui.driver import TerminalDriver


class _Busy(Event):
    """Lets the thread that writes have the interpreter only while somebody waits for it."""

    writer: WriterThread

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None, "a terminal that is stopped would stop the app"
        self.writer.start()
        return super().wait(60)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What stands for the terminal."""
    written = io.StringIO()
    written.fileno = lambda: 2  # type: ignore[method-assign]
    monkeypatch.setattr("sys.__stderr__", written)
    return written


async def test_a_frame_is_written_before_what_follows_it(terminal: io.StringIO) -> None:
    driver = TerminalDriver(App())
    busy = driver.output.written = _Busy()
    busy.writer = driver._writer_thread = WriterThread(driver._file)
    driver.write("\x1b[1;1H")
    driver.write("a frame")
    driver.flush()
    assert terminal.getvalue() == "\x1b[1;1Ha frame"
    busy.writer.stop()


async def test_a_terminal_that_is_gone_is_not_waited_for(terminal: io.StringIO) -> None:
    driver = TerminalDriver(App())
    lost: list[str] = []
    driver.output.lost = lambda: lost.append("lost")
    busy = driver.output.written = _Busy()
    busy.writer = driver._writer_thread = WriterThread(driver._file)

    def fail(_: str) -> int:
        raise OSError

    terminal.write = fail  # type: ignore[method-assign,assignment]
    driver.write("a frame")
    driver.flush()
    assert busy.is_set()
    assert lost == ["lost"]
    busy.writer.stop()
