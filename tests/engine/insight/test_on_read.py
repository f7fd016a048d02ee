"""What reads would cost: skills that are listed, and files that load with others."""

from __future__ import annotations

from pathlib import Path

from tests.support.repository import write

from promptscope_engine import Counter, Scenario, Workspace, assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.insight.on_read import OnRead, costs_on_read
from promptscope_engine.tokens.models import get_tokenizer

FILES = {
    "CLAUDE.md": "Always.\n",
    "web/AGENTS.md": "Pure functions only.\n",
    "web/CLAUDE.md": "-> AGENTS.md",
    "web/main.ts": "export {}\n",
    ".claude/rules/scala.md": "---\npaths: '*.scala'\n---\nNo implicits.\n",
    ".claude/skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nRead every line twice.\n",
}


def test_the_whole_text_of_what_is_read_on_demand_is_counted(tmp_path: Path) -> None:
    write(tmp_path / "repo", FILES)
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path / "repo"), home=str(tmp_path / "home"), env={})
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    assembly = assemble(scenario, workspace)
    rules = find_lazy_rules(*resolve(scenario, workspace), workspace)
    found = dict(costs_on_read(assembly.files, rules, assembly.workspace, workspace, counter))
    repo = str(tmp_path / "repo")
    web, skill = FILES["web/AGENTS.md"], FILES[".claude/skills/review/SKILL.md"]
    assert found == {
        f"{repo}/.claude/skills/review/SKILL.md": OnRead(
            f"{repo}/.claude/skills/review/SKILL.md", len(skill), counter.count(skill)
        ),
        f"{repo}/web/CLAUDE.md": OnRead(f"{repo}/web/AGENTS.md", len(web), counter.count(web)),
    }, "neither what is in the prompt already nor a rule that never loads"
