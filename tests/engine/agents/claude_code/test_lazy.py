from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.features.lazy_rules import lazy_files
from promptscope_engine.assembly.resolve import resolve

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

FILES = {
    "workspace/CLAUDE.md": "root",
    "workspace/.claude/rules/py.md": "---\npaths: src/**/*.py\n---\npython",
    "workspace/.claude/rules/never.md": "---\npaths: ./src/x.py\n---\nnever",
    "workspace/src/CLAUDE.md": "nested @more.md",
    "workspace/src/more.md": "more",
    "workspace/src/deep/CLAUDE.md": "deep",
}


def test_reads_load_outer_directories_first_then_rules(project: Project) -> None:
    project.write(FILES)
    for version in ("2.1.100", "2.1.329"):
        assert project.lazily_loaded(version, reads=["src/deep/x.py"]) == [
            "workspace/src/CLAUDE.md",
            "workspace/src/more.md",
            "workspace/src/deep/CLAUDE.md",
            "workspace/.claude/rules/py.md",
        ]
        assert project.loaded(version, reads=["src/deep/x.py"]) == ["workspace/CLAUDE.md"]


def test_private_files_stand_before_rules_and_the_user_s_rules_first(project: Project) -> None:
    waits = "---\npaths: '**/*.py'\n---\nx"
    project.write({"home/.claude/rules/u.md": waits, "workspace/.claude/rules/r.md": waits})
    project.write({f"workspace/p/{name}": "x" for name in ("CLAUDE.md", "CLAUDE.local.md", ".claude/rules/a.md")})
    project.write({"workspace/p/.claude/rules/b.md": waits, "workspace/p/q/CLAUDE.md": "x"})
    assert project.lazily_loaded(reads=["p/q/x.py"]) == [
        "home/.claude/rules/u.md",
        "workspace/p/CLAUDE.md",
        "workspace/p/CLAUDE.local.md",
        "workspace/p/.claude/rules/a.md",
        "workspace/p/.claude/rules/b.md",
        "workspace/p/q/CLAUDE.md",
        "workspace/.claude/rules/r.md",
    ]


def test_each_file_loads_once(project: Project) -> None:
    project.write(FILES)
    reads = ["src/a.py", "src/b.py", "src/deep/c.py"]
    assert len(project.lazily_loaded(reads=reads)) == 4


def test_a_loaded_file_says_by_what(project: Project) -> None:
    project.write(FILES)
    file = project.file("workspace/.claude/rules/py.md", reads=["src/a.py"])
    assert file.present
    assert file.load == "conditional"
    assert f"loaded by reading {project.cwd}/src/a.py" in file.why.text
    waiting = project.file("workspace/.claude/rules/py.md")
    assert not waiting.present
    assert "waits for a file that matches src/**/*.py" in waiting.why.text


def test_a_nested_agents_md_is_a_system_message(project: Project) -> None:
    project.write({"workspace/sub/AGENTS.md": "agents", "workspace/sub2/CLAUDE.md": "claude"})
    messages = project.assemble(reads=["sub/x", "sub2/x"]).request.messages
    assert [m["role"] for m in messages] == ["user", "system", "user", "system"]
    assert messages[3]["content"][0]["text"].startswith(f"Contents of {project.cwd}/sub/AGENTS.md:\n\nagents")


@pytest.mark.parametrize(
    ("other", "loads"),
    [
        ("CLAUDE.md", False),
        ("sub/CLAUDE.md", False),
        ("sub/.claude/CLAUDE.md", False),
        ("sub/CLAUDE.local.md", False),
        ("sub/.claude/rules/r.md", True),
        ("other/CLAUDE.md", True),
    ],
)
def test_what_suppresses_a_nested_agents_md(project: Project, other: str, loads: bool) -> None:
    project.write({f"workspace/{other}": "x", "workspace/sub/AGENTS.md": "agents"})
    assert ("workspace/sub/AGENTS.md" in project.lazily_loaded(reads=["sub/x"])) is loads


