"""Captures in the app: made by a command, opened, stepped through, and compared with the prediction."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engine.captures.bodies import ANTHROPIC
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.sent import captured, other_words
from tests.tui.support.user import PATIENCE, User, running
from textual.widgets import Input

from promptscope_engine import Counter, Workspace, assemble
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.captured_scenario import read_prompt
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.capturing import recording, store
from promptscope_tui.screens import drawing
from promptscope_tui.views.capture.screen import CaptureScreen
from promptscope_tui.views.compare.sent_rows import PartKey
from promptscope_tui.views.compare.sent_screen import DifferencesScreen
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

AGENT = """
import json, os, sys, urllib.request
print("terminal:", sys.stdin.isatty(), "folder:", os.getcwd())
if "--hang" in sys.argv:
    import subprocess, time
    child = subprocess.Popen(["sleep", "60"])
    open(os.environ["PID"], "w").write(str(child.pid))
    time.sleep(60)
headers = {"user-agent": "claude-cli/2.1.329 (external, cli)"}
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true"
urllib.request.urlopen(urllib.request.Request(url, os.environ["BODY"].encode(), headers)).read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program called `claude`, and a state folder of its own."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\n{AGENT}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BODY", json.dumps(ANTHROPIC))
    monkeypatch.setenv("PID", str(tmp_path / "pid"))
    monkeypatch.setattr(recording, "GRACE", 60.0)  # a busy machine takes long to end a program
    monkeypatch.setattr(drawing, "NOTE_SECONDS", 600.0)  # a busy machine is slower than a reader
    return tmp_path


def scenario_at(place: Path) -> Scenario:
    return monorepo_at(place, agent_version="2.1.329", model="claude-opus-4-8")


