"""The user context: which files stand in it, and what heads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .prompts import section

if TYPE_CHECKING:
    from .conftest import Project

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
