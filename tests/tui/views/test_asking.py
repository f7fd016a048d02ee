"""Asking a client its own words and a server its tools: what would be started is shown first, then what came of it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from tests.tui.commands.test_mcp_list import CODE
from tests.tui.learning.test_servers import is_running
from tests.tui.support.client import client_in, plan_few, poison
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.user import User, running

from promptscope_tui.learning.learner import Learner, Plan, Progress
from promptscope_tui.session.asking import ServerAsking, Status
from promptscope_tui.settings import servers, wordings
from promptscope_tui.views.asking import LearnScreen, ServerScreen, asking_rows


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person who has the client on PATH, of which few runs are asked."""
    poison(tmp_path, monkeypatch)
    plan_few(monkeypatch)
    folder = client_in(tmp_path).parent
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path


def learned(told: Status) -> list[str]:
    return ["".join(span.text for span in each.left) for each in asking_rows(told, LearnScreen.WORDS)]


RAN = Progress(3, 26, 90, 175, 41.2, "headless, project, --bare")


def test_a_run_says_how_far_it_is() -> None:
    shown = "\n".join(learned(Status("Claude Code 2.1.332", ("26 runs",), progress=(RAN,))))
    for words in ("26 runs", "3/26", "90 of 175 texts", "headless, project, --bare", "about 41 s left"):
        assert words in shown
    assert "run it" not in shown


def test_what_went_wrong_is_below_its_run() -> None:
    failed = Progress(1, 2, 0, 175, 1.0, "interactive, plain", "it sent nothing in 30 seconds")
    shown = learned(Status("x", ("2 runs",), progress=(failed,), ended="could not be run", failed=True))
    assert any("it sent nothing in 30 seconds" in line for line in shown)
    assert "could not be run" in shown[-1]


@pytest.mark.slow
async def test_nothing_is_run_before_it_is_wanted_and_what_was_learned_is_shown(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Learner.plan
    monkeypatch.setattr(Learner, "plan", lambda self, **given: _short(plan(self, **given)))
    async with running(monorepo_at(place, agent_version="2.1.332"), (120, 36)) as user:
        await user.press("L")
        screen = user.app.screen
        assert isinstance(screen, LearnScreen)
        await user.until(lambda: screen.asking.told.offers)
        await user.settle()
        assert wordings.versions() == []
        await user.press("enter")
        await user.until(lambda: screen.asking.told.ended)
        assert not screen.asking.told.failed, screen.asking.told.ended
        assert screen.asking.told.ended.endswith("; K compares it with 2.1.331")
        await user.press("escape")
        assert user.app.screen is user.app.main
        (learned,) = wordings.versions()
        assert (learned.agent_version, len(learned.runs)) == ("2.1.332", 1)


def _short(plan: Plan) -> Plan:
    return Plan(plan.chosen[:1], plan.texts)


@pytest.mark.slow
async def test_leaving_before_it_runs_runs_nothing(place: Path) -> None:
    async with running(monorepo_at(place, agent_version="2.1.332"), (120, 36)) as user:
        await user.press("L")
        screen = user.app.screen
        assert isinstance(screen, LearnScreen)
        await user.until(lambda: screen.asking.told.offers)
        await user.press("escape")
        await user.until(lambda: screen.asking.told.ended)
        assert screen.asking.told.ended == "nothing was run"
    assert wordings.versions() == []


@pytest.mark.slow
async def test_without_a_client_a_note_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    async with running(monorepo_at(tmp_path), (120, 36)) as user:
        await user.press("L")
        assert "no client of Claude Code was found on this machine" in user.note


def lines(told: Status) -> str:
    return "\n".join("".join(span.text for span in each.left) for each in asking_rows(told, ServerScreen.WORDS))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it ends a process group")
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it ends a process group")
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


async def asked(user: User) -> ServerAsking:
    screen = user.app.screen
    assert isinstance(screen, ServerScreen)
    return screen.asking
