"""Each agent names the keys of front matter that mean nothing to it, whatever the kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble

SKILL = "---\nname: a\ndescription: d\nbogus: 1\nDescription: d\n---\nbody\n"


@pytest.mark.parametrize(
    ("agent", "path", "more"),
    [
        ("claude-code", ".claude/skills/a/SKILL.md", {}),
        ("claude-code", ".claude/agents/a.md", {}),
        ("claude-code", ".claude/commands/a.md", {}),
        ("claude-code", ".claude/output-styles/a.md", {}),
        ("codex", ".agents/skills/a/SKILL.md", {}),
        ("gemini", ".gemini/skills/a/SKILL.md", {"params": {"trusted": True}}),
        ("opencode", ".opencode/skills/a/SKILL.md", {}),
        ("copilot", ".github/skills/a/SKILL.md", {}),
        ("copilot", ".claude/commands/a.md", {}),
        ("copilot", ".github/agents/a.agent.md", {}),
        ("copilot", ".github/instructions/a.instructions.md", {}),
        ("openclaw", "skills/a/SKILL.md", {}),
        ("roo", ".roo/commands/a.md", {"params": {"task": "/a"}}),
    ],
)
def test_keys_that_mean_nothing_are_named(tmp_path: Path, agent: str, path: str, more: dict[str, Any]) -> None:
    file = tmp_path / "workspace" / path
    file.parent.mkdir(parents=True)
    (tmp_path / "home").mkdir()
    file.write_text(SKILL)
    notes = assemble(frozen_scenario(agent, tmp_path, **more)).diagnostics
    found = {note.code: note for note in notes if note.code in ("near-key", "unknown-key")}
    assert "`bogus`" in found["unknown-key"].message
    assert found["near-key"].line == 5
