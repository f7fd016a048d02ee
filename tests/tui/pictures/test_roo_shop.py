"""The app as pictures: what the README shows is what the app draws.

    PROMPTSCOPE_UPDATE_SCREENSHOTS=1 uv run --group test pytest tests/tui/pictures

makes them again. Clock, machine, home and watcher are frozen, and the paths are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.pictures import compare, take
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running

from promptscope_engine.inputs.scenario import Scenario

PLACE = "promptscope-shop"

pytestmark = pytest.mark.slow

Keys = tuple[str, ...]
OUT = ("escape",)
RESPONSES, COMPLETION = (("ctrl+p", *words, "enter") for words in ("responses: show", "completion: step"))

SHOTS: dict[str, tuple[tuple[int, int], str, Keys, Keys]] = {
    "main": ((140, 40), "promptscope-dark", (), ()),
    "mode": ((140, 40), "promptscope-dark", ("m",), OUT),
    "help": ((100, 40), "promptscope-dark", ("question_mark",), OUT),
    "tools": ((140, 40), "promptscope-dark", ("2", *["down"] * 16), ()),
    "files": ((140, 40), "promptscope-dark", ("3", *["down"] * 6), ()),
    "request": ((140, 40), "promptscope-dark", ("5", "enter"), ("1",)),
    "switch": ((140, 40), "promptscope-dark", ("f", *["down"] * 16), (*OUT, "1")),
    "responses": ((120, 32), "promptscope-dark", (*RESPONSES, *["down"] * 11, "enter"), OUT * 2),
    "completion": (
        (120, 36),
        "promptscope-dark",
        (*COMPLETION, "enter", *["down"] * 8, "enter", *["down"] * 3, "enter"),
        OUT,
    ),
    "completion-narrow": ((80, 30), "promptscope-light", (*COMPLETION, *["down"] * 8, "enter"), OUT),
}
"""Size, theme, the keys that lead there, and those that lead back."""


async def test_pictures(place: Path) -> None:
    async with running(roo_shop_at(place), SHOTS["main"][0], effects=True) as user:
        for name, (size, theme, keys, back) in SHOTS.items():
            user.app.theme = theme
            await take(name, user, keys, size=size, back=back)


@pytest.mark.parametrize(
    ("name", "size", "theme", "keys"),
    [
        ("narrow", (80, 24), "promptscope-dark", ()),
        ("wide", (200, 50), "promptscope-dark", ("G", "up", "up")),
    ],
)
async def test_picture_of_a_fresh_start(place: Path, name: str, size: tuple[int, int], theme: str, keys: Keys) -> None:
    """What scrolls as it does in an app that has just begun in that size."""
    async with running(roo_shop_at(place), size, theme) as user:
        await take(name, user, keys)


@pytest.mark.parametrize(
    ("name", "make", "file"),
    [
        ("claude-code-160", monorepo_at, "CLAUDE.md"),
        ("openclaw-160", openclaw_workspace_at, "SOUL.md"),
    ],
)
async def test_picture_of_each_agent(place: Path, name: str, make: Callable[[Path], Scenario], file: str) -> None:
    """Each agent on a workspace of its own, the cursor on a file: who else reads it is in Why."""
    async with running(make(place), (160, 46), agents=True) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        user.app.main.prompt.goto(next(s.id for s in assembly.sections if s.present and s.title.endswith(file)))
        user.app.main.prompt.action_fold()
        await user.settle()
        compare(name, user.picture())


async def test_picture_of_a_draft(place: Path) -> None:
    roo_shop_at(place)
    task = {"task": "Round as @/src/money.ts says, not as @/.rooignore"}
    async with running(scenario_of(place, params=task), (140, 40)) as user:
        await user.press("d")
        compare("draft", user.picture())


REVIEWER = """---
name: reviewer
description: Reviews a change before it is committed. Use it when a task is done.
tools: Read, Grep, Bash
---
Read the diff, then the files around it.

Say what is wrong, where, and how you would find out. Praise nothing.
"""


@pytest.mark.parametrize(("name", "subagent"), [("agents", None), ("subagent", "reviewer")])
async def test_picture_of_sub_agents(place: Path, name: str, subagent: str | None) -> None:
    """The listing of an ordinary session leads to what an agent of the repository is given."""
    values = monorepo_at(place).to_dict() | {"agent_version": "2.1.330", "env": {}, "params": {"subagent": subagent}}
    file = place / "mono" / ".claude" / "agents" / "reviewer.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(REVIEWER)
    scenario = Scenario.model_validate(values | {"model": "claude-opus-5-5"})
    async with running(scenario, (160, 46)) as user:
        user.app.main.prompt.goto("subagent_prompt" if subagent else "agents")
        user.app.main.prompt.action_fold()
        await user.settle()
        compare(name, user.picture())


async def test_picture_of_an_error(place: Path) -> None:
    roo_shop_at(place)
    async with running(scenario_of(place), (120, 30)) as user:
        user.session.set("diffEnabeld", True)
        await user.settle()
        compare("error", user.picture())
