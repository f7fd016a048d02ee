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


@pytest.mark.parametrize(
    ("text", "older", "newer"),
    [
        ("---\nname: x\ndescription: |\n  one\n  two\n---\n", "one\ntwo\n", "one\ntwo\n"),
        ("---\nname: x\ndescription: one\\ntwo\n---\n", "one\ntwo", "one\ntwo"),
        ("---\nname: x\ndescription: a\ndescription: b\n---\n", None, "b"),
        ("---\nname: x\ndescription: a\n", None, None),
        ("---\nname: x\n\tdescription: a\n---\n", None, None),
        ("---\nname: 42\ndescription: a\n---\n", None, None),
        ("---\nname: two words\ndescription: a\n---\n", None, None),
        ("---\nname: x\ndescription: Use it: now\n---\n", "Use it: now", "Use it: now"),
    ],
)
def test_bad_heads(project: Project, text: str, older: str | None, newer: str | None) -> None:
    project.write({"workspace/.claude/agents/a.md": text})
    for version, wanted in ((V100, older), (V329, newer)):
        own = [a for a in project.materials(version).agents if a.source == "project"]
        assert ["".join(p.text for p in a.pieces) for a in own] == ([] if wanted is None else [wanted])


def test_the_order_of_names(project: Project) -> None:
    for name in ("beta", "Alpha", "zeta"):
        project.write({f"workspace/.claude/agents/{name}.md": f"---\nname: {name}\ndescription: d\n---\n"})
    gathered = project.gathered(params={"args": {"print": True}})
    names = [a.name for a in gathered.materials.agents if a.when.holds(gathered.facts)]
    assert names == ["Alpha", "beta", "claude", "Explore", "general-purpose", "Plan", "statusline-setup", "zeta"]
    assert [a.name for a in project.materials(V100).agents][:4] == [
        "general-purpose",
        "statusline-setup",
        "Explore",
        "Plan",
    ]