async def until(user: User, condition: Callable[[], object]) -> None:
    """Wait until something is so; fails if it takes too long."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)
            await user.pause()


async def compared(user: User) -> DifferencesScreen:
    """The differences when they are computed."""
    await user.until(lambda: isinstance(user.app.screen, DifferencesScreen) and user.app.screen.found)
    await user.settle()
    assert isinstance(user.app.screen, DifferencesScreen)
    return user.app.screen


async def shows(user: User, agent: str) -> None:
    """Wait until the prompt of an agent is shown."""
    await user.until(lambda: user.app.main.snapshot.assembly and user.app.main.snapshot.assembly.agent == agent)
    await user.settle()


async def test_a_capture_is_held_against_its_prediction(place: Path) -> None:
    scenario = scenario_at(place)
    captured(scenario, store.folder() / "one.jsonl", other_words)
    (store.folder() / "two.jsonl").write_text("nothing\n")
    async with running(scenario, (140, 40)) as user:
        await user.press("V")
        assert "no capture open" in user.note
        await user.press("o")
        lines = user.app.screen.query_one(RowList).plain.splitlines()
        assert "claude-code 2.1.329  this workspace, 2 requests" in lines[0]
        assert "two  ✗ not a capture file: its first line is not a header" in "\n".join(lines)
        await user.press("enter")
        await shows(user, "observed/claude-code")
        bar = user.app.main.sent_bar
        await user.until(lambda: bar.summary)
        assert "V predicted · sent · differences   [ ] request 2 of 2: main" in bar.plain
        assert bar.plain.endswith(" explained")
        await user.press("V")
        screen = await compared(user)
        parts = screen.choices.plain
        assert parts.index("PREDICTED, NOT SENT") < parts.index("− Write")
        assert parts.index("SENT, NOT PREDICTED") < parts.index("+ Ledger")
        assert "# Night shift" in parts[parts.index("NOT EXPLAINED") :]
        assert parts.index("EQUAL") < parts.index("= ")
        assert "Write" in screen.shown.plain
        await user.press("p")
        await shows(user, "claude-code")
        await user.until(lambda: user.tab == "tools")
        await user.press("equals_sign")
        screen = await compared(user)
        await user.press("P")
        assert "it was not sent" in str(screen.query_one("#lists-note").render())
        beside = screen.is_beside
        await user.press("s")
        assert screen.is_beside is not beside
        assert str(screen.query_one("#lists-note").render()) == ("unified" if beside else "side by side")
        await user.press("y")
        assert "Write" in user.app.clipboard
        await user.press("V")
        assert user.app.screen is user.app.main
        await shows(user, "claude-code")
        assert "predicted" in bar.plain
        await user.press("V")
        await shows(user, "observed/claude-code")
        await user.press("equals_sign")
        await compared(user)
        await user.press("q")
        assert user.app.screen is user.app.main


async def test_what_was_moved_in_a_pasted_prompt_has_rows_of_its_own(place: Path) -> None:
    scenario = roo_shop_at(place)
    text = assemble(scenario).system_text
    at, first, last = (text.index(f"====\n\n{name}\n") for name in ("CAPABILITIES", "RULES", "SYSTEM INFORMATION"))
    pasted = f"{text[:at]}{text[first:last]}{text[at:first]}{text[last:]}"
    base = scenario.model_copy(update={"mode": None})
    store.save(read_prompt(pasted.encode(), base, Counter(get_tokenizer("o200k_base")), Workspace()), place / "p.jsonl")
    async with running(scenario, (140, 40)) as user:
        user.app.main.captures.open(str(place / "p.jsonl"))
        await shows(user, "observed/roo")
        await user.press("V")
        screen = await compared(user)
        parts = screen.choices.plain
        assert "1 section moved" in " ".join(parts.split())
        rows = parts[parts.index("STANDS ELSEWHERE") :].splitlines()
        assert rows[1].split()[:4] == ["↕", "RULES", "moved", "behind"]
        assert "= RULES" not in parts
        screen.choices.go_to(PartKey(next(n for n, part in enumerate(screen.found.verification.parts) if part.moved)))
        await user.pause()
        assert "↕ moved behind Tool Use Guidelines" in screen.shown.plain


async def test_the_requests_of_a_capture_are_steps(place: Path) -> None:
    scenario = scenario_at(place)
    path = captured(scenario, place / "one.jsonl")
    async with running(scenario.model_copy(update={"agent": None, "capture": str(path)}), (140, 40)) as user:
        await user.press("2")
        assert "are descriptions" in " ".join(user.tools.text.split())
        await user.press("4", "w")
        user.why.hides("our wording")
        assert "counted as a whole" in " ".join(user.why.text.split())
        await user.press("left_square_bracket")
        assert "request 1 of 2: title" in user.app.main.sent_bar.plain
        await user.press("right_square_bracket")
        assert "request 2 of 2: main" in user.app.main.sent_bar.plain
        await user.press("right_square_bracket")  # behind the last one comes the first
        assert "request 1 of 2: title" in user.app.main.sent_bar.plain
        for key, words in (("m", "has no modes"), ("i", "has no rules that load with another file")):
            await user.press(key)
            assert user.app.screen is user.app.main
            assert user.note == f"claude-code (observed) {words}"
        await user.press("2")
        assert user.tools.text.splitlines()[0].strip() == "no tools"
        await user.press("equals_sign")
        assert "it isn't a main one (title)" in user.note
        await user.press("6")
        user.changes.shows("request 2 → 1")


async def test_a_run_lands_in_the_comparison(place: Path) -> None:
    async with running(scenario_at(place), (140, 40)) as user:
        await user.press("O")
        screen = user.app.screen
        assert isinstance(screen, CaptureScreen)
        told = screen.rows.plain
        assert "claude --settings" in told
        assert "ANTHROPIC_BASE_URL=http://127.0.0.1:" in told
        assert "ANTHROPIC_API_KEY=(a made-up key)" in told
        assert "SessionStart hooks" in told
        assert f"into  {store.folder()}" in told
        await user.press("enter")
        differences = await compared(user)
        assert "claude-code 2.1.329" in differences.choices.plain
        (stored,) = store.stored()
        assert (stored.header["cwd"], stored.requests, stored.problem) == (str(place / "mono"), 1, "")
        assert store.log_path().read_text() == f"terminal: False folder: {place}/mono\n"


async def test_a_run_is_ended_with_all_it_started(place: Path) -> None:
    async with running(scenario_at(place), (80, 30)) as user:
        await user.press("O")
        screen = user.app.screen
        assert isinstance(screen, CaptureScreen)
        line = screen.query_one(Input)
        line.value = "claudee -p hi"
        await user.press("enter")
        assert screen.state == "asking"
        assert "no such command: claudee" in str(screen.query_one("#capture-problem").render())
        line.value = "claude -p hi --hang"
        await user.press("enter")
        await user.until(lambda: (place / "pid").exists() and (place / "pid").read_text())
        await user.press("question_mark", "escape")
        assert screen.state == "running"
        await user.press("escape")
        await user.until(lambda: screen.state == "ended")
        assert "nothing was kept" in str(screen.query_one("#capture-problem").render())
        assert store.stored() == []
        pid = (place / "pid").read_text()
        assert not Path(f"/proc/{pid}").exists() or "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
        await user.press("r")
        line.value = "false"
        await user.press("enter")
        await user.until(lambda: screen.state == "ended")
        assert "no request came from claude-code; the command ended with exit code 1" in str(
            screen.query_one("#capture-problem").render()
        )
        await user.press("r")
        line.value = "echo hello there"
        await user.press("enter")
        await user.until(lambda: screen.state == "ended")
        await user.press("y")
        assert user.app.clipboard.strip().endswith("hello there")
        await user.press("escape")
        assert user.app.screen is user.app.main
