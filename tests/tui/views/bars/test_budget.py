"""What was assumed of the start: a click, or enter, shows the opposite."""

from __future__ import annotations

from pathlib import Path

from tests.support.repository import write
from tests.tui.support.user import running

from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.views.bars.budget import AssumedBar

LONG = "cannot start nonexistent: No such file or directory; set $VISUAL or $EDITOR"


async def test_enter_shows_the_untrusted_start_and_then_the_headless_one(tmp_path: Path) -> None:
    write(tmp_path, {"repo/GEMINI.md": "Be kind.\n", "home/.profile": ""})
    folders = {"workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    async with running(Scenario(agent="gemini", env={}, attended=True, **folders)) as user:
        bar = user.app.main.query_one(AssumedBar)
        assert bar.plain.strip() == "assumed: interactive, trusted   enter the untrusted start"
        bar.focus()
        await user.press("enter")
        assert bar.plain.strip() == "assumed: interactive   enter the headless start"
        await user.press("enter")
        assert not bar.display
        await user.press("u", "u")
        assert "trusted" in bar.plain
