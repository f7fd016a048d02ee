"""The command in a real terminal: a pty, with pyte as the screen behind it."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from promptscope_engine import __version__

from .support.terminal import Terminal

pytestmark = pytest.mark.slow

HOSTILE = "Be kind.\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\r\x08\n"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    folder = tmp_path / "shop"
    (folder / ".roo" / "rules").mkdir(parents=True)
    (folder / ".roo" / "rules" / "kind.md").write_text(HOSTILE)
    opened: list[Terminal] = []

    def open_(*commands: list[str]) -> Terminal:
        opened.append(Terminal(commands, folder))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


def test_the_version(terminal: Callable[..., Terminal]) -> None:
    shown = terminal(["--version"])
    assert shown.finish() == 0
    assert shown.raw == f"promptscope {__version__}\r\n".encode()


FORMS = ("text", "plain", "markdown", "json")
TABLES = (["tools"], ["files"], ["why", "kind.md"], ["tokens"], ["agents", "roo"])


def test_headless_commands(terminal: Callable[..., Terminal]) -> None:
    """One process for all: each assertion is on what one of them wrote."""
    forms = (["show", "--agent", "roo", "--format", form] for form in FORMS)
    shown = terminal(*forms, *TABLES, ["NO_COLOR=1", "show", "--agent", "roo"], ["TERM=dumb", "--agent", "roo"])
    assert shown.finish() == 0
    *written, without_colour, dumb = shown.each
    for form, raw in zip(FORMS, written, strict=False):
        no_escape_of_a_rule_file_is_in(raw, form)
    for words, raw in zip(TABLES, written[len(FORMS) :], strict=True):
        assert raw.strip(), words
    assert b"Be kind." in without_colour
    assert not re.search(rb"\x1b\[[0-9;]*3\dm", without_colour)
    assert b"cannot draw the app" in dumb, "a terminal that cannot be drawn on gets text"
    assert b"Be kind." in dumb
    assert b"\x1b[?1049h" not in shown.raw


def no_escape_of_a_rule_file_is_in(raw: bytes, form: str) -> None:
    assert b"Be kind." in raw
    text = raw.decode()
    colours = re.compile("\x1b\\[[0-9;]*m")
    assert bool(colours.search(text)) is (form == "text")
    rest = colours.sub("", text).replace("\r\n", "\n")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", rest)
    if form == "json":
        assert "\\u001b]0;owned\\u0007" in rest
    else:
        assert "Be kind.␛]0;owned␇␛[2J⟪U+009B⟫31m⟪U+202E⟫gnp.exe␍␈" in rest.replace("\n", "")


def test_the_app_starts_follows_a_save_and_quits(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    shown = terminal(["--agent", "roo"])
    shown.until(lambda: "live" in shown.text)
    assert "Roo Code" in shown.text
    before = shown.text
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm, whatever the lock file says.\n" * 40)
    shown.until(lambda: shown.text != before)
    shown.send("q\x10sb")  # what is typed after `q` is dropped: the palette, a picture, a baseline
    assert shown.finish() == 0
    assert not list(tmp_path.rglob("*.svg"))
    assert b"\x1b]0;owned" not in shown.raw


def test_ctrl_c_ends_a_headless_command_quietly(terminal: Callable[..., Terminal]) -> None:
    shown = terminal(["show", "--agent", "roo", "--format", "json"])
    shown.until(lambda: bool(shown.raw))  # the rest is more than a terminal holds: the command waits for a reader
    shown.process.send_signal(signal.SIGINT)
    assert shown.finish() == 130
    assert b"Traceback" not in shown.raw
