"""The pseudo-terminal of a client that wants one."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import AsyncIterator

import pytest

from promptscope_tui.capturing import running as terminals
from promptscope_tui.capturing.running import Terminal, plain

PATIENCE = 30.0
TRUST = {"(?i)do you trust": "y"}


@pytest.fixture
async def terminal(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Terminal]:
    monkeypatch.setattr(terminals, "SETTLED", 0.0)
    found = Terminal(TRUST)
    tty.setraw(found.slave)
    os.set_blocking(found.slave, False)
    yield found
    found.close()
    found.started()


async def read_by_program(terminal: Terminal, printed: bytes) -> bytes:
    """What the program reads once it has printed something."""
    loop = asyncio.get_running_loop()
    there: asyncio.Future[bytes] = loop.create_future()
    loop.add_reader(terminal.slave, lambda: there.done() or there.set_result(os.read(terminal.slave, 1000)))
    os.write(terminal.slave, printed)
    try:
        return await asyncio.wait_for(there, PATIENCE)
    finally:
        loop.remove_reader(terminal.slave)


def test_what_it_printed_is_read_without_control_sequences() -> None:
    assert plain(b"\x1b[2Jhello\x1b[3Cworld\x1b[0m\x1b]0;title\x07\r") == "hello world"


async def test_a_program_is_told_what_the_terminal_can_do(terminal: Terminal) -> None:
    assert await read_by_program(terminal, b"\x1b[c") == b"\x1b[?62;22c"


async def test_a_dialog_is_answered_once_whatever_blanks_it_draws(terminal: Terminal) -> None:
    dialog = b"\x1b[1mDo\x1b[1Cyou\x1b[Gtrust\x1b[0m this folder?"
    assert await read_by_program(terminal, dialog) == b"y"
    assert await read_by_program(terminal, dialog + b"\x1b[c") == b"\x1b[?62;22c", "and nothing before it"
    assert "this folder?" in terminal.said
