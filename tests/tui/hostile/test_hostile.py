"""The app on what strangers and accidents leave on a disk: it says what is the case, and obeys none of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import scenario_of
from tests.tui.support.terminal import Terminal
from tests.tui.support.user import running

pytestmark = pytest.mark.slow

HOSTILE = (
    "Be kind.\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[200~pasted\x1b[201~\x1b[2J\x9b31m"
    "\u202egnp.exe\u202c\u200bzero\r\x08\x00\n"
)
FORBIDDEN = (
    b"\x1b]0;owned",
    b"\x1b]52;c;b3duZWQ=",
    b"\x1b[200~",
    "\x9b".encode(),
    "\u202e".encode(),
    "\u200b".encode(),
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace with every nasty thing a rules folder can hold."""
    folder = tmp_path / "shop"
    rules = folder / ".roo" / "rules"
    rules.mkdir(parents=True)
    (tmp_path / "home").mkdir()
    for name in ("AGENTS.md", "CLAUDE.md", "SOUL.md", ".roo/rules/a.md"):
        (folder / name).write_text(HOSTILE)
    (rules / "long.md").write_text("x" * 100_000 + " end\n")
    (rules / "cr.md").write_bytes(b"one\rtwo\rthree\r")
    (rules / "nul.md").write_bytes(b"nul\0nul\n")
    for name in ("new\nline.md", "esc\x1b]0;owned\x07.md", "emoji😀👨\u200d👩\u200d👧.md"):
        (rules / name).write_text(f"{HOSTILE}Say kind things.\n")
    Path(os.fsdecode(os.fsencode(rules) + b"/no-utf8-\xff\xfe.md")).write_text("In a name that is no UTF-8.\n")
    (rules / "loop.md").symlink_to("loop.md")
    (rules / "out.md").symlink_to("/etc/passwd")
    (rules / "folder.md").mkdir()
    os.mkfifo(rules / "fifo.md")
    return folder


@pytest.fixture
def shown(shop: Path) -> Iterator[Terminal]:
    """The app on it, in a terminal that is closed at the end."""
    terminal = Terminal([["--agent", "roo"]], shop, (120, 36))
    yield terminal
    terminal.close()


def test_nothing_of_it_reaches_the_terminal(shown: Terminal) -> None:
    """One app for three agents, which quote files in three ways."""
    shown.until(lambda: "live" in shown.text)
    for agent, name in (("roo", "Roo Code"), ("claude-code", "Claude Code 2."), ("openclaw", "OpenClaw 2")):
        if agent != "roo":
            shown.send("0a")
            shown.until(lambda: "type to filter" in shown.text)
            shown.send(f"{agent}\r")
        shown.until(lambda name=name: name in shown.text.split("\n")[0])  # type: ignore[misc]
        shown.send("1/gnp.exe\r")
        shown.until(lambda: shown.text.count("gnp.") > 1)  # in the field, and in the panel that was opened
        for keys, words in (("3", "AGENTS.md"), ("5", "MESSAGES"), ("\r", "▾")):
            shown.send(keys)
            shown.until(lambda words=words: words in shown.text)  # type: ignore[misc]
    shown.resize(30, 8)
    shown.until(lambda: "promptscope needs" in shown.text)
    shown.resize(120, 36)
    shown.until(lambda: "live" in shown.text)
    shown.send("q")
    assert shown.finish() == 0
    assert not [mark for mark in FORBIDDEN if mark in shown.raw]


async def test_every_tab_copies_and_explains_every_row(shop: Path) -> None:
    scenario = scenario_of(shop.parent, model=None)
    async with running(scenario, (140, 40), agents=True) as user:
        await user.press("z", "Y")
        assert "Be kind.\x1b]0;owned" in user.app.clipboard, "what is copied is the text itself"
        assert not any("\ud800" <= char <= "\udfff" for char in user.app.clipboard)
        for tab in "2356":
            await user.press(tab)
            for row in user.app.main.page.rows:  # type: ignore[attr-defined]
                if row.key is not None:
                    user.app.main.page.go_to(row.key)  # type: ignore[attr-defined]
                    await user.press("y")
                    user.why.hides("\x1b")
        await user.press("w", "ctrl+s", "enter")


async def test_a_workspace_that_is_deleted_is_said_to_be_gone_and_comes_back(shop: Path) -> None:
    async with running(scenario_of(shop.parent)) as user:
        shutil.rmtree(shop)
        await user.press("r")
        assert f"the folder {shop} is gone" in str(user.app.main.query_one("#error").render())
        shop.mkdir()
        (shop / "AGENTS.md").write_text("Here again.\n")
        await user.press("r")
        snapshot = await user.settle()
        assert snapshot.error is None
        assert snapshot.assembly is not None
        assert "Here again." in snapshot.assembly.system_text


async def test_five_thousand_rules_are_drawn_and_moved_through(tmp_path: Path) -> None:
    rules = tmp_path / "shop" / ".roo" / "rules"
    rules.mkdir(parents=True)
    (tmp_path / "home").mkdir()
    for n in range(5000):
        (rules / f"{n:04}.md").write_text(f"Rule {n}.\n")
    async with running(scenario_of(tmp_path), (160, 36)) as user:
        await user.press("x", "x", "G")
        assert user.app.main.prompt.cursor.section_id is not None
        user.why.shows("4999.md")
        await user.files.row(".roo/rules/").press("space", "pagedown")
        user.why.shows("✓ always")


async def test_a_folder_that_is_a_file_and_a_home_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / ".roo").write_text("no folder\n")
    (tmp_path / "home").write_text("no folder either\n")
    async with running(scenario_of(tmp_path)) as user:
        assert user.session.snapshot.assembly is not None
        (tmp_path / "state").write_text("no folder at all\n")
        await user.press("s")
        assert "cannot save the picture" in user.note
