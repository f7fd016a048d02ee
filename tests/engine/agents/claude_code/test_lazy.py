from __future__ import annotations

from typing import TYPE_CHECKING

from promptscope_engine.agents.claude_code.gather.lazy import dead_rules, which_rules

if TYPE_CHECKING:
    from .conftest import Project

FILES = {
    "workspace/CLAUDE.md": "root",
    "workspace/.claude/rules/py.md": "---\npaths: src/**/*.py\n---\npython",
    "workspace/.claude/rules/never.md": "---\npaths: ./src/x.py\n---\nnever",
    "workspace/src/CLAUDE.md": "nested @more.md",
    "workspace/src/more.md": "more",
    "workspace/src/deep/CLAUDE.md": "deep",
}


def test_reads_wake_outer_directories_first_then_rules(project: Project) -> None:
    project.write(FILES)
    for version in ("2.1.100", "2.1.329"):
        assert project.woken(version, reads=["src/deep/x.py"]) == [
            "workspace/src/CLAUDE.md",
            "workspace/src/more.md",
            "workspace/src/deep/CLAUDE.md",
            "workspace/.claude/rules/py.md",
        ]
        assert project.loaded(version, reads=["src/deep/x.py"]) == ["workspace/CLAUDE.md"]


def test_each_file_wakes_once(project: Project) -> None:
    project.write(FILES)
    reads = ["src/a.py", "src/b.py", "src/deep/c.py"]
    assert len(project.woken(reads=reads)) == 4


def test_a_woken_file_says_by_what(project: Project) -> None:
    project.write(FILES)
    file = project.file("workspace/.claude/rules/py.md", reads=["src/a.py"])
    assert file.present
    assert file.load == "conditional"
    assert f"woken by reading {project.cwd}/src/a.py" in file.why.text
    asleep = project.file("workspace/.claude/rules/py.md")
    assert not asleep.present
    assert "waits for a file that matches src/**/*.py" in asleep.why.text


def test_which_rules_and_dead_rules(project: Project) -> None:
    project.write(FILES)
    materials = project.materials()
    assert [project.short(r.shown) for r in which_rules(materials, "src/a/b.py")] == ["workspace/.claude/rules/py.md"]
    assert which_rules(materials, "docs/a.md") == ()
    dead = dead_rules(materials, ["src/x.py", "README.md"])
    assert [project.short(r.shown) for r in dead] == ["workspace/.claude/rules/never.md"]


def test_a_nested_agents_md_is_a_system_message(project: Project) -> None:
    project.write({"workspace/sub/AGENTS.md": "agents", "workspace/sub2/CLAUDE.md": "claude"})
    messages = project.assemble(reads=["sub/x", "sub2/x"]).request.messages
    assert [m["role"] for m in messages] == ["user", "system", "user", "system"]
    assert messages[3]["content"][0]["text"].startswith(f"Contents of {project.cwd}/sub/AGENTS.md:\n\nagents")


def test_reads_outside_of_cwd_wake_nothing(project: Project) -> None:
    project.write(FILES)
    assert project.woken(reads=["/etc/hosts", "../x", "src/../../x"]) == []


def test_rules_stay_asleep_when_instruction_files_are_off(project: Project) -> None:
    project.write(FILES)
    assert project.woken(reads=["src/a.py"], env={"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}) == []
