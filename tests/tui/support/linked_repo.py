"""A repository like many: one set of instructions under three names, a linked folder of skills, nested files."""

from __future__ import annotations

from pathlib import Path

from tests.support.repository import write

from promptscope_engine.inputs.scenario import Scenario

from .roo_shop import scenario_of

SKILLS = ("add-price", "browser-review", "browser-review-of-large-features", "changelog", "code-review", "debug-issue",
          "git-workflow", "housekeeping", "incident-tickets", "infra-scaling", "migrate", "turborepo")  # fmt: skip

FILES = {
    ".agents/AGENTS.md": "# Shop\n\nAsk before you add a dependency.\n",
    "AGENTS.md": "-> .agents/AGENTS.md",
    "CLAUDE.md": "-> AGENTS.md",
    ".claude/skills": "-> ../.agents/skills",
    **{
        f".agents/skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: How to {name}.\n---\n\n" + f"{name}.\n" * n
        for n, name in enumerate(SKILLS, 1)
    },
    "ee/CLAUDE.md": "Ask the lawyers.\n",
    "web/CLAUDE.md": "Pure functions.\n\nSmall components.\n",
    "web/src/features/evals/CLAUDE.md": "Never call a model in a test.\n",
    "web/src/main.ts": "export {}\n",
    "ee/main.ts": "export {}\n",
}


def linked_repo_at(folder: Path, **more: object) -> Scenario:
    """A scenario for Claude Code in the repository below `folder`, which is made where it is missing."""
    write(folder / "repo", {} if (folder / "repo").exists() else FILES)
    (folder / "home").mkdir(exist_ok=True)
    values: dict[str, object] = {"agent": "claude-code", "mode": None, "model": None, "workspace": str(folder / "repo")}
    return scenario_of(folder, **{**values, "managed": str(folder / "managed"), **more})
