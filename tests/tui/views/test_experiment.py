"""Experiments in the app: keys on a section, the header, undo, the comparison, a save that takes a section away."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, running, settled
from textual.pilot import Pilot
from textual.widgets import TextArea

from promptscope_engine.inputs.scenario import load_scenario
from promptscope_tui.app import PromptscopeApp
from promptscope_tui.session.saving import save_scenario
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.views.experiment import ExperimentScreen

pytestmark = pytest.mark.slow


async def _press(app: PromptscopeApp, pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    await settled(app, pilot)


async def test_a_section_is_edited_dropped_and_moved(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        first = app.session.snapshot.assembly
        assert first
        app.main.prompt.goto("objective")
        await _press(app, pilot, "E")
        assert isinstance(app.screen, ExperimentScreen)
        assert app.screen.query_one(TextArea).text.startswith("====\n\nOBJECTIVE")
        app.screen.query_one(TextArea).text = "Do it."
        await _press(app, pilot, "ctrl+s")
        app.main.prompt.goto("capabilities")
        await _press(app, pilot, "alt+up")
        app.main.prompt.goto("rules")
        await _press(app, pilot, "D")
        now = app.session.snapshot
        assert now.assembly
        assert [edit.kind for edit in now.scenario.edits] == ["replace", "move", "drop"]
        assert "Do it." in now.assembly.system_text
        assert "\n\nRULES\n" not in now.assembly.system_text
        assert first.tokens.expected is not None
        assert now.assembly.tokens.expected is not None
        assert app.main.header.edited == f"edited, −{first.tokens.expected - now.assembly.tokens.expected:,}"

        await _press(app, pilot, "c")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, CompareScreen)
        assert app.screen.sides == ("unedited", "now")
        assert "RULES" in app.screen.choices.plain
        await _press(app, pilot, "escape")

        target = save_scenario(now.scenario, tmp_path / "saved.yaml")
        assert load_scenario(target).edits == now.scenario.edits

        await _press(app, pilot, "u", "u", "u")
        assert app.main.header.edited == ""
        assert app.session.snapshot.assembly
        assert app.session.snapshot.assembly.to_dict() == first.to_dict()


async def test_an_edit_whose_section_is_gone_is_kept_and_marked(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        shown = app.session.snapshot.assembly
        assert shown
        section = next(s for s in shown.sections if s.present and "testing.md" in s.id)
        app.main.prompt.goto(section.id)
        await _press(app, pilot, "D")
        rule = tmp_path / "shop" / ".roo" / "rules" / "testing.md"
        text = rule.read_text()
        rule.unlink()
        await _press(app, pilot, "r")
        now = app.session.snapshot
        assert now.error is None
        assert now.assembly
        assert len(now.scenario.edits) == 1
        assert "edit-without-place" in {found.code for found in now.assembly.diagnostics}
        rule.write_text(text)
        await _press(app, pilot, "r")
        assert app.session.snapshot.assembly
        assert section.text not in app.session.snapshot.assembly.system_text
        assert app.session.snapshot.assembly.edited


async def test_without_a_section_a_note_says_what_is_needed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        await _press(app, pilot, "4", "E")
        assert app.main.status.note == "go to a section of the prompt or to a tool first"
        assert not app.session.snapshot.scenario.edits
