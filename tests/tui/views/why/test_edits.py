"""What the app says of the files that a mode may edit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import inputs_of, roo_shop_at, texts
from tests.tui.support.user import running

from promptscope_engine import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.editable import find_editable
from promptscope_engine.prompt.model import FileLimit, ModeChoice, SettingSource
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.words import edits_only
from promptscope_tui.views.subjects import Subject, SwitchSubject, ToolSubject
from promptscope_tui.views.what_if import MayEdit
from promptscope_tui.views.why.pages import why_page
from promptscope_tui.widgets.row_list import RowList

PATTERN = r"\.md$"


def snapshot_of(folder: Path) -> Snapshot:
    """The shop in a mode with a pattern, its files found out."""
    scenario = roo_shop_at(folder).with_value("mode", "architect")
    workspace = Workspace()
    assembly = assemble(scenario, workspace, cached_only=True)
    mode = next(mode for mode in assembly.modes if mode.slug == "architect")
    editable = find_editable(*resolve(scenario, workspace), workspace, mode)
    return Snapshot(scenario, assembly, editable=editable)


def test_the_pages_of_a_mode_and_its_tools_list_the_files(tmp_path: Path) -> None:
    now = snapshot_of(tmp_path)

    def page(subject: Subject, snapshot: Snapshot = now) -> str:
        return "\n".join(texts(why_page(subject, snapshot, inputs_of(tmp_path)).rows))

    for subject in (
        ToolSubject("write_to_file"),
        SwitchSubject("mode"),
        SwitchSubject("mode", json.dumps("architect")),
    ):
        text = page(subject)
        said = ("WHICH FILES IT MAY EDIT", PATTERN, "Markdown files only", "· AGENTS.md")
        assert [word for word in said if word not in text] == []
    for subject in (ToolSubject("generate_image"), ToolSubject("read_file"), SwitchSubject("mode", json.dumps("code"))):
        assert "WHICH FILES" not in page(subject)
    assert "… computing" in page(ToolSubject("write_to_file"), replace(now, editable=None))


def test_one_line_says_what_a_mode_edits(tmp_path: Path) -> None:
    assembly = snapshot_of(tmp_path).assembly
    assert assembly is not None
    said = {mode.slug: edits_only(mode) for mode in assembly.modes}
    assert said["architect"] == r"edits only files that match \.md$ (Markdown files only), built in"
    assert (said["code"], said["ask"]) == ("edits any file", "edits no file")
    source = SettingSource("fileRegex", ".roomodes", ".roomodes", 8)
    own = ModeChoice("w", "W", ("edit",), "project", FileLimit("^a", source=source))
    assert edits_only(own) == "edits only files that match ^a, .roomodes:8"


@pytest.mark.slow
async def test_a_typed_path_is_answered_at_once(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path).with_value("mode", "architect")) as user:
        await user.press("W")
        assert isinstance(user.app.screen, MayEdit)
        await user.settle()
        await user.press(*"a.ts")
        answer, files = (user.app.screen.query_one(f"#may-edit-{part}", RowList) for part in ("answer", "files"))
        assert "a.ts: no" in answer.plain
        assert PATTERN in answer.plain
        assert "files match" in files.plain
        assert "AGENTS.md" not in files.plain
        await user.press("escape")
        assert not isinstance(user.app.screen, MayEdit)
        await user.press("m")
        modes = user.app.screen.query_one(RowList).plain.splitlines()
        assert any("architect" in line and PATTERN in line for line in modes)
