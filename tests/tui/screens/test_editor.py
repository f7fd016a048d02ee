"""The editor in a real terminal: a program of its name on PATH that writes down how it was called."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from tests.tui.support.terminal import Terminal

from promptscope_tui.screens.editor import editor_command, is_windowed

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("editor", "words"), [("emacs -nw", ["-nw", "+1", "FILE"]), ("hx", ["FILE:1"]), ("code", ["--goto", "FILE:1"])]
)
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
    shown = Terminal([["--agent", "roo"]], shop, env={"PATH": path, "EDITOR": editor, "ASKED": str(asked)})
    try:
        shown.until(lambda: "live" in shown.text)
        shown.send("x")
        shown.until(lambda: "MCP SERVERS" not in shown.text)
        shown.send("G")
        shown.until(lambda: "found in .roo/rules" in shown.text)
        windowed = editor == "code"
        if windowed:
            shown.send("e?")  # as fast as anyone types: no key overtakes another
            shown.until_made(asked)  # it is started and not waited for
        else:
            shown.send("e")
            shown.until(lambda: b"the editor has the terminal" in shown.raw)
            shown.send("?")
        shown.until(lambda: "MOVING" in shown.text)
        shown.send("\x1b")
        shown.until(lambda: "MOVING" not in shown.text and "Roo Code" in shown.text)
        shown.send("q")
        assert shown.finish() == 0
        assert json.loads(asked.read_text()) == [word.replace("FILE", str(file)) for word in words]
        left = shown.raw.count(b"\x1b[?1049l")
        assert left == (1 if windowed else 2), "the alternate screen is left for the editor, and at the end"
    finally:
        shown.close()
