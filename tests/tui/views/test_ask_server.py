"""Asking an MCP server in the app: what would be started is shown first, and what it answers is counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.tui.commands.test_mcp_list import CODE
from tests.tui.learning.test_servers import is_running
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.user import User, running

from promptscope_tui.session.asking import Asking, Told
from promptscope_tui.settings import servers
from promptscope_tui.views.ask_server import ServerScreen, asking_rows

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="it ends a process group")]


def lines(told: Told) -> str:
    return "\n".join("".join(span.text for span in each.left) for each in asking_rows(told))


async def test_enter_on_a_server_asks_it_after_enter_and_counts_what_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    scenario = monorepo_at(tmp_path).model_copy(update={"attended": True})
    docs = {"command": sys.executable, "args": ["-S", "-c", CODE], "env": {"OWN": "hush"}}
    home = Path(str(scenario.home))
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"docs": docs, "far": {"url": "https://far.test/x"}}}))
    async with running(scenario, (120, 40)) as user:
        await user.press("2")
        await user.tools.row("docs").press("enter")
        asking = await asked(user)
        await user.until(lambda: asking.told.offers)
        assert "with OWN, as its settings say" in lines(asking.told)
        assert "hush" not in lines(asking.told)
        assert servers.load(scenario.workspace) == {}
        await user.settle()
        await user.press("enter")
        await user.until(lambda: bool(asking.told.ended))
        assert asking.told.ended == "docs: 2 tools and instructions"
        await user.press("escape")
        await user.until(lambda: any(server.known for server in user.assembly.servers))
        user.tools.row("docs")
        user.tools.shows("asked on")

        await user.tools.row("far").press("enter")
        far = await asked(user)
        await user.until(lambda: bool(far.told.ended))
        assert "import FILE --mcp far" in far.told.ended
        await user.press("escape")
        assert user.app.screen is user.app.main


async def test_leaving_stops_what_was_started(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    scenario = monorepo_at(tmp_path)
    hangs = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    config = {"command": sys.executable, "args": ["-S", "-c", hangs]}
    Path(str(scenario.home), ".claude.json").write_text(json.dumps({"mcpServers": {"docs": config}}))
    async with running(scenario, (120, 40)) as user:
        await user.press("2")
        await user.tools.row("docs").press("enter")
        asking = await asked(user)
        await user.until(lambda: asking.told.offers)
        await user.settle()
        await user.press("enter")
        await user.until(lambda: pid.exists() and bool(pid.read_text()))
        await user.press("escape")
        await user.until(lambda: not is_running(int(pid.read_text())))
        assert user.app.screen is user.app.main


async def asked(user: User) -> Asking:
    screen = user.app.screen
    assert isinstance(screen, ServerScreen)
    assert screen.asking is not None
    return screen.asking
