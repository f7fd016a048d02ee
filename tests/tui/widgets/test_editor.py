"""The editor in a real terminal: a program of its name on PATH that writes down how it was called."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.tui.support.terminal import Terminal
from tests.tui.support.user import PATIENCE
from textual.app import App

from promptscope_tui.widgets import editor
from promptscope_tui.widgets.editor import editor_command, editor_words, is_windowed, open_editor

FAKE = """#!{python}
import json, os, sys
lines = "\\r\\n".join(f"{{n}}: the editor has the terminal" for n in range(40))
if sys.stdout.isatty():
    print(lines, flush=True)
with open(os.environ["ASKED"] + ".part", "w") as file:
    json.dump(sys.argv[1:], file)
os.replace(os.environ["ASKED"] + ".part", os.environ["ASKED"])
"""


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim", ["+3", "FILE"]),
        ("nvim", ["+3", "FILE"]),
        ("emacs -nw", ["-nw", "+3", "FILE"]),
        ("nano", ["+3", "FILE"]),
        ("micro", ["+3", "FILE"]),
        ("kak", ["+3", "FILE"]),
        ("hx", ["FILE:3"]),
        ("helix", ["FILE:3"]),
        ("subl", ["FILE:3"]),
        ("code --wait", ["--wait", "--goto", "FILE:3"]),
        ("/opt/some editor/edit", ["FILE"]),
    ],
)
def test_each_editor_is_asked_in_its_own_way(editor: str, words: list[str]) -> None:
    command = [editor] if editor.startswith("/") else editor.split()
    asked = [word.replace("FILE", "/shop/a b.md") for word in words]
    assert editor_command(command, "/shop/a b.md", 3) == [command[0], *asked]
    assert is_windowed(command) is (command[0] in ("code", "subl"))


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (r"C:\Windows\notepad.exe", [r"C:\Windows\notepad.exe", "FILE"]),
        (
            r'"C:\Program Files\VS Code\bin\code.cmd" --wait',
            [r"C:\Program Files\VS Code\bin\code.cmd", "--wait", "--goto", "FILE:3"],
        ),
    ],
)
def test_a_path_of_windows_keeps_its_strokes(monkeypatch: pytest.MonkeyPatch, named: str, words: list[str]) -> None:
    monkeypatch.setattr("promptscope_tui.widgets.editor.sys", SimpleNamespace(platform="win32"))
    command = editor_words({"VISUAL": named})
    assert editor_command(command, "FILE", 3) == words
    assert is_windowed(command)


def test_windows_has_an_editor_that_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"notepad": r"C:\Windows\notepad.exe"}
    monkeypatch.setattr("promptscope_tui.widgets.editor.shutil", SimpleNamespace(which=there.get))
    assert editor_words({}) == [r"C:\Windows\notepad.exe"]


@pytest.mark.slow
@pytest.mark.parametrize(("editor", "words"), [("emacs -nw", ["-nw", "+1", "FILE"]), ("code", ["--goto", "FILE:1"])])
def test_the_terminal_is_lent_and_taken_back(tmp_path: Path, editor: str, words: list[str]) -> None:
    shop, programs = tmp_path / "shop", tmp_path / "bin"
    (shop / ".roo" / "rules").mkdir(parents=True)
    file = shop / ".roo" / "rules" / "kind.md"
    file.write_text("Be kind.\n")
    programs.mkdir()
    fake = programs / editor.split()[0]
    fake.write_text(FAKE.format(python=sys.executable))
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    asked = tmp_path / "asked.json"
    path = f"{programs}:/usr/bin:/bin"
    env = {"PATH": path, "EDITOR": editor, "ASKED": str(asked)}
    shown = Terminal([["--agent", "roo"]], shop, env=env, bare=True)
    try:
        shown.until(lambda: "live" in shown.text)
        shown.send("1xx")
        shown.until(lambda: "absent is hidden" in shown.text)
        shown.send("Gw")
        shown.until(lambda: "found in .roo/rules" in shown.text or "✓ always" in shown.text)
        shown.send("w")
        windowed = editor == "code"
        if windowed:
            shown.send("e?")  # as fast as anyone types: no key overtakes another
            shown.until_made(asked)  # it is started and not waited for
        else:
            shown.send("e")
            shown.until(lambda: b"the editor has the terminal" in shown.raw)
            shown.send("?")
        shown.until(lambda: "USED MOST" in shown.text)
        shown.send("\x1b")
        shown.until(lambda: "USED MOST" not in shown.text and "Roo Code" in shown.text)
        fake.unlink()
        shown.send("e")
        shown.until(lambda: f"cannot start {fake.name}" in shown.text)
        assert "Roo Code" in shown.text, "the terminal comes back without an editor, too"
        shown.send("?")
        shown.until(lambda: "USED MOST" in shown.text)
        shown.send("\x1b")
        shown.until(lambda: "USED MOST" not in shown.text)
        shown.send("q")
        assert shown.finish() == 0
        assert json.loads(asked.read_text()) == [word.replace("FILE", str(file)) for word in words]
        left = shown.raw.count(b"\x1b[?1049l")
        assert left == (1 if windowed else 3), "the alternate screen is left for the editor each time, and at the end"
    finally:
        shown.close()


class Lender:
    """As much of an app as lending the terminal takes."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def suspend(self) -> Iterator[None]:
        self.seen.append("lent")
        yield
        self.seen.append("back")  # not reached after an exception, as in Textual

    def refresh(self, **_: Any) -> None:
        self.seen.append("drawn")


