"""`promptscope serve` in Chromium: the same app, a process for each page, and nothing for strangers."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.tui.support.pictures import FOLDER, UPDATE
from tests.tui.support.roo_shop import roo_shop_at

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="/proc tells who started whom"),
]

PLACE = "demo"
HOSTILE = {"click.py": "raise SystemExit('imported from the repository')\n", "promptscope_tui/__init__.py": "1 / 0\n"}


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[str, subprocess.Popen[bytes]]]:
    """The shop, served; its address and the server's process."""
    roo_shop_at(folder)
    for name, text in HOSTILE.items():
        (folder / "shop" / name).parent.mkdir(exist_ok=True)
        (folder / "shop" / name).write_text(text)
    command = [
        sys.executable,
        "-P",
        "-m",
        "promptscope_tui",
        "serve",
        "--agent",
        "roo",
        "--mode",
        "code",
        "--home",
        str(folder / "home"),
    ]
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "PROMPTSCOPE_CACHE": str(folder / "cache"),
        "PROMPTSCOPE_STATE": str(folder / "state"),
        "TERM": "dumb",  # the browser's terminal is another
    }
    with subprocess.Popen(
        command, cwd=folder / "shop", env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as server:
        assert server.stdout is not None
        try:
            yield (await asyncio.to_thread(server.stdout.readline)).decode().strip(), server
        finally:
            server.kill()


def children(process: subprocess.Popen[bytes]) -> list[str]:
    """The command lines of what the process has started."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ") for child in found]


async def until_children(process: subprocess.Popen[bytes], count: int) -> list[str]:
    async with asyncio.timeout(30):
        while len(found := await asyncio.to_thread(children, process)) != count:
            await asyncio.sleep(0.05)
    return found


def row(lines: list[str], part: str) -> str:
    """The first line that holds the part, in the middle column."""
    return next(line for line in lines if part in line)[46:80]


async def test_the_app_in_a_browser(place: Path, tmp_path: Path) -> None:
    from .chromium import tab

    async with served(place) as (url, server), tab(tmp_path / "profile") as browser:
        await browser.open(url)
        await browser.until_shown(lambda text: "Roo Code" in text and "live" in text)
        (command,) = await until_children(server, 1)
        assert f"{sys.executable} -P -m promptscope_tui open --agent=roo" in command
        hosts = {urlsplit(request).netloc for request in browser.requests}
        assert hosts == {urlsplit(url).netloc}

        await browser.type("3")
        await browser.until_shown(lambda text: "✗  AGENT.md " in text)
        before = row(browser.screen.display, "●  AGENTS.md ")
        (place / "shop" / "AGENTS.md").write_text("Use pnpm, whatever the lock file says.\n" * 40)
        await browser.until_shown(lambda text: row(text.splitlines(), "●  AGENTS.md ") != before)
        if os.environ.get(UPDATE):
            await browser.type("1")
            await browser.until_shown(lambda text: "USER'S CUSTOM" in text)
            await asyncio.sleep(1)  # the terminal draws what it has got
            (FOLDER / "browser.png").write_bytes(await browser.picture())

        await browser.type("q")
        await browser.until("document.body.classList.contains('-closed')")
        assert await browser.value("document.getElementById('ended').checkVisibility()")
        await until_children(server, 0)


async def test_each_page_has_a_process_that_ends_with_it(tmp_path: Path) -> None:
    from .chromium import tab

    async with served(tmp_path) as (url, server), tab(tmp_path / "profile") as browser:
        await browser.open(url)
        await until_children(server, 1)
        await browser.ask("Target.createTarget", url=url)
        await until_children(server, 2)
        await browser.open("about:blank")
        await until_children(server, 1)
        os.kill(server.pid, signal.SIGTERM)
        assert await asyncio.to_thread(server.wait, 30) == 0
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()
