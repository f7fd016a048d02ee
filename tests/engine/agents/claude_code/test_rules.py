"""The rule files below a folder: how many are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.gather.instructions import RuleFile, RuleFinder

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize(("before", "is_entered"), [(1_998, True), (1_999, False), (2_000, False)])
def test_behind_two_thousand_rules_no_folder_is_entered(project: Project, before: int, is_entered: bool) -> None:
    project.write({"workspace/.claude/rules/a.md": "a", "workspace/.claude/rules/z/b.md": "b"})
    project.workspace.allow([str(project.cwd)])
    known = [RuleFile(str(number), str(number)) for number in range(before)]
    finder = RuleFinder(
        project.workspace, str(project.cwd), (), any_target=False, follow=False, in_listed_order=False, found=known
    )
    finder.find(f"{project.cwd}/.claude/rules")
    found = [project.short(rule.path) for rule in finder.found[before:]]
    left_out = {project.short(path) for path in finder.left_out}
    rules = "workspace/.claude/rules"
    if before == 2_000:
        assert (found, left_out) == ([], {rules})
    else:
        assert found == [f"{rules}/a.md", *([f"{rules}/z/b.md"] if is_entered else [])]
        assert left_out == (set() if is_entered else {f"{rules}/z"})
