"""Learning a client's own words as a picture: what was announced, the runs so far, what is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import shared_at
from tests.tui.support.pictures import take
from tests.tui.support.user import running

from promptscope_engine.agents.registry import load_agent
from promptscope_tui.learning.clients import Client, script_for
from promptscope_tui.learning.learner import Progress
from promptscope_tui.session.asking import Learning, Status
from promptscope_tui.views.asking import LearnScreen

PLACE = "promptscope-desk"

pytestmark = pytest.mark.slow

ANNOUNCED = (
    "  26 runs, about 46 s one after another, for 175 texts",
    "  in a home and folders made up for it: your settings, hooks, servers, keys and repository are not there",
    "  on a network of the loopback alone, and nothing that it writes reaches the disk",
    "  it could still read what your account may read, and settings that an administrator made for everybody",
    "  nothing is sent to a model; what is learned stays in ~/.local/state/promptscope/learned",
)
RUNS = (
    (88, "headless, project, ENABLE_TOOL_SEARCH=auto"),
    (104, 'headless, project, outputStyle = "Learning"'),
    (115, "headless, project, --permission-mode plan"),
    (131, "interactive, project, CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1"),
    (135, "headless, project, --bare"),
    (139, "headless, project, --disallowed-tools Bash"),
)


async def test_picture_of_learning(place: Path) -> None:
    agent = load_agent("claude-code")
    script = script_for(agent)
    assert script is not None
    learning = Learning(agent, script, Client("/usr/local/bin/claude", "2.1.333"))
    ran = tuple(Progress(n, 26, known, 175, 46.0 - 2 * n, title) for n, (known, title) in enumerate(RUNS, 1))
    learning.told = Status(learning.told.title, ANNOUNCED, progress=ran)
    async with running(shared_at(place, agent="claude-code"), (120, 30)) as user:
        await user.app.push_screen(LearnScreen(learning))
        await take("learn", user)
        await take("learn-narrow", user, size=(80, 24))
