"""Another agent for the same workspace, and back: nothing of one agent's is left on the other's screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.session.history import switched
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.views.bars.top import Header
from promptscope_tui.views.prompt.panels import ABSENT_PARTS, BESIDE
from promptscope_tui.views.subjects import BlockSubject, FileSubject

pytestmark = pytest.mark.slow

AGENTS = ("roo", "openclaw", "claude-code")


async def choose(user: User, words: str) -> Snapshot:
    """Choose an agent by typing in its picker."""
    await user.press("a", *words.replace(" ", "-"), "enter")
    return await user.settle()


def test_a_model_goes_along_by_the_name_that_each_agent_gives_it() -> None:
    there = switched(Scenario(agent="roo", model="claude-sonnet-4-5"), load_agent("opencode"), "1.18.33", None)
    assert there.model == "anthropic/claude-sonnet-4-5"
    assert switched(there, load_agent("codex"), "0.169.0", None).model == "claude-sonnet-4-5"


def test_only_a_model_that_every_agent_knows_goes_along() -> None:
    now = Scenario(agent="roo", mode="code", params={"diffEnabled": False}, model="claude-sonnet-4-5", reads=["a"])
    there = switched(now, load_agent("openclaw"), "2026.2.24", None)
    assert (there.agent, there.mode, there.params, there.model) == ("openclaw", None, {}, "claude-sonnet-4-5")
    assert there.reads == ["a"]
    alias = now.model_copy(update={"model": "opus"})
    assert switched(alias, load_agent("openclaw"), "2026.2.24", None).model is None
    back = switched(there, load_agent("roo"), "3.28.16", alias)
    assert (back.mode, back.params, back.model) == ("code", {"diffEnabled": False}, "opus")


async def test_params_stay_with_their_agent_and_come_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.session.set("diffEnabled", False)
        await user.settle()
        there = await choose(user, "openclaw")
        assert there.error is None
        assert there.scenario.params == {}
        assert there.baseline is None or there.compared is None
        back = await choose(user, "roo")
        assert (back.scenario.params, back.scenario.mode) == ({"diffEnabled": False}, "code")
        await user.press("u")
        assert (await user.settle()).scenario.agent == "openclaw"


async def test_every_tab_shows_the_new_agent(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 36)) as user:
        for tab, agent in zip("246", ("claude-code", "openclaw", "roo"), strict=True):
            await user.press(tab)
            snapshot = await choose(user, agent)
            assembly = snapshot.assembly
            assert assembly is not None
            assert snapshot.error is None
            assert assembly.agent == agent
            assert assembly.agent_version in user.app.main.query_one(Header).plain
            for each in "123456":
                await user.press(each)
            sections = {s.id for s in assembly.sections}
            assert {panel.id for panel in user.app.main.prompt.rows.panels.all} - {BESIDE, ABSENT_PARTS} == sections
            slugs = [mode.slug for mode in assembly.modes]
            assert all(slug in user.app.main.controls.switches.plain for slug in slugs)
            user.why.hides("no longer in this prompt")


async def test_a_version_of_the_same_agent_keeps_everything(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await choose(user, "claude")
        user.session.set("model", "opus")
        user.session.set("args.print", True)
        await user.settle()
        user.session.choose_agent("claude-code", "2.1.100")
        snapshot = await user.settle()
        assert snapshot.assembly is not None
        assert snapshot.assembly.agent_version == "2.1.100"
        assert snapshot.assembly.model == "claude-opus-4-6"
        assert snapshot.scenario.params == {"args": {"print": True}}


async def test_the_agents_own_names_of_models_are_offered(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await choose(user, "claude")
        await user.press("M", *"haiku", "enter")
        snapshot = await user.settle()
        assert snapshot.assembly is not None
        assert snapshot.scenario.model == "haiku"
        assert snapshot.assembly.model == "claude-haiku-5-5"


async def test_claude_codes_request_shows_roles_and_breakpoints(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await choose(user, "claude")
        await user.press("5")
        for _ in range(20):
            if "◆ cached up to" in user.request.text:
                break
            await user.settle()  # the counts behind a breakpoint come from the worker
        plain = user.request.text
        assert "user " in plain
        assert "◆ cached up to" in plain
        user.app.main.pages.request.go_to(BlockSubject("system", 2))
        await user.pause()
        user.why.shows("CONTAINS")


async def test_why_tells_of_the_other_agents_and_of_repeats(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    line = "- Never write JSON by hand in this repository.\n- Ask before you change a price, a tax or a currency.\n" * 2
    for name in ("AGENTS.md", ".roo/rules/general.md"):
        with (tmp_path / "shop" / name).open("a") as file:
            file.write(line)
    async with running(scenario, effects=True) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        path = next(f.path for f in assembly.files if f.path.endswith("AGENTS.md"))
        await user.press("3")
        user.app.main.pages.files.go_to(FileSubject(path))
        await user.pause()
        await user.settle()
        user.why.shows("OpenClaw     ✓ yes", "Claude Code  ", "DUPLICATES", "tok duplicated")
