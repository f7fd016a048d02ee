"""Skills: where they lie, which of them are listed, and what is said of them (specs/gemini.md 10)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    MANIFEST,
    SETTINGS,
    SKILL,
    Project,
    rows,
    said,
    text_of,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("make", "notes"),
    [
        (lambda path: path.write_text(SKILL.format("a", "d")), []),
        (lambda path: path.write_text("no head"), ["no skill: it does not begin with front matter"]),
        (
            lambda path: path.write_text("---\nname: a\n---\n"),
            ["no skill: its front matter has no name or no description"],
        ),
        (lambda path: path.symlink_to("nowhere"), []),
        (lambda path: path.mkdir(), []),
    ],
)
def test_what_is_said_of_a_skill(project: Project, make: Any, notes: list[str]) -> None:
    folder = project.root / "home/.gemini/skills/a"
    folder.mkdir(parents=True)
    make(folder / "SKILL.md")
    found = project.gathered()
    assert said(project, "bad-skill") == [("home/.gemini/skills/a/SKILL.md", 1, note) for note in notes]
    assert rows(project, "skill") == ["home/.gemini/skills/a/SKILL.md"]
    whys = [draft.when.evaluate(found.facts).text for draft in found.files if draft.kind == "skill"]
    assert not notes or whys == [notes[0].removeprefix("no skill: ")]


def test_where_skills_are_looked_for(project: Project) -> None:
    names = ["SKILL.md", "b/SKILL.md", "b/c/SKILL.md", ".d/SKILL.md", "e.md", "f/skill.md"]
    folders = ["home/.gemini/skills", "home/.agents/skills", "workspace/.gemini/skills", "workspace/.agents/skills"]
    project.write({f"{folder}/{name}": SKILL.format("x", "d") for folder in folders for name in names})
    taken = [f"{folder}/{name}" for folder in folders for name in names[:2]]
    reasons = {name: project.file(f"{folders[2]}/{name}").why.text for name in (names[2], *names[4:])}
    assert [path for path in rows(project, "skill") if path in taken] == taken
    assert reasons["b/c/SKILL.md"].startswith("absent: not read: it is too deep: a skill is a folder directly in")
    assert reasons["e.md"] == "absent: not read: a skill is a folder with a SKILL.md in it"
    assert reasons["f/skill.md"] == "absent: not read: only the name SKILL.md counts (this is skill.md)"
    at_home = rows(project, "skill", workspace=project.home)
    assert [path for path in at_home if path in taken] == taken[:4]


def test_the_skills_of_a_folder_are_listed_backwards(project: Project) -> None:
    names = ["1", "10", "2", "A", "B", "_x", "a-b", "a_", "b", "z"]
    project.write({f"workspace/.gemini/skills/{name}/SKILL.md": SKILL.format(name, "d") for name in names})
    found = [skill.name for skill in project.gathered().materials.skills if "/bundle/" not in skill.location]
    assert found == names[::-1]


@pytest.mark.parametrize(
    ("disabled", "files", "lever"),
    [(["X"], None, []), (["y", "x"], None, ["y"]), (["y"], ["x"], None), (["x"], ["x"], None)],
)
def test_what_would_bring_a_disabled_skill_back(
    project: Project, disabled: list[str], files: list[str] | None, lever: list[str] | None
) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    if files:
        project.write({SETTINGS: json.dumps({"skills": {"disabled": files}})})
    row = project.file("home/.gemini/skills/x/SKILL.md", settings={"skills": {"disabled": disabled}})
    assert [each.value for each in row.why.levers] == ([] if lever is None else [lever])


@pytest.mark.parametrize(
    ("head", "entry"),
    [
        ("---\nname: x\ndescription: a\n---\n", ("x", "a")),
        ("---\nname: x\ndescription: a: b\n---", ("x", "a: b")),
        ("---\nname: 123\ndescription: [a]\n  more\n---\n", ("123", "[a] more")),
        ("---\r\nname: a/b:c\r\ndescription: ''\r\n---\r\n", ("a-b-c", "")),
        ("---\nname: x\ndescription: >\n  a\n  b\n---\n", ("x", "a b\n")),
        ("---\nname: x\ndescription: a\n---and more", ("x", "a")),
        ("---\nname: ''\ndescription: a\n---\n", ("", "a")),
        ("---\nname:\ndescription:\n  a\n---\n", ("", "a")),
        ('---\nname: x\ndescription: "a\\n\\n\\n\\nb"\n---\n', ("x", "a\n\nb")),
        ("\ufeff---\nname: x\ndescription: a\n---\n", None),
        ("\n---\nname: x\ndescription: a\n---\n", None),
        ("---\nname: x\n---\n", None),
        ("---\ndescription: x\n---\n", None),
    ],
)
def test_the_head_of_a_skill(project: Project, head: str, entry: tuple[str, str] | None) -> None:
    project.write({"home/.gemini/skills/d/SKILL.md": head})
    assembly = project.assemble()
    text = text_of(assembly, "skills")
    if entry is None:
        assert text.count("<skill>") == 2
        row = next(f for f in assembly.files if f.kind == "skill")
        assert not row.present
        assert row.why.remedy
    else:
        assert (
            f"    <name>{entry[0]}</name>\n    <description>{entry[1]}</description>\n    <location>{project.home}"
            in text
        )


def test_a_later_skill_takes_the_place_of_an_earlier_one(project: Project) -> None:
    project.write({"home/.gemini/skills/a/SKILL.md": SKILL.format("a", "first")})
    project.write({"home/.gemini/skills/b/SKILL.md": SKILL.format("b", "second")})
    project.write({"workspace/.gemini/skills/x/SKILL.md": SKILL.format("a", "third")})
    assembly = project.assemble()
    text = text_of(assembly, "skills")
    assert text.index(">second<") < text.index(">third<")
    assert ">first<" not in text
    row = next(file for file in assembly.files if file.path.endswith("skills/a/SKILL.md"))
    assert "replaces it" in row.why.text


@pytest.mark.parametrize(
    ("settings", "skills"),
    [({}, 3), ({"disabled": ["X", "Skill-Creator"]}, 1), ({"enabled": False}, 0), ({"disabled": ["nope"]}, 3)],
)
def test_skills_are_switched_off(project: Project, settings: dict[str, Any], skills: int) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    assembly = project.assemble(settings={"skills": settings})
    assert text_of(assembly, "skills").count("<skill>") == skills
    assert ("`activate_skill`" in text_of(assembly, "core_mandates")) is (skills > 0)


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_so_many_skills_are_read(project: Project, over: int) -> None:
    names = [f"x{number:04}" for number in range(500 + over)]
    project.write({f"home/.gemini/skills/{name}/SKILL.md": SKILL.format(name, "d") for name in names})
    found = project.gathered()
    assert len([draft for draft in found.files if draft.kind == "skill"]) == min(500, len(names))
    notes = [each.message for each in found.diagnostics if each.code == "too-many-files"]
    assert notes == ["500 skills are read; the others are left out"] * (over > 0)


@pytest.mark.parametrize(
    ("description", "text", "line"),
    [("plain", "plain", 3), ("in ${extensionPath}", "in {}", None), ("in ${workspacePath}", "in {cwd}", None)],
)
def test_the_description_of_an_extensions_skill(
    project: Project, description: str, text: str, line: int | None
) -> None:
    folder = "home/.gemini/extensions/e"
    project.write(
        {MANIFEST.format("e"): '{"name": "e"}', f"{folder}/skills/x/SKILL.md": SKILL.format("x", description)}
    )
    [skill] = [skill for skill in project.gathered().materials.skills if "/bundle/" not in skill.location]
    shown = text.format(f"{project.root}/{folder}", cwd=project.cwd)
    assert [(piece.text, piece.origin.start_line) for piece in skill.pieces] == [(shown, line)]
