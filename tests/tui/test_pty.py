"""The command in a real terminal: a pty, with pyte as the screen behind it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from promptscope_engine import __version__

PATIENCE = 30.0
"""Seconds after which what did not come is a failure."""

HOSTILE = "Be kind.\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\r\x08\n"


class Terminal:
    """A process on a pty; `raw` is every byte it wrote, `screen` what a person would see."""

    def __init__(self, words: list[str], folder: Path, columns: int = 100, rows: int = 30) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.raw = b""
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder.parent),
            "PROMPTSCOPE_CACHE": str(folder.parent / "cache"),
            "PROMPTSCOPE_STATE": str(folder.parent / "state"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "promptscope_tui", *words],
            cwd=folder,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def send(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def until(self, holds: Callable[[], bool]) -> None:
        """Read until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert self._read(end), self.text

    def finish(self) -> int:
        """Read to the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, end: float) -> bool:
        """Wait for more, and take it; False at the end."""
        left = max(0, end - time.monotonic())
        assert select.select([self._master], [], [], left)[0], self.text
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux's way to say that the other side is closed
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    folder = tmp_path / "shop"
    (folder / ".roo" / "rules").mkdir(parents=True)
    (folder / ".roo" / "rules" / "kind.md").write_text(HOSTILE)
    opened: list[Terminal] = []

    def open_(*words: str) -> Terminal:
        opened.append(Terminal(list(words), folder))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


def test_the_version(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("--version")
    assert shown.finish() == 0
    assert shown.raw == f"promptscope {__version__}\r\n".encode()


@pytest.mark.parametrize("form", ["text", "plain", "markdown", "json"])
def test_no_escape_of_a_rule_file_reaches_the_terminal(terminal: Callable[..., Terminal], form: str) -> None:
    shown = terminal("show", "--agent", "roo", "--format", form)
    assert shown.finish() == 0
    assert b"Be kind." in shown.raw
    text = shown.raw.decode()
    colours = re.compile("\x1b\\[[0-9;]*m")
    assert bool(colours.search(text)) is (form == "text")
    rest = colours.sub("", text).replace("\r\n", "\n")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", rest)
    if form == "json":
        assert "\\u001b]0;owned\\u0007" in rest
    else:
        assert "Be kind.␛]0;owned␇␛[2J⟪U+009B⟫31m⟪U+202E⟫gnp.exe␍␈" in rest.replace("\n", "")


@pytest.mark.parametrize("words", [["tools"], ["files"], ["why", "kind.md"], ["tokens"], ["agents", "roo"]])
def test_tables_on_a_terminal(terminal: Callable[..., Terminal], words: list[str]) -> None:
    shown = terminal(*words)
    assert shown.finish() == 0
    assert shown.text.strip()


def test_no_colour_where_none_is_wanted(terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", _with_no_color(subprocess.Popen))
    shown = terminal("show", "--agent", "roo")
    assert shown.finish() == 0
    assert not re.search(rb"\x1b\[[0-9;]*3\dm", shown.raw)


def _with_no_color(popen: type[subprocess.Popen[bytes]]) -> Callable[..., subprocess.Popen[bytes]]:
    def start(*args: object, env: dict[str, str], **options: object) -> subprocess.Popen[bytes]:
        return popen(*args, env={**env, "NO_COLOR": "1"}, **options)  # type: ignore[call-overload]

    return start


def test_the_app_starts_follows_a_save_and_quits(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    shown = terminal("--agent", "roo")
    shown.until(lambda: "live" in shown.text)
    assert "Roo Code" in shown.text
    before = shown.text
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm, whatever the lock file says.\n" * 40)
    shown.until(lambda: shown.text != before)
    shown.send("q")
    assert shown.finish() == 0
    assert b"\x1b]0;owned" not in shown.raw


def test_ctrl_c_ends_a_headless_command_quietly(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    fifo = tmp_path / "scenario.json"
    os.mkfifo(fifo)
    shown = terminal("show", "--scenario", str(fifo))
    with fifo.open("w"):  # opened by both: the command waits for what is never written
        shown.process.send_signal(2)
        assert shown.finish() == 130
    assert b"Traceback" not in shown.raw
