"""An agent that keeps a memory of its own [recorded 2.1.332]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

_INDEX = {
    "project": "workspace/.claude/agent-memory/a-b/MEMORY.md",
    "local": "workspace/.claude/agent-memory-local/a-b/MEMORY.md",
    "user": "home/.claude/agent-memory/a-b/MEMORY.md",
}


def write(project: Project, head: str) -> None:
    project.write({path: f"index of {scope}\n" for scope, path in _INDEX.items()})
    project.write({"workspace/.claude/agents/a.md": f"---\nname: a b\ndescription: d\n{head}\n---\nbody\n"})


@pytest.mark.parametrize("scope", _INDEX)
@pytest.mark.parametrize("who", [{"subagent": "a b"}, {"args": {"agent": "a b"}}])
def test_its_index_follows_its_prompt(project: Project, scope: str, who: dict[str, object]) -> None:
    write(project, f"memory: {scope}")
    assembly = project.assemble(params=who)
    section = assembly.section("subagent_memory" if "subagent" in who else "agent_memory")
    assert section is not None
    assert section.text.strip().startswith("# Persistent Agent Memory")
    assert section.text.endswith(f"## MEMORY.md\n\nindex of {scope}")
    assert project.file(_INDEX[scope], params=who).present
    row = project.file(_INDEX[scope])
    assert (row.present, row.why.levers[0].value) == (False, "a b")


@pytest.mark.parametrize("head", ["memory: Project", "memory: true", "memory: [project]", "color: red"])
def test_no_other_word_asks_for_a_memory(project: Project, head: str) -> None:
    write(project, head)
    assert project.assemble(params={"subagent": "a b"}).section("subagent_memory") is None


def test_it_has_the_tools_to_keep_it(project: Project) -> None:
    write(project, "memory: project\ntools: Bash, Edit")
    asked = {"subagent": "a b"}
    sent = {tool.name for tool in project.assemble(params=asked).tools if tool.present}
    assert sent == {"Bash", "Edit", "Write", "Read"}
    off = project.assemble(params=asked, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})
    assert {tool.name for tool in off.tools if tool.present} == {"Bash", "Edit"}
    assert off.section("subagent_memory") is None


def test_a_linked_index_of_a_repository_is_not_loaded(project: Project) -> None:
    write(project, "memory: project")
    (project.root / "other.md").write_text("linked words")
    index = project.root / _INDEX["project"]
    index.unlink()
    index.symlink_to("../../../../other.md")
    section = project.assemble(params={"subagent": "a b"}, outside_links="follow").section("subagent_memory")
    assert section is not None
    assert "linked words" not in section.text
    assert "was not loaded" in section.text


def test_an_empty_and_a_long_index_say_so(project: Project) -> None:
    write(project, "memory: user")
    project.write({_INDEX["user"]: "x\n" * 300})
    section = project.assemble(params={"subagent": "a b"}).section("subagent_memory")
    assert section is not None
    assert "> WARNING: MEMORY.md is 300 lines (limit: 200)" in section.text


def test_without_an_index_it_is_told_so(project: Project) -> None:
    write(project, "memory: user")
    (project.root / _INDEX["user"]).unlink()
    section = project.assemble(params={"subagent": "a b"}).section("subagent_memory")
    assert section is not None
    assert "nothing in it yet" in section.text
