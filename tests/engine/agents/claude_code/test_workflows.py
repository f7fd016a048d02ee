"""Saved workflows in the list of skills, as the client was asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from .prompts import section

if TYPE_CHECKING:
    from .conftest import Project

AT = "workspace/.claude/workflows"


def script(name: str, description: str, more: str = "") -> str:
    return f"export const meta = {{name: '{name}', description: '{description}'{more}}}\nlog('x')\n"


def listed(project: Project, **args: Any) -> list[str]:
    found = project.assemble(params={"args": {"print": True, **args}})
    lines = section(found, "skills").text.split("\n")
    return [line for line in lines if "ZQ" in line]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (script("w", "ZQw"), "- w: ZQw"),
        (script("other", "ZQw"), "- other: ZQw"),
        (script("My Flow", "ZQ <b>"), "- My Flow: ZQ <b>"),
        (script("w", "ZQw", ", whenToUse: 'when it rains'"), "- w: ZQw - when it rains"),
        ("export const meta = {name: `w`, description: `ZQw`}\nlet (\n", "- w: ZQw"),
        ('// a\n/* b */\nexport const meta = {\n  "name": "w",\n  "description": "ZQw it\'s",\n}\n', "- w: ZQw it's"),
        ("export const meta = {name: 'w', description: 'ZQ}w', phases: [{title: 'a'}]}\n", "- w: ZQ}w"),
    ],
)
def test_a_script_that_says_what_it_is(project: Project, text: str, line: str) -> None:
    project.write({f"{AT}/w.js": text})
    assert listed(project) == [line]


@pytest.mark.parametrize(
    "text",
    [
        "export const meta = {name: 'w'}\n// ZQ",
        "export const meta = {description: 'ZQ'}\n",
        "// ZQ\nlog('x')\n",
        "const d = 'ZQ'\nexport const meta = {name: 'w', description: d}\n",
        "export const meta = {name: 'w', description: 'ZQ' + 'w'}\n",
        "const x = 1\nexport const meta = {name: 'w', description: 'ZQ'}\n",
        "export let meta = {name: 'w', description: 'ZQ'}\n",
        "export const meta = {name: 'w', description: `ZQ${1}`}\n",
        "export const meta = {name: 'w', description: 'ZQ'",
    ],
)
def test_a_script_that_does_not(project: Project, text: str) -> None:
    project.write({f"{AT}/w.js": text})
    assert listed(project) == []


def test_only_js_in_the_folder_itself_counts(project: Project) -> None:
    project.write({f"{AT}/{name}": script("w", "ZQw") for name in ("w.ts", "w.mjs", "w.cjs", "sub/w.js")})
    assert listed(project) == []


def test_a_projects_come_before_the_users_and_skills_before_both(project: Project) -> None:
    project.write(
        {
            f"{AT}/b.js": script("b", "ZQb"),
            f"{AT}/a.js": script("a", "ZQa"),
            "home/.claude/workflows/a.js": script("a", "ZQhome"),
            "home/.claude/workflows/c.js": script("c", "ZQc"),
            f"{AT}/s.js": script("s", "ZQscript"),
            "workspace/.claude/skills/s/SKILL.md": "---\ndescription: ZQskill\n---\n",
        }
    )
    assert listed(project) == ["- s: ZQskill", "- a: ZQa", "- b: ZQb", "- c: ZQc"]


def test_switches_take_them_away(project: Project) -> None:
    project.write({f"{AT}/w.js": script("w", "ZQw"), "home/.claude/settings.json": '{"disableWorkflows": true}'})
    assert listed(project) == []
    project.write({"home/.claude/settings.json": '{"permissions": {"deny": ["Workflow"]}}'})
    project.workspace.forget(project.workspace.asked)
    assert listed(project) == ["- w: ZQw"]
    assert listed(project, settingSources="user") == []


def test_one_that_is_typed_says_how_it_is_called(project: Project) -> None:
    project.write({f"{AT}/w.js": script("w", "ZQw")})
    found = project.assemble(params={"args": {"print": True}, "prompt": "/w to the end"})
    said = json.dumps(found.request.messages)
    assert json.dumps('Workflow({ name: "w", args: "to the end" })')[1:-1] in said
    assert "ZQw" in section(found, "prompt").text
