"""The pictures of the README and the documents: each view with another agent, dark and light."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.support.apps import apps_at
from tests.tui.support.codex_repo import codex_repo_at
from tests.tui.support.monorepo import git, monorepo_at
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.pictures import FOLDER, compare
from tests.tui.support.roo_shop import ENVIRONMENT, roo_shop_at
from tests.tui.support.sent import captured, other_words
from tests.tui.support.user import PATIENCE, User, running

from promptscope_engine.inputs.scenario import Environment, Scenario
from promptscope_tui.themes import DARK, LIGHT
from promptscope_tui.views.compare.sent_rows import PartKey
from promptscope_tui.views.compare.sent_screen import DifferencesScreen

pytestmark = pytest.mark.slow

PLACE = "demo"
SIZE = (140, 40)

DOCUMENTS = (FOLDER.parent / "README.md", *(FOLDER.parent / "docs").glob("*.md"))

VIEWS: dict[str, tuple[Callable[[Path], Scenario], tuple[str, ...]]] = {
    "window": (openclaw_workspace_at, ("4",)),
    "files": (apps_at, ("3", *["down"] * 5)),
}


def claude_at(folder: Path) -> Scenario:
    """The monorepo for the newest version of Claude Code that is modelled."""
    return monorepo_at(folder, agent_version="2.1.330", model="claude-opus-5-5")


async def both(name: str, user: User) -> None:
    """Compare the picture in both themes."""
    for theme, word in ((DARK, "dark"), (LIGHT, "light")):
        user.app.theme = theme.name
        await user.settle_all()
        compare(f"readme-{name}-{word}", user.picture())


@pytest.mark.parametrize("name", VIEWS)
async def test_picture_of_a_view(name: str, place: Path) -> None:
    make, keys = VIEWS[name]
    async with running(make(place), SIZE, effects=True) as user:
        await user.press(*keys)
        await both(name, user)


async def test_picture_of_the_prompt(place: Path) -> None:
    async with running(claude_at(place), SIZE, effects=True) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        user.app.main.prompt.goto(next(s.id for s in assembly.sections if s.present and s.title.endswith("CLAUDE.md")))
        await both("prompt", user)


async def test_picture_of_changes(place: Path) -> None:
    async with running(roo_shop_at(place), SIZE, effects=True) as user:
        file = place / "shop" / ".roo" / "rules-code" / "typescript.md"
        await user.save(file, file.read_text().replace("explicit return types", "explicit return types, and a test"))
        await user.settle_all()
        await user.press("6")
        await both("changes", user)


async def test_picture_of_a_comparison(place: Path) -> None:
    scenario = codex_repo_at(place)
    root = place / "depot"
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Begin")
    rules = root / "AGENTS.md"
    rules.write_text(rules.read_text().replace("Keep shelf 2 in order: scan", "Shelf 2 is locked: ask, then scan"))
    count = root / ".agents" / "skills" / "count" / "SKILL.md"
    count.write_text(count.read_text().replace("before stock is moved", "before and after stock is moved"))
    async with running(scenario, SIZE) as user:
        await user.press("c")
        await user.app.workers.wait_for_complete()
        await user.pause()
        await both("comparison", user)


def own_at(folder: Path) -> Scenario:
    """The example of an agent that a file defines."""
    place = folder / "support"
    shutil.copytree(FOLDER.parent / "examples" / "support", place)
    return Scenario(workspace=str(place), home=str(folder / "home"), env={}, environment=Environment(**ENVIRONMENT))


async def test_picture_of_an_agent_of_ones_own(place: Path) -> None:
    async with running(own_at(place), SIZE, effects=True) as user:
        user.app.main.prompt.goto("memory")
        await both("own", user)


async def test_picture_of_what_was_sent(place: Path) -> None:
    scenario = claude_at(place)
    path = captured(scenario, place / "run.jsonl", other_words)
    async with running(scenario, SIZE) as user:
        user.app.main.captures.open(str(path), differences=True)
        async with asyncio.timeout(PATIENCE):
            while not (
                isinstance(user.app.screen, DifferencesScreen)
                and user.app.screen.found
                and user.app.main.sent_bar.summary
            ):
                await asyncio.sleep(0.02)
                await user.pause()
        screen = user.app.screen
        assert isinstance(screen, DifferencesScreen)
        assert screen.found
        parts = screen.found.verification.parts
        screen.choices.go_to(PartKey(next(at for at, part in enumerate(parts) if part.verdict == "other words")))
        await both("sent", user)


ASKED = (
    "The receipt is one cent off for three items at 0.10. Find out why.",
    "Good. Now the same for discounts.",
    "The test of the till fails on the build machine only.",
    "Write down in CLAUDE.md how amounts are rounded.",
)
DONE = (
    ("Read", "I look at how the total is made."),
    ("Grep", "Every place that rounds."),
    ("Edit", "Amounts stay in cents until they are printed."),
    ("Bash", "The tests of the till."),
    ("Bash", "Once more with the time zone of the build machine."),
)


def conversation_at(folder: Path) -> Path:
    """A transcript of 44 steps that was compacted once and comes near to it again."""
    lines: list[object] = []
    fill = 40_000
    for turn in range(44):
        tool, words = DONE[turn % len(DONE)]
        result = [{"type": "tool_result", "content": "src/till.py: total = sum(amounts)\n" * (45 + 19 * (turn % 7))}]
        asked = ASKED[turn // 11] if turn % 11 == 0 else result
        lines.append({"type": "user", "message": {"role": "user", "content": asked}})
        fill += 2_100 + 1_370 * (turn % 5)
        usage = {"input_tokens": 5, "cache_read_input_tokens": fill - 500, "cache_creation_input_tokens": 400}
        content = [{"type": "text", "text": words}, {"type": "tool_use", "name": tool, "input": {}}]
        message = {"id": f"m{turn}", "role": "assistant", "usage": usage | {"output_tokens": 95}, "content": content}
        lines.append({"type": "assistant", "message": message})
        if fill > 163_000:
            lines.append({"type": "system", "subtype": "compact_boundary"})
            fill = 47_000
    path = folder / "receipts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


async def test_picture_of_a_conversation(place: Path) -> None:
    scenario = monorepo_at(place, agent_version="2.1.330", model="claude-sonnet-4-5")
    async with running(scenario, SIZE, transcript=str(conversation_at(place))) as user:
        await user.settle_all()
        await user.press(*["down"] * 4)
        await both("conversation", user)


def test_the_documents_show_them() -> None:
    """Each in the theme of the page that shows it."""
    texts = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    shown = re.findall(r'(?:src|srcset)="(?:../)?screenshots/([^"]+)"', texts)
    kept = {path.name for path in FOLDER.glob("readme-*.svg") if not path.name.endswith(".seen.svg")}
    assert kept == {name for name in shown if name.startswith("readme-")}
    assert [name for name in shown if not (FOLDER / name).is_file()] == []