def ended(editor: str, file: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said about an editor that had the terminal."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    lender, said = Lender(), list[str]()
    open_editor(cast(App[object], lender), file, 1, said.append)
    assert lender.seen in ([], ["lent", "back", "drawn"])
    return " ".join(said)


def test_whatever_fails_is_said_and_the_screen_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    file = str(tmp_path / "file.md")
    assert ended("no-such-editor", file, monkeypatch).startswith("cannot start no-such-editor: No such file")
    assert ended(str(plain), file, monkeypatch).startswith(f"cannot start {plain}: Permission denied")
    assert ended("cat", "a\0b", monkeypatch).startswith("cannot start cat: embedded null byte")
    assert ended("sh -c 'exit 3'", file, monkeypatch) == "sh exited with code 3"
    assert ended("sh -c 'kill -9 $$'", file, monkeypatch) == "sh was ended by SIGKILL"
    assert ended("sh -c 'unclosed", file, monkeypatch).startswith("cannot parse $EDITOR: ")
    go, set_handler = tmp_path / "go", signal.signal
    os.mkfifo(go)

    def tells(number: int, handler: Any) -> Any:
        before = set_handler(number, handler)
        if handler is signal.SIG_IGN:
            go.write_text("now\n")
        return before

    with monkeypatch.context() as patched:
        patched.setattr(signal, "signal", tells)
        assert ended(f"sh -c 'read now < {go}; kill -2 $PPID'", file, monkeypatch) == "", "ctrl+c is for the editor"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert ended("true", file, monkeypatch) == ""


def test_a_window_that_does_not_open_is_said_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "code"
    fake.write_text("#!/bin/sh\nexit 5\n")
    fake.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(fake))
    said, told = list[str](), threading.Event()

    def failed(words: str) -> None:
        said.append(words)
        told.set()

    lender = Lender()
    open_editor(cast(App[object], lender), "file.md", 1, failed)
    assert told.wait(PATIENCE)
    assert said == [f"{fake} exited with code 5"]
    assert lender.seen == []


def test_a_file_of_promptscope_itself_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by its own name, nor by a link."""
    monkeypatch.setenv("VISUAL", "false")
    link = tmp_path / "editor.py"
    link.symlink_to(editor.__file__)
    told: list[str] = []
    for path in (editor.__file__, str(link)):
        open_editor(cast("App[object]", None), path, 1, told.append)
    assert told == ["this is part of promptscope itself and isn't edited"] * 2
