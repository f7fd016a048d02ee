from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.gather.subagents import tool_names, tools_line

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"
REVIEWER = "---\nname: rev\ndescription: Reviews\ntools: Read, Grep\n---\nYou review.\n"


@pytest.mark.parametrize(
    ("tools", "without", "line"),
    [
        (None, None, "All tools"),
        ("Read, Grep", None, "Read, Grep"),
        (["Read", "Bash"], None, "Read, Bash"),
        ([], None, "All tools"),
        (None, "Write, Edit", "All tools except Write, Edit"),
        ("*", None, "All tools"),
    ],
)
def test_tools_line(tools: object, without: object, line: str) -> None:
    assert tools_line(tool_names(tools), tool_names(without)) == line


def write(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/agents/rev.md": REVIEWER,
            "workspace/.claude/agents/same.md": "---\nname: same\ndescription: Project\n---\nx\n",
            "home/.claude/agents/same.md": "---\nname: same\ndescription: User\n---\nx\n",
            "workspace/.claude/agents/nameless.md": "---\ndescription: d\n---\nx\n",
        }
    )


def test_the_listing(project: Project) -> None:
    write(project)
    agents = {a.name: "".join(p.text for p in a.pieces) for a in project.materials().agents}
    assert agents["same"] == "Project"
    assert [name for name in agents if name in ("rev", "same")] == ["rev", "same"]
    assert list(agents) == sorted(agents, key=str.lower)
    assert "another agent is called same" in project.file("home/.claude/agents/same.md").why.text
    assert "missing" in project.file("workspace/.claude/agents/nameless.md").why.text


def test_it_stands_in_the_tool_or_in_the_message(project: Project) -> None:
    write(project)
    tool = next(t for t in project.assemble(V100).tools if t.name == "Agent")
    assert "\n- rev: Reviews (Tools: Read, Grep)" in tool.description
    section = project.assemble(V329).section("agents")
    assert section is not None
    assert "\n- rev: Reviews (Tools: Read, Grep)" in section.text


def test_an_agent_drives_the_session(project: Project) -> None:
    write(project)
    params = {"args": {"agent": "rev"}}
    for version in (V100, V329):
        assert project.assemble(version, params=params).request.system[-1]["text"] == "You review."
    names = [t["name"] for t in project.assemble(V329, params=params).request.tools]
    assert names == ["Read", "DeferredToolPlaceholder", "Grep"]
    assert len(project.assemble(V100, params=params).request.tools) > 20


def test_an_unknown_agent_is_a_diagnostic(project: Project) -> None:
    assembly = project.assemble(params={"args": {"agent": "nobody"}})
    assert [d.code for d in assembly.diagnostics] == ["unknown-agent"]
    intro = assembly.section("intro")
    assert intro is not None
    assert intro.present
