"""Hooks and mods in the app: rows of Files, pages of Why, and the words on what a mod may rewrite."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import scenario_of, texts

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import OpenSource, Snapshot
from promptscope_tui.views.files.records import FilesShown
from promptscope_tui.views.files.rows import file_rows
from promptscope_tui.views.prompt.panels import Panels
from promptscope_tui.views.subjects import Cursor, ProgramSubject, Subject
from promptscope_tui.views.under_cursor import place
from promptscope_tui.views.why.pages import why_page

MOD = ".claude/skills/quiet/hooks/quiet.js"


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    scenario = scenario_of(tmp_path, agent="claude-code", mode=None, model=None)
    repo = Path(str(scenario.workspace))
    hook = {"matcher": "startup", "hooks": [{"type": "command", "command": "echo \x1b[31mhello"}]}
    files = {
        "CLAUDE.md": "Use tabs.\n",
        ".claude/settings.json": json.dumps({"hooks": {"SessionStart": [hook]}}),
        ".claude/skills/quiet/.claude-plugin/plugin.json": '{"name": "quiet"}',
        ".claude/skills/quiet/hooks/hooks.json": '{"modules": ["./quiet.js"]}',
        MOD: "export const register = (on) => {\n  on('prompt.context', ($, e, next) => next(e))\n}\n",
    }
    for name, text in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text, "utf-8")
    trust = {"projects": {str(repo): {"hasTrustDialogAccepted": True}}}
    Path(str(scenario.home)).mkdir(exist_ok=True)
    (Path(str(scenario.home)) / ".claude.json").write_text(json.dumps(trust), "utf-8")
    return Snapshot(scenario, assemble(scenario))


def assembly_of(snapshot: Snapshot) -> Assembly:
    assert snapshot.assembly is not None
    return snapshot.assembly


def rows_of(snapshot: Snapshot) -> dict[Hashable, str]:
    rows = file_rows(FilesShown(assembly_of(snapshot)), 140)
    return {row.key: text for row, text in zip(rows, texts(rows), strict=True)}


def why(snapshot: Snapshot, subject: Subject) -> str:
    inputs = AgentInputs.of(load_agent("claude-code"), snapshot.scenario)
    return "\n".join(texts(why_page(subject, snapshot, inputs).rows))


def index_of(snapshot: Snapshot, kind: str) -> int:
    return next(n for n, each in enumerate(assembly_of(snapshot).programs) if each.kind == kind)


def test_files_lists_hooks_and_mods_with_their_places(snapshot: Snapshot) -> None:
    rows = rows_of(snapshot)
    hook, mod = (rows[ProgramSubject(index_of(snapshot, kind))] for kind in ("hook", "mod"))
    assert "SessionStart  .claude/settings.json:1" in hook
    assert f"quiet@skills-dir  prompt.context  {MOD}:2" in mod
    assert "\x1b" not in hook


def test_why_says_what_a_hook_adds_and_where_a_mod_is(snapshot: Snapshot) -> None:
    hook, mod = (ProgramSubject(index_of(snapshot, kind)) for kind in ("hook", "mod"))
    assert "into the prompt" in why(snapshot, hook)
    assert "from the outermost" in why(snapshot, mod)
    found = place(mod, snapshot)
    assert isinstance(found, OpenSource)
    assert found.path.endswith(MOD)
    assert found.line == 2


def test_a_part_that_a_mod_may_rewrite_says_so(snapshot: Snapshot) -> None:
    panels = Panels(assembly_of(snapshot)).by_id
    assert panels["user_context"].summary.startswith("before mods")
    assert "before mods" not in panels["intro"].summary
    assert "quiet@skills-dir" in why(snapshot, Cursor("user_context"))
    assert "quiet@skills-dir" not in why(snapshot, Cursor("intro"))


def test_one_that_is_gone_has_no_page(snapshot: Snapshot) -> None:
    assert "no longer" in why(snapshot, ProgramSubject(999))
