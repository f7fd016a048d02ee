from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .test_skills import V100, listed, skill

if TYPE_CHECKING:
    from .conftest import Project


def woken(project: Project, *reads: str, **more: Any) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The folders that reads bring up, with the names of their skills, and the new lines of the listing."""
    found = project.materials(more.pop("version", "2.1.330"), reads=list(reads), **more).woken_skills
    lines = {s.shown: "".join(p.text for p in s.spans).split(" — ")[0] for s in found.skills}
    return {folder: sorted(names) for folder, names in found.folders}, lines


def write(project: Project, *paths: str, **more: str) -> None:
    """A skill in each of the folders; reads need a file."""
    project.write({f"workspace/{path}/SKILL.md": skill("d") for path in paths} | more)
    project.write({"workspace/pkg/sub/a.ts": "", "workspace/pkg/a.ts": "", "workspace/b.ts": ""})


def test_a_read_brings_up_the_skills_of_the_folders_above_the_file(project: Project) -> None:
    write(project, "pkg/.claude/skills/one", "pkg/sub/.claude/skills/two", "other/.claude/skills/three")
    folders, lines = woken(project, "pkg/sub/a.ts")
    assert folders == {"pkg/sub": ["two"], "pkg": ["one"]}
    assert lines == {"one": "d (from pkg/.claude/skills", "two": "d (from pkg/sub/.claude/skills"}
    assert woken(project, "b.ts") == woken(project, "pkg/a.ts", version=V100) == ({}, {})
    row = project.file("workspace/pkg/.claude/skills/one/SKILL.md", reads=["pkg/a.ts"])
    assert (row.present, row.why.text) == (
        True,
        "present: listed after reading pkg/a.ts, Read is offered and Skill is offered",
    )


def test_a_name_that_is_taken_gets_its_folder_in_front(project: Project) -> None:
    write(project, ".claude/skills/own", "pkg/.claude/skills/own", "pkg/.claude/skills/help", "pkg/.claude/skills/new")
    _, lines = woken(project, "pkg/a.ts")
    assert lines == {
        "new": "d (from pkg/.claude/skills",
        "pkg:help": "d (scoped to pkg/",
        "pkg:own": "d (scoped to pkg/",
    }


def test_two_folders_with_one_name(project: Project) -> None:
    write(project, "pkg/.claude/skills/s", "pkg/sub/.claude/skills/s")
    _, lines = woken(project, "pkg/sub/a.ts")
    assert lines == {"pkg:s": "d (from pkg/.claude/skills", "pkg/sub:s": "d (from pkg/sub/.claude/skills"}


def test_a_skill_that_waits_is_listed_once_a_file_matches(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/ts/SKILL.md": skill("t", paths="'**/*.ts'"),
            "workspace/.claude/skills/js/SKILL.md": skill("j", paths="'**/*.js'"),
            "workspace/.claude/commands/c.md": skill("c", paths="'**/*.js'"),
        }
    )
    write(project)
    assert listed(project) == {"c": "c"}
    assert woken(project, "b.ts") == ({}, {"ts": "t"})


def test_what_a_read_does_not_bring_up(project: Project) -> None:
    write(project, "pkg/.claude/skills/off", "pkg/.claude/skills/group/deep", "pkg/skills/bare")
    project.write({"workspace/.claude/settings.json": json.dumps({"skillOverrides": {"off": "off"}})})
    assert woken(project, "pkg/a.ts") == ({}, {})


def test_an_ignored_folder_is_left_out(repository: Project) -> None:
    repository.write(
        {
            "workspace/.gitignore": "pkg/\n",
            "workspace/pkg/a.ts": "",
            "workspace/pkg/.claude/skills/s/SKILL.md": skill("d"),
        }
    )
    assert woken(repository, "pkg/a.ts") == ({}, {})


def test_it_is_said_in_a_message_or_to_older_models_in_reminders(project: Project) -> None:
    write(project, "pkg/.claude/skills/one")
    for model, tag in (("claude-opus-5-5", False), ("claude-sonnet-4-5", True)):
        messages = project.assemble(reads=["pkg/a.ts"], model=model).request.messages
        last = messages[-1]
        text = "".join(block["text"] for block in last["content"])
        assert "pkg/.claude/skills:\n- one" in text
        assert "\n- one: d (from pkg/.claude/skills — " in text
        assert ("<system-reminder>" in text) is tag
        assert last["role"] == ("user" if tag else "system")


def test_skills_of_added_directories_whose_names_are_taken(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/s/SKILL.md": skill("own"),
            "x/lib/.claude/skills/s/SKILL.md": skill("x"),
            "y/lib/.claude/skills/s/SKILL.md": skill("y"),
            "workspace/in/.claude/skills/s/SKILL.md": skill("in"),
            ".claude/skills/s/SKILL.md": skill("above"),
        }
    )
    args = {"addDir": ["../x/lib", "../y/lib", "in", ".."]}
    found = {name: text.split(" — ")[0] for name, text in listed(project, params={"args": args}).items()}
    assert found == {
        "s": "own",
        "x/lib:s": "x (scoped to x/lib/",
        "y/lib:s": "y (scoped to y/lib/",
        "in:s": "in (scoped to in/",
    }
