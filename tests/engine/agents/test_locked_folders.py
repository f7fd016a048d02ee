"""What is said of a folder of files that an agent may not look into."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.locked import LockedDisk
from tests.support.repository import write

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents import registry
from promptscope_engine.inputs.params import with_value
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace

FOLDERS = {
    "claude-code": [
        "repo/.claude/agents", "repo/.claude/agents/deep", "repo/.claude/commands", "repo/.claude/commands/deep",
        "repo/.claude/output-styles", "repo/.claude/rules", "repo/.claude/rules/deep", "repo/.claude/skills",
        "repo/.claude/skills/deep", "home/.claude/agents", "home/.claude/commands", "home/.claude/rules",
        "home/.claude/skills",
    ],
    "codex": [
        "repo/.codex/agents", "repo/.codex/rules", "repo/.codex/skills", "repo/.agents/skills",
        "repo/.agents/skills/deep", "home/.codex/skills", "home/.codex/rules", "home/.agents/skills",
    ],
    "copilot": [
        "repo/.github/instructions", "repo/.github/agents", "repo/.github/skills", "repo/.github/skills/deep",
        "repo/.claude/rules", "repo/.claude/agents", "repo/.claude/commands", "repo/.claude/skills",
        "home/.copilot/agents", "home/.copilot/instructions", "home/.copilot/skills",
    ],
    "gemini": [
        "repo/.gemini/agents", "repo/.gemini/commands", "repo/.gemini/skills", "repo/.agents/skills",
        "home/.gemini/agents", "home/.gemini/commands", "home/.gemini/extensions", "home/.gemini/policies",
        "home/.gemini/skills",
    ],
    "openclaw": ["repo/skills", "repo/skills/deep", "repo/.agents/skills", "home/.agents/skills"],
    "opencode": [
        "repo/.opencode/agent", "repo/.opencode/agents", "repo/.opencode/agent/deep", "repo/.opencode/command",
        "repo/.opencode/plugin", "repo/.opencode/skills", "repo/.opencode/tool", "repo/.claude/skills",
        "home/.config/opencode/agent", "home/.config/opencode/command",
    ],
    "roo": ["repo/.roo/rules", "repo/.roo/rules-architect", "repo/.roo/rules-docs", "repo/.roo/commands"],
}  # fmt: skip
"""Every kind of folder that an agent lists, of the project and the user's own, and one below."""


AROUND = {
    "claude-code": (".claude", ["agents", "commands", "output-styles", "rules", "skills"]),
    "codex": (".codex", ["agents", "rules", "skills"]),
    "copilot": (".github", ["agents", "instructions", "skills"]),
    "gemini": (".gemini", ["agents", "commands", "skills"]),
    "openclaw": (".agents", ["skills"]),
    "opencode": (".opencode", ["agent", "command", "plugin", "skills", "tool"]),
}
"""A locked folder around them."""


def assembly_on(disk: LockedDisk, place: Path, agent: str) -> Assembly:
    """What the agent is given in a folder that it trusts."""
    trust: dict[str, Any] = {}
    for name, value in registry.load_agent(agent).about.trusted.items():
        trust = with_value(trust, name, value)
    values = {"agent": agent, "workspace": str(place / "repo"), "home": str(place / "home"), "params": trust}
    return assemble(Scenario.model_validate(values), Workspace(disk))


@pytest.mark.parametrize(("agent", "folder"), [(agent, each) for agent, some in FOLDERS.items() for each in some])
def test_a_folder_that_cannot_be_listed_has_a_row_that_says_so(tmp_path: Path, agent: str, folder: str) -> None:
    write(tmp_path, {"repo/.git/HEAD": "ref: refs/heads/main\n", f"{folder}/a.md": "Use tabs.\n", "home/a": ""})
    assembly = assembly_on(LockedDisk(tmp_path / folder), tmp_path, agent)
    whole = folder.removesuffix("/deep") if agent == "roo" else folder  # Roo then reads nothing of the outer one
    (row,) = [each for each in assembly.files if str(tmp_path / "repo" / each.path) == str(tmp_path / whole)]
    assert not row.present
    assert "cannot be listed" in row.why.text
    assert "Permission denied" in row.why.text


@pytest.mark.parametrize("agent", AROUND)
def test_each_folder_in_a_locked_one_has_a_row(tmp_path: Path, agent: str) -> None:
    around, names = AROUND[agent]
    write(tmp_path, {"repo/.git/HEAD": "ref: refs/heads/main\n", "home/a": ""})
    write(tmp_path, {f"repo/{around}/{name}/a.md": "Use tabs.\n" for name in names})
    assembly = assembly_on(LockedDisk(tmp_path / "repo" / around), tmp_path, agent)
    rows = {
        each.path: each.why.text for each in assembly.files if "cannot be listed: Permission denied" in each.why.text
    }
    assert {str(tmp_path / "repo" / around / name) for name in names} <= rows.keys()
