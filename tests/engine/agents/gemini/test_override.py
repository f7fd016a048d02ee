"""The user's own system text in place of the built-in one."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import SKILL, Project, text_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("value", ["1", " TRUE ", ".gemini/system.md"])
def test_an_override_and_its_placeholders(project: Project, value: str) -> None:
    text = "\n A\n\n\n\n${AgentSkills}\n\n${SubAgents}\n\nT:\n${AvailableTools}\n"
    text += "${glob_ToolName} ${x_ToolName}${replace_ToolName} \n"
    project.write({"workspace/.gemini/system.md": text})
    settings = {"skills": {"enabled": False}, "experimental": {"enableAgents": False}, "tools": {"core": ["glob"]}}
    assembly = project.assemble(env={"GEMINI_SYSTEM_MD": value}, settings=settings)
    assert assembly.request.system[0]["text"] == "A\n\nT:\n- glob\nglob ${x_ToolName}${replace_ToolName}"


def test_a_description_in_the_override_is_traced_to_its_file(project: Project) -> None:
    project.write({"workspace/.gemini/system.md": "a ${AgentSkills} b"})
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "plain")})
    section = project.assemble(env={"GEMINI_SYSTEM_MD": "1"}).section("override")
    assert section is not None
    found = {fragment.text: (fragment.origin.path, fragment.origin.start_line) for fragment in section.fragments}
    assert found["plain"] == (f"{project.home}/.gemini/skills/x/SKILL.md", 3)
    assert found["a "] == found[" b"] == (f"{project.cwd}/.gemini/system.md", 1)


def test_dollars_of_a_description_act_in_the_override(project: Project) -> None:
    project.write({"workspace/.gemini/system.md": "a ${AgentSkills} b"})
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "$$ $& $1 $`|$'")})
    text = project.assemble(env={"GEMINI_SYSTEM_MD": "1"}).request.system[0]["text"]
    assert "<description>$ ${AgentSkills} $1 a | b</description>" in text


def test_the_section_of_sub_agents_of_an_override_does_not_ask_for_their_tool(project: Project) -> None:
    project.write({"workspace/.gemini/system.md": "a\n${SubAgents}\n\n${AvailableTools}"})
    env, settings = {"GEMINI_SYSTEM_MD": "1"}, {"tools": {"exclude": ["invoke_agent"]}}
    assert "# Available Sub-Agents" in text_of(project.assemble(env=env, settings=settings), "override")
    none = text_of(project.assemble(env=env, settings={"tools": {"core": []}}), "override")
    assert none.endswith("\n\nThere is no tool at your disposal.")


@pytest.mark.parametrize(("kind", "filled"), [("${AvailableTools}", "- glob"), ("${glob_ToolName}", "glob")])
@pytest.mark.parametrize(("count", "left"), [(99, 0), (100, 0), (101, 1)])
def test_a_hundred_placeholders_of_a_kind_are_filled_in(
    project: Project, kind: str, filled: str, count: int, left: int
) -> None:
    project.write({"workspace/.gemini/system.md": f"a {kind} b " * count})
    given = {"env": {"GEMINI_SYSTEM_MD": "1"}, "settings": {"tools": {"core": ["glob"]}, "skills": {"enabled": False}}}
    text = text_of(project.assemble(**given), "override")
    assert (text.count(f"a {filled} b"), text.count(kind)) == (count - left, left)


@pytest.mark.parametrize(
    "case",
    [
        ("${AgentSkills}", "[S]", ""),
        ("a\n${AgentSkills}", "a\n[S]", "a"),
        ("a\n\n${AgentSkills}\n\nb", "a\n\n[S]\n\nb", "a\n\nb"),
        ("a\n\n\n${AgentSkills}\n\n\nb", "a\n\n[S]\n\nb", "a\n\nb"),
        ("a\n${AgentSkills}\nb", "a\n[S]\nb", "a\n\nb"),
        ("a ${AgentSkills}\nb", "a [S]\nb", "a \nb"),
        ("a\n\n${AgentSkills}\n", "a\n\n[S]", "a"),
        ("${AgentSkills}\n\nb", "[S]\n\nb", "b"),
        ("a ${AgentSkills} ${AgentSkills} b", "a [S] [S] b", "a   b"),
        ("a\n${AgentSkills}\n${AgentSkills}\nb", "a\n[S]\n[S]\nb", "a\n\nb"),
    ],
)
@pytest.mark.parametrize(
    ("placeholder", "section", "key"),
    [("${AgentSkills}", "skills", "skills.enabled"), ("${SubAgents}", "sub_agents", "experimental.enableAgents")],
)
def test_line_feeds_around_a_placeholder_collapse(
    project: Project, placeholder: str, section: str, key: str, case: tuple[str, str, str]
) -> None:
    text, with_block, without = case
    project.write({"workspace/.gemini/system.md": text.replace("${AgentSkills}", placeholder)})
    group, _, name = key.partition(".")
    for is_on, expected in ((True, with_block), (False, without)):
        given = {"settings": {group: {name: is_on}, "context": {"includeDirectoryTree": False}}}
        assembly = project.assemble(env={"GEMINI_SYSTEM_MD": "1"}, **given)
        block = text_of(project.assemble(**given), section).strip() if is_on else ""
        assert assembly.request.system[0]["text"] == expected.replace("[S]", block)
