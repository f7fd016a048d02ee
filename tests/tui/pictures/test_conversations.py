"""Conversations of every agent, as recorded, and a pasted prompt compared with its prediction, as pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.pictures import take
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running

from promptscope_engine import Counter, Workspace, assemble
from promptscope_engine.insight.captured_scenario import read_prompt
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.capturing import store
from promptscope_tui.views.compare.sent_rows import PartKey
from promptscope_tui.views.compare.sent_screen import DifferencesScreen

pytestmark = pytest.mark.slow

FILES = Path(__file__).parents[2] / "engine" / "agents" / "conversations" / "files"
WRITTEN = {
    "claude-code": "claude-code-2.1.329.jsonl",
    "codex": "codex-0.169.0-compacted.jsonl",
    "gemini": "gemini-0.61.0.jsonl",
    "openclaw": "openclaw-2026.2.24.jsonl",
    "roo": "roo-api_conversation_history.json",
}
SIZE = (140, 40)


@pytest.mark.parametrize("agent", WRITTEN)
async def test_picture_of_a_conversation(agent: str, place: Path) -> None:
    roo_shop_at(place)
    params = {"trusted": True} if agent == "gemini" else {}  # else it does not start here
    async with running(scenario_of(place, agent=agent, mode=None, model=None, params=params), SIZE) as user:
        user.app.main.recordings.open_transcript(str(FILES / WRITTEN[agent]))
        await user.settle()
        await take(f"conversation-{agent}", user, ("G",))


async def test_picture_of_a_pasted_prompt(place: Path) -> None:
    scenario = roo_shop_at(place)
    text = assemble(scenario).system_text.replace("Never ", "Do not ever ", 1)
    at, first, last = (text.index(f"====\n\n{name}\n") for name in ("CAPABILITIES", "RULES", "SYSTEM INFORMATION"))
    pasted = f"{text[:at]}{text[first:last]}{text[at:first]}{text[last:]}"
    path = place / "pasted.jsonl"
    store.save(read_prompt(pasted.encode(), scenario, Counter(get_tokenizer("o200k_base")), Workspace()), path)
    async with running(scenario, SIZE) as user:
        user.app.main.captures.open(str(path), differences=True)
        await user.settle()
        await user.app.workers.wait_for_complete()
        screen = user.app.screen
        assert isinstance(screen, DifferencesScreen)
        assert screen.found is not None
        parts = screen.found.verification.parts
        screen.choices.go_to(PartKey(next(at for at, part in enumerate(parts) if part.moved is not None)))
        await take("pasted-aligned", user)
