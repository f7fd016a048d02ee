from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conftest import Project


def test_precedence(project: Project) -> None:
    project.write(
        {
            "home/.claude/settings.json": json.dumps({"language": "german", "model": "opus"}),
            "workspace/.claude/settings.json": json.dumps({"language": "french"}),
            "workspace/.claude/settings.local.json": json.dumps({"language": "spanish"}),
        }
    )
    assert project.materials().language.value == "spanish"
    assert project.materials(params={"settings": {"language": "italian"}}).language.value == "italian"
    assert project.materials().model.id == "claude-opus-5-5"
    project.write({"managed/managed-settings.json": json.dumps({"language": "dutch"})})
    project.workspace.forget([str(project.root / "managed/managed-settings.json")])
    assert project.materials(params={"settings": {"language": "italian"}}).language.value == "dutch"


def test_lists_are_joined_and_objects_merged(project: Project) -> None:
    project.write(
        {
            "home/.claude/settings.json": json.dumps({"permissions": {"deny": ["Edit"], "allow": ["Read"]}}),
            "workspace/.claude/settings.json": json.dumps({"permissions": {"deny": ["WebSearch", "Edit"]}}),
        }
    )
    denied = [(rule.value, rule.source.shown, rule.source.line) for rule in project.materials().denied]
    assert denied == [("Edit", "~/.claude/settings.json", 1), ("WebSearch", ".claude/settings.json", 1)]


def test_setting_sources_leave_files_out(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{"language": "french"}'})
    args = {"args": {"settingSources": "user"}}
    assert project.materials(params=args).language.value == ""
    file = project.file("workspace/.claude/settings.json", params=args)
    assert not file.present
    assert file.why.levers[0].param == "args.settingSources"


def test_bad_json_is_a_diagnostic_with_its_line(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{\n"language": ]\n}'})
    found = [d for d in project.assemble().diagnostics if d.code == "bad-settings"]
    assert [(d.line, d.severity) for d in found] == [(2, "warning")]


def test_settings_that_are_no_object(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": "[1]", "home/.claude/settings.json": "[" * 100_000})
    codes = [d.code for d in project.assemble().diagnostics]
    assert codes.count("bad-settings") == 2


def test_the_language_keeps_its_line(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{\n  "language": "french"\n}'})
    section = project.assemble().section("language")
    assert section is not None
    origin = next(f.origin for f in section.fragments if f.text == "french")
    assert (origin.kind, origin.start_line) == ("file", 2)


def test_settings_set_variables(project: Project) -> None:
    project.write(
        {
            "workspace/CLAUDE.md": "x",
            "workspace/.claude/settings.json": '{"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}}',
        }
    )
    assert project.loaded() == []
