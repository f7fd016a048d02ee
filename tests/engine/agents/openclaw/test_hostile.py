"""Workspaces that somebody made to break the reader: each is answered, with a diagnostic, and before long."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.limit import limited

from promptscope_engine.prompt.model import Assembly, SourceFile

from .conftest import Claw

pytestmark = pytest.mark.slow

SECONDS = 20
"""A hang is endless; the slowest of these takes two seconds on a busy machine."""


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    """Whatever hangs fails."""
    with limited(SECONDS):
        yield


def skill(name: str, description: str = "Does it.", more: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{more}---\nBody.\n"


def source(assembly: Assembly, end: str) -> SourceFile:
    return next(file for file in assembly.files if file.path.endswith(end))


def test_ten_thousand_skill_folders(claw: Claw, place: Path) -> None:
    for number in range(10_000):
        folder = place / "workspace" / "skills" / f"s{number:05}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill(folder.name))
    assembly = claw()
    skills = [file for file in assembly.files if file.kind == "skill"]
    # the limits of characters and of names, of which the first is reached first in a folder with a long path
    assert 100 < len([file for file in skills if file.present]) <= 150
    assert len(skills) == 200
    assert any("10,000 folders, of which 200 are looked into" in d.message for d in assembly.diagnostics)


def test_links_that_loop(claw: Claw, place: Path) -> None:
    folder = place / "workspace" / "skills" / "loop"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill("loop"))
    for name in "abcd":
        (folder / name).symlink_to(folder, target_is_directory=True)
    (place / "workspace" / "SOUL.md").symlink_to(place / "workspace" / "SOUL.md")
    assembly = claw()
    assert source(assembly, "skills/loop/SKILL.md").present
    assert any("looked into already" in d.message and d.path == str(folder / "a") for d in assembly.diagnostics)
    assert not source(assembly, "SOUL.md").present
    assert any(d.path == str(place / "workspace" / "SOUL.md") for d in assembly.diagnostics)


def test_a_deep_tree_below_a_skill(claw: Claw, place: Path) -> None:
    folder = place / "workspace" / "skills" / "deep"
    inner = folder
    for _ in range(200):
        inner = inner / "d"
    inner.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill("deep"))
    (inner / "SKILL.md").write_text(skill("too-deep"))
    assembly = claw()
    assert source(assembly, "skills/deep/SKILL.md").present
    assert any("16 deep" in d.message and (d.path or "").startswith(str(folder)) for d in assembly.diagnostics)


def test_folders_that_multiply_by_links(claw: Claw, place: Path) -> None:
    root = place / "workspace" / "skills" / "many"
    root.mkdir(parents=True)
    (root / "SKILL.md").write_text(skill("many"))
    for level in range(14):
        (root / f"l{level}").mkdir()
    for level in range(13):
        for name in "abc":
            (root / f"l{level}" / name).symlink_to(root / f"l{level + 1}", target_is_directory=True)
    assert source(claw(), "many/SKILL.md").present


@pytest.mark.parametrize("size", [256_001, 40_000_000])
def test_a_huge_skill_is_refused_with_its_size(claw: Claw, place: Path, size: int) -> None:
    path = place / "workspace" / "skills" / "huge" / "SKILL.md"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        file.write(skill("huge").encode())
        file.truncate(size)
    found = source(claw(), "huge/SKILL.md")
    assert not found.present
    assert f"{size:,}" in found.why.text
    assert "the limit is 256,000" in found.why.text


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    "head",
    [
        BOMB,
        "metadata: &m {openclaw: *m}\n",
        "metadata: " + "[" * 5000 + "\n",
        "metadata: " + "{openclaw: " * 3000 + "\n",
        "metadata: '" + "[" * 5000 + "'\n",
        "x: " + "&a " * 2000 + "1\n",
    ],
    ids=["laughs", "cycle", "brackets", "braces", "json5", "anchors"],
)
def test_a_yaml_bomb_in_a_head(claw: Claw, head: str) -> None:
    assembly = claw({"workspace/skills/bomb/SKILL.md": skill("bomb", more=head)})
    found = source(assembly, "bomb/SKILL.md")
    assert found.present or any(d.path == found.path for d in assembly.diagnostics)


def test_escape_sequences_in_names_reach_the_text_only_as_they_are(claw: Claw, place: Path) -> None:
    name = "red\x1b[31m\u202e"
    path = place / "workspace" / "skills" / name
    path.mkdir(parents=True)
    (path / "SKILL.md").write_text('---\nname: "a\\e[2Jb"\ndescription: "c\\ad"\n---\n')
    os.mkdir(os.fsencode(place / "workspace" / "skills") + b"/bytes-\xff")  # noqa: PTH102 - a name that is not text
    assembly = claw()
    section = assembly.section("skills")
    assert section is not None
    assert "a\x1b[2Jb" in section.text
    assert source(assembly, "SKILL.md").present


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("{\n  // fine\n  agents: {,}\n}\n", 3),
        ("{ tools: " + "[" * 20_000, None),
        ("{a: 1,\n b: '" + "x" * 200_000, 1),
        ("\x00\x01\x02", None),
    ],
    ids=["comma", "brackets", "large", "binary"],
)
def test_a_broken_configuration_names_its_place(claw: Claw, place: Path, config: str, line: int | None) -> None:
    assembly = claw({"home/.openclaw/openclaw.json": config})
    problem = next(d for d in assembly.diagnostics if d.code in ("config", "agent-refuses"))
    assert problem.path == str(place / "home" / ".openclaw" / "openclaw.json")
    if line is not None:
        assert problem.line == line


def test_includes_in_a_circle(claw: Claw) -> None:
    files: dict[str, str | bytes] = {
        "home/.openclaw/openclaw.json": '{"$include": "a.json"}',
        "home/.openclaw/a.json": '{"$include": "openclaw.json"}',
    }
    assert any("circular" in d.message for d in claw(files).diagnostics)


def test_a_pipe_in_the_place_of_a_file(claw: Claw, place: Path) -> None:
    os.mkfifo(place / "workspace" / "AGENTS.md")
    found = source(claw(), "AGENTS.md")
    assert not found.present


def test_an_overlay_of_any_shape(claw: Claw) -> None:
    for overlay in ({"tools": 1}, {"tools": {"deny": "exec"}}, {"agents": {"list": "x"}}, {"skills": {"limits": []}}):
        assert claw(configOverlay=overlay).sections
