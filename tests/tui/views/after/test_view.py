"""The page of what is left of the prompt later in a session."""

from pathlib import Path

import pytest
from tests.support.repository import write_in_turn
from tests.tui.support.user import running

from promptscope_engine.inputs.scenario import Scenario

FILES = {
    "repo/CLAUDE.md": "Use tabs.\n",
    "repo/src/CLAUDE.md": "Name units.\n",
    "repo/src/a.py": "A = 1\n",
    **{f"repo/f{number}.py": f"{number}\n" for number in range(5)},
    "repo/.claude/skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\nbody\n",
    "home/a": "",
}


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    write_in_turn(tmp_path, FILES)
    reads = ["src/a.py", *(f"f{number}.py" for number in range(5))]
    where = {"workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    return Scenario(agent="claude-code", **where, reads=reads, env={})


async def test_what_returns_and_what_is_lost_is_listed(scenario: Scenario) -> None:
    async with running(scenario) as user:
        await user.press("7")
        user.after.shows("AFTER /COMPACT", "f4.py", "comes back", "src/CLAUDE.md", "── lost", "5 of 5 places")
        user.after.shows("IN EVERY AGENT", "copilot")


async def test_enter_asks_about_the_next_event(scenario: Scenario) -> None:
    async with running(scenario) as user:
        await user.after.row("AFTER /COMPACT").press("enter")
        user.after.shows("AFTER A COMPACTION OF ITS OWN")


async def test_an_invoked_skill_comes_back(scenario: Scenario) -> None:
    async with running(scenario) as user:
        await user.after.row("○ one").press("enter")
        user.after.shows("● one", "The skill one")
        await user.after.row("● one").press("enter")
        user.after.hides("The skill one")


async def test_a_save_moves_a_file_in_the_list(scenario: Scenario) -> None:
    path = Path(scenario.workspace, "src/a.py")
    async with running(scenario) as user:
        await user.press("7")
        assert "lost" in next(line for line in user.after.lines if " src/a.py" in line)
        await user.save(path, "A = 2\n")
        assert "comes back" in next(line for line in user.after.lines if " src/a.py" in line)


async def test_an_agent_whose_later_requests_are_unknown_says_so(scenario: Scenario) -> None:
    async with running(scenario.model_copy(update={"agent": "roo"})) as user:
        await user.press("7")
        user.after.shows("not modelled")
