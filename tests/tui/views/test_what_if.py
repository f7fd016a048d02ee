"""Experiments in the app: keys on a section, the header, undo, the comparison, a save that takes a section away."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running
from textual.widgets import TextArea

from promptscope_engine.inputs.scenario import load_scenario
from promptscope_tui.session.saving import save_scenario
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.views.what_if import ExperimentScreen

pytestmark = pytest.mark.slow


async def _press(user: User, *keys: str) -> None:
    for key in keys:
        await user.press(key)
    await user.settle()


async def test_a_section_is_edited_dropped_and_moved(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        first = user.session.snapshot.assembly
        assert first
        user.app.main.prompt.goto("objective")
        await _press(user, "E")
        assert isinstance(user.app.screen, ExperimentScreen)
        assert user.app.screen.query_one(TextArea).text.startswith("====\n\nOBJECTIVE")
        user.app.screen.query_one(TextArea).text = "Do it."
        await _press(user, "ctrl+s")
        user.app.main.prompt.goto("capabilities")
        await _press(user, "alt+up")
        user.app.main.prompt.goto("rules")
        await _press(user, "D")
        now = user.session.snapshot
        assert now.assembly
        assert [edit.kind for edit in now.scenario.edits] == ["replace", "move", "drop"]
        assert "Do it." in now.assembly.system_text
        assert "\n\nRULES\n" not in now.assembly.system_text
        assert first.tokens.expected is not None
        assert now.assembly.tokens.expected is not None
        assert user.app.main.header.edited == f"edited, −{first.tokens.expected - now.assembly.tokens.expected:,}"

        await _press(user, "c")
        await user.app.workers.wait_for_complete()
        await user.pause()
        assert isinstance(user.app.screen, CompareScreen)
        assert user.app.screen.sides == ("unedited", "now")
        assert "RULES" in user.app.screen.choices.plain
        await _press(user, "escape")

        target = save_scenario(now.scenario, tmp_path / "saved.yaml")
        assert load_scenario(target).edits == now.scenario.edits

        await _press(user, "u", "u", "u")
        assert user.app.main.header.edited == ""
        assert user.session.snapshot.assembly
        assert user.session.snapshot.assembly.to_dict() == first.to_dict()


async def test_an_edit_whose_section_is_gone_is_kept_and_marked(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        shown = user.session.snapshot.assembly
        assert shown
        section = next(s for s in shown.sections if s.present and "testing.md" in s.id)
        user.app.main.prompt.goto(section.id)
        await _press(user, "D")
        rule = tmp_path / "shop" / ".roo" / "rules" / "testing.md"
        text = rule.read_text()
        rule.unlink()
        await _press(user, "r")
        now = user.session.snapshot
        assert now.error is None
        assert now.assembly
        assert len(now.scenario.edits) == 1
        assert "edit-without-place" in {found.code for found in now.assembly.diagnostics}
        rule.write_text(text)
        await _press(user, "r")
        assert user.session.snapshot.assembly
        assert section.text not in user.session.snapshot.assembly.system_text
        assert user.session.snapshot.assembly.edited


async def test_without_a_section_a_note_says_what_is_needed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        await _press(user, "4", "E")
        assert user.note == "go to a section of the prompt or to a tool first"
        assert not user.scenario.edits
