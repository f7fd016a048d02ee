"""The table of agents and files: folders, links and sums, the dearest first, names beside their numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.linked_repo import SKILLS, linked_repo_at
from tests.tui.support.roo_shop import texts
from tests.tui.support.user import running

from promptscope_engine.insight.agents_table import AgentsTable, AgentTotal, AgentUse, FileUse
from promptscope_tui.text.words import number
from promptscope_tui.views.agents.lines import FolderKey, file_lines, totals
from promptscope_tui.views.agents.rows import agents_rows

AGENTS = AgentTotal("claude-code", "Claude Code", 40_000), AgentTotal("codex", "Codex", 18_000)


def use(path: str, claude: int | None, codex: int | None, *also: str) -> FileUse:
    costs = {"claude-code": claude, "codex": codex}
    uses = {agent: AgentUse("taken", "x", tokens) for agent, tokens in costs.items() if tokens is not None}
    return FileUse(path, f"/s/{path}", uses, (), (path, *also))


TABLE = AgentsTable(
    AGENTS,
    (
        use("CLAUDE.md", 300, 200, "AGENTS.md", ".agents/AGENTS.md"),
        *(use(f".agents/skills/{n:02}/SKILL.md", 30, 20, f".claude/skills/{n:02}/SKILL.md") for n in range(32)),
        use("web/CLAUDE.md", 5, None),
        FileUse(".cursorrules", "/s/.cursorrules", {}),
    ),
)


def test_a_folder_with_many_files_is_one_line_with_their_sums() -> None:
    lines = file_lines(TABLE, is_read=True, choices={})
    assert [(line.mark, line.name, *(text for text, _ in line.cells)) for line in lines] == [
        ("▸", ".agents/skills/  32 files = .claude/skills/", "960", "640"),
        ("", "CLAUDE.md = AGENTS.md = .agents/AGENTS.md", "300", "200"),
        ("", "web/CLAUDE.md", "5", "·"),
    ], "the dearest first"
    opened = file_lines(TABLE, is_read=True, choices={".agents/skills": True})
    assert [line.name for line in opened[:3]] == [".agents/skills/  32 files = .claude/skills/", "  00", "  01"]
    assert [line.name for line in file_lines(TABLE, is_read=True, choices=None)][1:3] == [
        ".agents/skills/00/SKILL.md = .claude/skills/00/SKILL.md",
        ".agents/skills/01/SKILL.md = .claude/skills/01/SKILL.md",
    ]
    sums = {line.name: [text for text, _ in line.cells] for line in totals(TABLE)}
    assert sums == {"from files": ["1,265", "840"], "whole prompt": ["40,000", "18,000"]}


@pytest.mark.parametrize("width", [80, 100, 200])
def test_names_are_beside_their_numbers(width: int) -> None:
    lines = [line.rstrip() for line in texts(agents_rows(TABLE, width))]
    head = next(line for line in lines if "FILE" in line)
    assert len(head) <= width
    longest = max(len(line.name) for line in file_lines(TABLE, is_read=True, choices={}))
    assert head.index("Claude") < longest + 16, "no empty cells between the longest name and the first number"
    row = next(line for line in lines if "web/CLAUDE.md" in line)
    assert row.split() == ["web/CLAUDE.md", "5", "·"]


@pytest.mark.slow
async def test_the_screen_answers_who_reads_what_and_folders_open(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40), agents=True) as user:
        await user.press("A")
        await user.settle_all()
        table = user.view("#choices")
        named = next(line for line in table.lines if "CLAUDE.md = AGENTS.md = .agents/AGENTS.md" in line).split()
        heads = " ".join(" ".join(table.lines[:2]).split())
        assert heads.index("Roo Code") < heads.index("OpenClaw") < heads.index("Codex")
        claude, roo, openclaw, codex = named[5:9]
        assert claude == number(next(file.tokens for file in user.assembly.files if file.present))
        assert roo == codex != "·"
        assert openclaw == "✗", "it follows no link: what it sends is a marker"
        skills = next(line for line in table.lines if "skills/" in line)
        assert skills.startswith("▸ .claude/skills/  12 files = .agents/skills/")
        table.hides("turborepo")
        await table.row("skills/").press("enter")
        table.shows(*(f"  {name} " for name in SKILLS))
        assert isinstance(table.key, FolderKey)
        user.view("#shown").shows(".claude/skills/", "12 files", "tok of 12 files")
        await table.press("space")
        table.hides("turborepo")
