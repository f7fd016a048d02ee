"""The sections of messages: what a model or a file makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .prompts import section

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project


@pytest.mark.parametrize(("model", "starts_agents"), [("claude-opus-5", False), ("claude-opus-5-1", True)])
def test_opus_5_starts_no_agents_unasked(project: Project, model: str, starts_agents: bool) -> None:
    assembly = project.assemble(model=model, mode="plan")
    assert ("agents.parallel" in builtin_ids(assembly, "agents")) is starts_agents
    planned = builtin_ids(assembly, "plan_mode")
    assert ("plan_mode.explore.agents" in planned) is starts_agents
    assert ("plan_mode.explore_directly" in planned) is not starts_agents


def builtin_ids(assembly: Assembly, section_id: str) -> set[str]:
    return {fragment.origin.id or "" for fragment in section(assembly, section_id).fragments}


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-5"])
def test_instructions_on_memory_move_as_they_are(project: Project, model: str) -> None:
    """From the system prompt, whose layout differs, to messages of the same layout."""
    args = {"print": True, "excludeDynamicSystemPromptSections": True}
    stays = section(project.assemble(model=model), "memory_instructions")
    moved = section(project.assemble(model=model, params={"args": args}), "memory_instructions.moved")
    assert len(stays.text) > 1_000
    assert moved.heading == stays.heading == f"# {moved.title}"
    assert stays.text.strip() in moved.text


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329"])
def test_prompts_of_the_command_line_are_sent_as_they_stand(project: Project, version: str) -> None:
    given = {"systemPrompt": "You are mine. ", "appendSystemPrompt": "Be brief.\n"}
    assembly = project.assemble(version, params={"args": given})
    assert section(assembly, "system_prompt").text.strip("\n") == "You are mine. "
    assert section(assembly, "append").text.strip("\n") == "Be brief."


V100, V329 = "2.1.100", "2.1.329"


@pytest.mark.parametrize("version", [V100, V329])
def test_a_file_stands_there_unless_it_is_blank_or_waits_for_a_read(project: Project, version: str) -> None:
    rules = {"always": "always", "blank": " ", "waits": "---\npaths: a\n---\nwaits"}
    project.write({"workspace/CLAUDE.md": "root"})
    project.write({f"workspace/.claude/rules/{name}.md": text for name, text in rules.items()})
    assembly = project.assemble(version)
    found = [each.title for each in assembly.sections if each.id.startswith("user_context.file:")]
    loaded = [f"{project.cwd}/CLAUDE.md", f"{project.cwd}/.claude/rules/always.md"]
    assert [title for title in found if title.startswith(str(project.cwd))] == loaded


@pytest.mark.parametrize(("name", "versions"), [("CLAUDE.md", [V100, V329]), ("AGENTS.md", [V329])])
def test_there_are_instructions_where_the_version_reads_the_file(
    project: Project, name: str, versions: list[str]
) -> None:
    project.write({f"workspace/{name}": "x"})
    headed = {V100: "user_context.claude_md", V329: "user_context"}
    found = {version: section(project.assemble(version), part) for version, part in headed.items()}
    assert [version for version in found if found[version].present] == versions
    assert all("there is no instruction file" in part.why.text for part in found.values() if not part.present)


def test_the_heading_of_a_file_is_none_of_its_section(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "# Title\n\ntext"})
    args = {"print": True, "excludeDynamicSystemPromptSections": True}
    found = project.assemble(V100, params={"args": args}).sections
    assert {each.title: each.heading for each in found if each.id.startswith("user_context") and each.present} == {
        "User context": None,
        "Instruction files": "# claudeMd",
        f"{project.cwd}/CLAUDE.md": None,
        "Date": "# currentDate",
        "Environment": "# Environment",
        "auto memory": "# auto memory",
        "Disclaimer": None,
    }
