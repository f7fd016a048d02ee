"""Pictures of the page on which a folder opens, compared as support/pictures.py does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import shared_at
from tests.tui.support.monorepo import git
from tests.tui.support.pictures import take
from tests.tui.support.user import running

pytestmark = pytest.mark.slow

SIZES = {80: 24, 100: 30, 120: 40, 160: 45, 200: 50}

_RULE = "Every change needs a test that fails without it, and a line in the changelog that a user understands.\n"

MORE = {
    "CLAUDE.md": f"@AGENTS.md\n\nAsk before you add a dependency.\n\n{_RULE * 3}\nBegin with `docs/setup/first.md`.\n",
    "till/CLAUDE.md": "The till counts in cents, never in floats.\n" * 12,
    "till/sum.py": "def total(): ...\n",
    "docs/setup.md": "Set up.\n",
    **{
        f".claude/skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: How we {name}\n---\nStep by step.\n"
        for name in ("deploy", "migrate", "price", "restock", "translate")
    },
}


async def test_pictures_of_the_overview(place: Path) -> None:
    scenario = shared_at(place, agent="claude-code", attended=True)
    repo = place / "repo"
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Begin")
    for name, text in MORE.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    (repo / ".claude/rules/tests.md").write_text(f"One assertion for each test.\n\n{_RULE * 3}")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Say how we work")
    async with running(scenario, (80, 24), page=None, agents=True, effects=True) as user:
        for width, height in SIZES.items():
            await take(f"overview-{width}", user, size=(width, height))
