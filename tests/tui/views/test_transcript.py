"""Recorded conversations: found, opened, charted, and taken into the window."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import roo_shop_at, texts
from tests.tui.support.sent import captured
from tests.tui.support.user import User, running
from textual.widgets import Input

from promptscope_engine.agents.claude_code.transcripts import Reader
from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.prompt.model import TokenSummary
from promptscope_tui.session import transcripts
from promptscope_tui.session.transcripts import reading
from promptscope_tui.text.spans import width_of
from promptscope_tui.views.bars.budget import BudgetBar
from promptscope_tui.views.transcript import TranscriptScreen, TurnKey, transcript_rows
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

CONVERSATIONS = Path(__file__).parents[2] / "engine" / "agents" / "conversations" / "files"

TOKENS = TokenSummary("estimate", False, 1_000, 1_000, None, {}, 200_000, 33_000, 167_000, 0)


async def opened(user: User) -> TranscriptScreen:
    """The screen when it has read everything."""
    assert isinstance(user.app.screen, TranscriptScreen)
    await user.app.workers.wait_for_complete()
    await user.pause()
    return user.app.screen


async def test_recordings_are_offered_and_opened(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (120, 45)) as user:
        await user.press("o")
        offered = user.app.screen.query_one(RowList).plain.splitlines()
        assert "session-1" in offered[0]
        assert "this workspace" in offered[0]
        assert "~/.claude/projects/-elsewhere/session-2" in offered[1]
        await user.press("enter")
        screen = await opened(user)
        shown = screen.query_one(RowList).plain
        assert "121 turns" in shown
        assert "it would compact at line" in shown
        assert "▲ it would compact here, at 167,000 tokens" in shown
        assert "1 line does not parse" in shown
        assert "␛[31mnow" in shown
        assert "\x1b" not in shown
        await user.press("escape")
        assert user.app.screen is user.app.main


async def test_a_turn_is_opened_in_the_editor_at_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened_at: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "promptscope_tui.views.transcript.open_editor", lambda _, path, line, __: opened_at.append((path, line))
    )
    path = str(CONVERSATIONS / "codex-0.169.0.jsonl")
    async with running(roo_shop_at(tmp_path).model_copy(update={"agent": "codex", "mode": None})) as user:
        user.app.main.recordings.open_transcript(path)
        screen = await opened(user)
        assert screen.transcript is not None
        await user.press("G", "e")
        assert opened_at == [(path, screen.transcript.turns[-1].line)]
        await user.press("q")
        assert user.app.screen is user.app.main


async def test_a_turn_is_taken_into_the_window(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (120, 45)) as user:
        await user.press("o", "enter")
        screen = await opened(user)
        assert screen.transcript is not None
        await user.press("G", "enter")
        assert user.scenario.params["usage"] == {"lastTotal": screen.transcript.fill}
        assert user.tab == "window"
        fill = screen.transcript.fill
        bar = user.app.main.query_one(BudgetBar)
        assert f"≈ {fill:,} of" in bar.plain, "as Window says"
        assert "after a turn" in bar.plain
        assert f"{fill:,} of" in user.app.main.pages.window.plain
        await user.press("u")
        assert user.scenario.params == {}
        assert "after a turn" not in bar.plain
        user.app.main.recordings.open_transcript(str(CONVERSATIONS / "claude-code-2.1.329.jsonl"))
        await opened(user)
        await user.press("G", "enter")
        assert "12,220 tok, less than this prompt alone" in user.note
        assert "after a turn" not in bar.plain


async def test_the_app_opens_the_recording_that_was_asked_for(tmp_path: Path) -> None:
    scenario = monorepo_at(tmp_path)
    path = next((tmp_path / "home").rglob("session-1.jsonl"))
    async with running(scenario, transcript=str(path)) as user:
        assert (await opened(user)).transcript is not None
    async with running(scenario, transcript=str(tmp_path / "none.jsonl")) as user:
        screen = await opened(user)
        assert "cannot read the transcript" in str(screen.query_one("#transcript-head").render())


async def test_a_conversation_of_another_agent_is_opened_with_that_agent(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 45)) as user:
        await user.press("o")
        assert user.app.screen.query_one(RowList).plain.startswith("none yet: O records a run")
        user.app.screen.query_one(Input).value = str(CONVERSATIONS / "codex-0.169.0.jsonl")
        await user.press("enter")
        screen = await opened(user)
        assert f"codex {load_agent('codex').versions[-1]}" in str(screen.query_one("#transcript-head").render())
        assert "1 user" in " ".join(screen.query_one(RowList).plain.split())
        await user.press("escape")
        assert user.scenario.agent == "codex"
        assert user.note == "Codex wrote it and is shown now; u goes back to Roo Code"
        await user.press("u")
        assert user.scenario.agent == "roo"
        assert user.app.screen is user.app.main, "it is opened once"


async def test_who_goes_elsewhere_meanwhile_gets_no_conversation(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.app.main.recordings.open_transcript(str(CONVERSATIONS / "codex-0.169.0.jsonl"))
        user.session.undo()
        await user.settle()
        user.session.redo()
        await user.settle()
        assert user.scenario.agent == "codex"
        assert user.app.screen is user.app.main


FOOTERS = {
    "claude-code-2.1.100.jsonl": ("enter go on from here", "e edit its line", "F beside the prompt", "esc back"),
    "openclaw-2026.2.24.jsonl": ("enter go on from here", "e edit its line", "F beside the prompt", "esc back"),
    "codex-0.169.0.jsonl": ("e edit its line", "F beside the prompt", "esc back"),
    "gemini-0.61.0.jsonl": ("e edit its line", "F beside the prompt", "esc back"),
    "roo-ui_messages.json": ("e edit its line", "F beside the prompt", "esc back"),
}


async def test_the_footer_offers_what_acts(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 45)) as user:
        for name, footer in FOOTERS.items():
            user.app.main.recordings.open_transcript(str(CONVERSATIONS / name))
            await user.settle()
            screen = await opened(user)
            assert screen.query_one(KeyLine).plain.split("  ") == [*footer]
            await user.press("G", "enter")
            goes_on = "enter go on from here" in footer
            assert (user.app.screen is screen) is not goes_on
            if not goes_on:
                assert "says how full its window is" in str(screen.query_one("#transcript-head").render())
                await user.press("escape")


async def test_a_recorded_request_is_as_it_is(tmp_path: Path) -> None:
    mono = monorepo_at(tmp_path)
    path = captured(mono.model_copy(update={"agent_version": "2.1.329"}), tmp_path / "one.jsonl")
    async with running(mono.model_copy(update={"agent": None, "capture": str(path)}), (120, 45)) as user:
        user.app.main.recordings.open_transcript(str(CONVERSATIONS / "claude-code-2.1.329.jsonl"))
        screen = await opened(user)
        assert "observed/claude-code" in str(screen.query_one("#transcript-head").render())
        assert screen.query_one(KeyLine).plain == "e edit its line  F beside the prompt  esc back"
        await user.press("G", "enter")
        assert user.app.screen is screen


async def test_a_file_without_turns_offers_only_the_way_back(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\n\xfe\n")
    async with running(roo_shop_at(tmp_path)) as user:
        user.app.main.recordings.open_transcript(str(path))
        await user.settle()
        screen = await opened(user)
        assert screen.query_one(KeyLine).plain == "esc back"


async def test_a_task_of_roo_is_read(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.app.main.recordings.open_transcript(str(CONVERSATIONS / "roo-ui_messages.json"))
        await user.pause()
        screen = await opened(user)
        shown = " ".join(screen.query_one(RowList).plain.split())
        assert "task of Roo Code" in shown
        assert "compacted at line 1 (A short summary.), ≈9,000 left" in shown
        assert screen.follower is None, "such a file is written anew each time"


async def test_a_turn_of_openclaw_becomes_the_history(tmp_path: Path) -> None:
    path = str(CONVERSATIONS / "openclaw-2026.2.24.jsonl")
    given = {"agent": "openclaw", "agent_version": None, "mode": None, "model": None, "params": {}}
    scenario = roo_shop_at(tmp_path).model_copy(update=given)
    async with running(scenario) as user:
        user.app.main.recordings.open_transcript(path)
        await user.pause()
        screen = await opened(user)
        await user.press("g", "enter")
        assert user.app.screen is not screen
        assert user.scenario.params == {"sessionFile": path, "sessionLine": 5}
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        history, message, _ = [m["content"][0]["text"] for m in assembly.request.messages]
        assert history == "Look at the files here"
        assert message.endswith("] hi")


def talk(*fills: int, base: int = 1_000) -> Transcript:
    turns = [Turn(n + 1, "user" if n % 2 == 0 else "assistant", 10, fill, text="x") for n, fill in enumerate(fills)]
    return Transcript(tuple(turns), base=base)


@pytest.mark.parametrize("width", [40, 78, 120, 200])
@pytest.mark.parametrize("turns", [1, 3, 70, 2_000])
def test_the_chart_fits_its_width(width: int, turns: int) -> None:
    rows = transcript_rows(talk(*(1_000 + 90 * n for n in range(turns))), TOKENS, width)
    chart = [
        row
        for row in rows
        if not row.key and not row.wrap and any(set("▁▂▃▄▅▆▇█▒") & set(span.text) for span in row.left)
    ]
    assert chart
    assert all(width_of(row.left) <= width for row in chart)


def test_the_threshold_is_a_line_where_the_conversation_comes_near_it() -> None:
    near = texts(transcript_rows(talk(90_000, 120_000), TOKENS, 78))
    far = texts(transcript_rows(talk(9_000, 12_000), TOKENS, 78))
    assert any(line.startswith("  167,000 ") for line in near)
    assert any("compaction at 167,000 is above the chart" in line for line in far)


def test_of_a_very_long_conversation_the_last_turns_have_rows() -> None:
    rows = transcript_rows(talk(*range(1_000, 7_000)), TOKENS, 78)
    lines = texts([row for row in rows if row.key is None])  # not what each turn says
    assert any("the first 1,000 turns are only in the chart" in line for line in lines)


def test_random_bytes_are_no_transcript() -> None:
    (said,) = [line for line in texts(transcript_rows(Transcript((), broken=3), TOKENS, 78)) if line.strip()]
    assert "This is not a transcript" in said
    assert "no messages" in "".join(texts(transcript_rows(Transcript((), broken=3, other=1), TOKENS, 78)))


def test_an_empty_recording_says_so() -> None:
    assert any("no messages" in line for line in texts(transcript_rows(Transcript(()), TOKENS, 78)))


def test_reading_goes_in_pieces_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promptscope_tui.session.transcripts.PIECE", 100)
    monkeypatch.setattr("promptscope_tui.session.transcripts.MAX_BYTES", 250)
    path = tmp_path / "t.jsonl"
    path.write_text((json.dumps({"type": "summary", "leafUuid": ""}) + "\n") * 20)
    agent = load_agent("claude-code")
    assert isinstance(agent, KeepsTranscripts)
    seen = list(reading(str(path), agent.transcript_reader(0, {})))
    assert seen == [(100, 720), (200, 720), (250, 720)]


async def test_a_session_that_goes_on_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "SECONDS", 0.02)
    async with running(monorepo_at(tmp_path), (120, 45)) as user:
        await user.press("o", "enter")
        screen = await opened(user)
        assert screen.transcript is not None
        turns = len(screen.transcript.turns)
        path = next((tmp_path / "home").rglob("session-1.jsonl"))
        line = json.dumps({"type": "user", "message": {"role": "user", "content": "And one more."}})
        await user.press("G")
        with path.open("a") as file:
            file.write(line + "\n" + line[:20])
        await user.until(lambda: screen.transcript is not None and len(screen.transcript.turns) == turns + 1)
        assert screen.transcript.broken == 1, "a line that is half written is no broken one"
        rows = screen.query_one(RowList)
        assert rows.key == TurnKey(turns), "at the last turn the cursor goes on"
        await user.press("g")
        with path.open("a") as file:
            file.write(line[20:])
        await user.until(lambda: screen.transcript is not None and len(screen.transcript.turns) == turns + 2)
        assert rows.key == TurnKey(0)
        follower = screen.follower
        await user.press("escape")
        assert follower is not None
        follower.thread.join(5)
        assert not follower.thread.is_alive()


async def until(user: User, holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.02)
            await user.pause()


def test_another_file_in_its_place_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "SECONDS", 0.01)
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")
    told: list[Transcript] = []
    follower = transcripts.Follower(str(path), Reader(0), 3, told.append)
    path.write_text("")
    follower.thread.join(5)
    assert not follower.thread.is_alive()
    assert told == []