def test_reads_outside_of_cwd_load_nothing(project: Project) -> None:
    project.write(FILES)
    assert project.lazily_loaded(reads=["/etc/hosts", "../x", "src/../../x"]) == []


def test_rules_do_not_load_when_instruction_files_are_off(project: Project) -> None:
    project.write(FILES)
    assert project.lazily_loaded(reads=["src/a.py"], env={"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}) == []


@pytest.mark.parametrize(("around", "is_asked"), [(4_999, True), (5_000, False)])
def test_so_many_folders_are_asked_for_instructions(project: Project, around: int, is_asked: bool) -> None:
    project.write({"workspace/z/CLAUDE.md": "nested"})
    files = [f"{project.cwd}/{number}/x.py" for number in range(around)] + [f"{project.cwd}/z/x.py"]
    _, inputs = resolve(project.scenario(), project.workspace)
    found = lazy_files(inputs, project.workspace, files)
    assert [file.path for file in found] == ([f"{project.cwd}/z/CLAUDE.md"] if is_asked else [])


@pytest.mark.parametrize(
    ("read", "loaded"),
    [
        ("lib/x.py", ["workspace/app/lib/CLAUDE.md", "workspace/.claude/rules/lib.md"]),
        ("x.py", []),
        ("{root}/workspace/lib/x.py", []),  # outside of cwd nothing is woken, not even a rule from above
        ("{root}/workspace/app/lib/x.py", ["workspace/app/lib/CLAUDE.md", "workspace/.claude/rules/lib.md"]),
        ("linked/x.py", ["workspace/app/linked/CLAUDE.md", "workspace/.claude/rules/lib.md"]),
        ("away/x.py", []),
        ("{root}/elsewhere/lib/x.py", []),
        ("{root}/workspace/application/lib/x.py", []),
    ],
)
def test_rules_of_the_folder_above(project: Project, read: str, loaded: list[str]) -> None:
    project.write(
        {
            "workspace/.claude/rules/lib.md": "---\npaths: lib/, app/linked/\n---\nlib",
            "workspace/app/lib/CLAUDE.md": "nested",
            "elsewhere/x.py": "",
        }
    )
    (project.cwd / "app/linked").symlink_to(project.cwd / "app/lib")
    (project.cwd / "app/away").symlink_to(project.root / "elsewhere")
    reads = [read.replace("{root}", str(project.root))]
    assert project.lazily_loaded(workspace=str(project.cwd / "app"), reads=reads) == loaded


def test_files_that_are_read_at_once_load_the_less_deep_ones_first(project: Project) -> None:
    project.write({f"workspace/{folder}/CLAUDE.md": folder for folder in ("a", "b", "c")})
    loaded = project.lazily_loaded(reads=["a/1/2/x.py", "b/1/x.py", "c/1/x.py", "x.py"])
    assert loaded == [f"workspace/{folder}/CLAUDE.md" for folder in ("b", "c", "a")]


@pytest.mark.parametrize(
    ("tools", "is_read", "are_skills"),
    [(["Read", "Skill"], True, True), (["Read"], True, False), (["Bash"], False, False)],
)
def test_without_tools_a_read_loads_nothing(
    project: Project, tools: list[str], is_read: bool, are_skills: bool
) -> None:
    project.write({"workspace/a/CLAUDE.md": "nested", "workspace/a/.claude/skills/s/SKILL.md": "---\nname: s\n---\nx"})
    params = {"args": {"tools": tools}}
    names = ("workspace/a/CLAUDE.md", "workspace/a/.claude/skills/s/SKILL.md")
    rows = [project.file(name, reads=["a/x.py"], params=params) for name in names]
    assert [row.present for row in rows] == [is_read, are_skills]
    text = json.dumps(project.assemble(reads=["a/x.py"], params=params).request.messages)
    assert ("nested" in text, "a/.claude/skills" in text) == (is_read, are_skills)
