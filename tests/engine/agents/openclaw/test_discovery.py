"""Which skills a folder holds, and how far it is looked into (docs/agents/openclaw.md#skills)."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.disk.heads import Budget
from promptscope_engine.agents.openclaw.gather.skill_folders import FoundSkills, Limits, Source, discover, limits
from promptscope_engine.agents.openclaw.gather.skill_heads import head_of
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.formats.yaml import weight
from promptscope_engine.workspace import Workspace

USUAL = Limits(300, 200, 150, 30_000, 256_000)


def found(root: Path, *files: str, bounds: Limits = USUAL) -> FoundSkills:
    """What is found below `root`; each file is a skill that has the name of its path."""
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"---\nname: {name.removesuffix('/SKILL.md')}\ndescription: d\n---\n")
    workspace = Workspace()
    workspace.allow([str(root)])
    return discover(workspace, [Source("workspace", str(root))], bounds)


def names(skills: FoundSkills) -> list[str]:
    return [skill.name for skill in skills.skills.values()]


def told(skills: FoundSkills, words: str) -> bool:
    return any(words in diagnostic.message for diagnostic in skills.diagnostics)


def test_the_usual_limits() -> None:
    assert limits(SettingLevers({}), "2026.2.24") == USUAL


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_skill_may_lie_so_deep_below_another(tmp_path: Path, more: int) -> None:
    deep = "/".join(["a", *(str(level) for level in range(16 + more))])
    skills = found(tmp_path, f"{deep}/SKILL.md", "a/SKILL.md")
    assert names(skills) == ([deep, "a"] if more < 1 else ["a"])
    assert told(skills, "not looked into") is (more == 1)


@pytest.mark.parametrize(("most", "is_told"), [(2, True), (3, False), (4, False)])
def test_more_folders_than_candidates_are_told(tmp_path: Path, most: int, is_told: bool) -> None:
    skills = found(tmp_path, *(f"{name}/SKILL.md" for name in "abc"), bounds=Limits(most, 200, 150, 30_000, 256_000))
    assert told(skills, "3 folders, of which 200 are looked into") is is_told
    assert names(skills) == ["a", "b", "c"]


@pytest.mark.parametrize(("most", "wanted"), [(1, ["a"]), (2, ["a/A.md", "a"]), (3, ["a/A.md", "a", "0"])])
def test_so_many_skills_of_a_source_are_loaded(tmp_path: Path, most: int, wanted: list[str]) -> None:
    bounds = Limits(300, most, 150, 30_000, 256_000)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/SKILL.md").write_text("---\nname: '0'\ndescription: d\n---\n")
    skills = found(tmp_path, "a/SKILL.md", "a/A.md", "c/SKILL.md", bounds=bounds)
    assert names(skills) == wanted


@pytest.mark.parametrize(("most", "is_package"), [(1, False), (2, True)])
def test_so_many_folders_tell_a_package(tmp_path: Path, most: int, is_package: bool) -> None:
    (tmp_path / "skills/a").mkdir(parents=True)
    skills = found(tmp_path, "skills/b/SKILL.md", "c/SKILL.md", bounds=Limits(most, 200, 150, 30_000, 256_000))
    assert names(skills) == (["skills/b"] if is_package else ["c"])


@pytest.mark.parametrize(("size", "is_loaded"), [(-1, False), (0, True), (1, True)])
def test_a_skill_has_a_largest_size(tmp_path: Path, size: int, is_loaded: bool) -> None:
    length = len("---\nname: a\ndescription: d\n---\n")
    skills = found(tmp_path, "a/SKILL.md", bounds=Limits(300, 200, 150, 30_000, length + size))
    assert names(skills) == (["a"] if is_loaded else [])
    assert [refused.needs for refused in skills.refused] == ([] if is_loaded else [length])


def test_of_links_those_to_folders_are_followed(tmp_path: Path) -> None:
    found(tmp_path, ".real/SKILL.md", "other/SKILL.md")
    (tmp_path / "linked").symlink_to(tmp_path / ".real")
    (tmp_path / "file.md").write_text("no folder")
    (tmp_path / "link.md").symlink_to(tmp_path / "file.md")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    skills = found(tmp_path, ".hidden/SKILL.md", "node_modules/SKILL.md", "z/SKILL.md")
    assert names(skills) == [".real", "other", "z"]


@pytest.mark.slow
def test_so_many_folders_below_a_skill_are_looked_into(tmp_path: Path) -> None:
    for number in range(2_000):
        (tmp_path / f"a/{number:04}").mkdir(parents=True)
    skills = found(tmp_path, "a/SKILL.md", "a/1998/SKILL.md", "a/1999/SKILL.md")
    assert names(skills) == ["a/1998", "a"]
    assert told(skills, "not looked into: 2,000 folders below a skill, 16 deep, are enough")


@pytest.mark.parametrize(("more", "is_read"), [(-1, True), (0, True), (1, False)])
def test_the_heads_of_all_skills_are_so_long(tmp_path: Path, more: int, is_read: bool) -> None:
    """Ten of 30,000 characters each, and one that finds no room."""
    for number in range(10):
        (tmp_path / f"{number}").mkdir()
        head = f"---\nname: '{number}'\ndescription: ".ljust(30_000 + (more if number == 9 else 0), "d")
        (tmp_path / f"{number}/SKILL.md").write_text(f"{head}\n---\n")
    skills = found(tmp_path, "last/SKILL.md")
    assert names(skills) == [str(number) for number in range(10 if is_read else 9)]
    assert told(skills, "the heads of the skills hold more than 300,000 characters")


@pytest.mark.parametrize(
    ("metadata", "slow"), [("", 0), ('{"openclaw": {}}', 0), ("{openclaw: {}}", 8 * len("{openclaw: {}}"))]
)
def test_json5_in_a_head_counts_eight_times(tmp_path: Path, metadata: str, slow: int) -> None:
    (tmp_path / "a").mkdir()
    text = f"---\nname: a\ndescription: d\nmetadata: {metadata}\n---\n"
    (tmp_path / "a/SKILL.md").write_text(text)
    assert Budget.left - found(tmp_path).budget.left == weight(head_of(text)) + slow


def test_only_folders_count_for_the_limits(tmp_path: Path) -> None:
    (tmp_path / "0.md").write_text("no folder")
    (tmp_path / "1").symlink_to(tmp_path / "0.md")
    (tmp_path / "2").symlink_to(tmp_path / "gone")
    skills = found(tmp_path, "a/SKILL.md", bounds=Limits(1, 1, 150, 30_000, 256_000))
    assert (names(skills), skills.diagnostics) == (["a"], [])


def test_what_is_hidden_or_of_a_package_is_not_looked_into(tmp_path: Path) -> None:
    files = ("a/SKILL.md", "a/.git/SKILL.md", "a/node_modules/SKILL.md", "a/b/SKILL.md", "a/.A.md", "a/b/B.md")
    assert names(found(tmp_path, *files)) == ["a", "a/b"]


def test_a_folder_is_looked_into_once_and_a_link_back_is_told(tmp_path: Path) -> None:
    found(tmp_path, "a/SKILL.md", "a/b/SKILL.md")
    (tmp_path / "a/c").symlink_to(tmp_path / "a/b")
    skills = found(tmp_path)
    assert names(skills) == ["a", "a/b"]
    told_of = [
        d.path for d in skills.diagnostics if d.message == "a link leads to a folder that is looked into already"
    ]
    assert told_of == [f"{tmp_path}/a/c"]
    (tmp_path / "a/0").symlink_to(tmp_path / "a/b")
    told_of = [d.path for d in found(tmp_path).diagnostics if "looked into already" in d.message]
    assert told_of == [f"{tmp_path}/a/c"]  # the folder itself, met behind its link, is not a link
