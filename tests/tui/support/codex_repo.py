"""A repository for Codex: a chain of AGENTS.md over 32 KiB, a blank override, skills, and settings in two layers."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine.inputs.scenario import Scenario

from .monorepo import git
from .roo_shop import scenario_of

_RULES = "".join(f"{n}. Keep shelf {n} in order: scan before moving, and log what was moved.\n" for n in range(1, 401))
_SKILL = "---\nname: {0}\ndescription: {1}\n---\nFirst look at the stock.\n"

FILES = {
    "AGENTS.md": f"# Depot\n\n{_RULES}",
    "services/AGENTS.md": "# Services\n\n" + "Every service has a health check and a test of it.\n" * 110,
    "services/orders/AGENTS.md": "# Orders\n\nAn order is never deleted.\n",
    "services/orders/jobs/AGENTS.md": "# Jobs\n\nA job can be run twice.\n",
    "services/stock/AGENTS.override.md": " \n",
    ".agents/skills/count/SKILL.md": _SKILL.format("count", "counts a shelf. Use it before stock is moved"),
    ".codex/config.toml": 'developer_instructions = "Answer in English."\n',
}
SETTINGS = 'model = "gpt-5.5"\n\n[sandbox_workspace_write]\nnetwork_access = true\n\n[features]\ngoals = false\n'


def codex_repo_at(folder: Path, start: str = "services/orders", **more: object) -> Scenario:
    """A scenario that starts in a folder of the depot below `folder`, which is made where it is missing."""
    root = folder / "depot"
    if not root.exists():
        for name, text in FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        (folder / "home" / ".codex").mkdir(parents=True, exist_ok=True)
        (folder / "home" / ".codex" / "config.toml").write_text(SETTINGS)
        (folder / "home" / ".codex" / "AGENTS.md").write_text("Be brief.\n")
        git(root, "init", "-q", "-b", "main")
    values: dict[str, object] = {"agent": "codex", "mode": None, "model": None}
    values |= {"workspace": str(root / start), "managed": str(folder / "managed"), **more}
    return scenario_of(folder, **values)
