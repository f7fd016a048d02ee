"""A monorepo for Gemini CLI: GEMINI.md at three depths, imports that work and one that does not, an extension.

And a small repository whose one set of instructions is read by all five agents.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from promptscope_engine.inputs.scenario import Scenario

from .roo_shop import ENVIRONMENT

FILES = {
    "repo/GEMINI.md": "# Shops\n\nAsk @alice before you change prices.\n\n@docs/style.md\n",
    "repo/docs/style.md": "Short names. See @naming.md for more.\n",
    "repo/docs/naming.md": "Nouns for values, verbs for functions.\n",
    "repo/Apps/GEMINI.md": "Every app has its own tests.\n",
    "repo/Apps/till/GEMINI.md": "The till counts in cents.\n",
    "repo/Apps/till/AGENTS.md": " \n",
    "repo/Apps/till/src/GEMINI.md": "Pure functions only.\n",
    "repo/Apps/till/src/sum.py": "def total(): ...\n",
    "home/.gemini/GEMINI.md": "Answer in English.\n",
    "home/.gemini/settings.json": (
        '{\n  "context": {\n    "fileName": "AGENTS.md",\n    "discoveryMaxDirs": 50\n  },\n'
        '  "tools": {\n    "core": ["read_file", "glob", "ReadFolderTool", "GrepTool", "invoke_agent"]\n  }\n}\n'
    ),
    "home/.gemini/extensions/money/gemini-extension.json": '{"name": "money", "version": "1.0.0"}\n',
    "home/.gemini/extensions/money/GEMINI.md": "Round half to even.\n",
}

SHARED = {
    "repo/AGENTS.md": "# Desk\n\nRun the tests with `make test`.\nWrite dates as ISO 8601.\n",
    "repo/CLAUDE.md": "@AGENTS.md\n\nAsk before you add a dependency.\n",
    "repo/GEMINI.md": "@AGENTS.md\n\nAnswer in short sentences.\n",
    "repo/.roo/rules/style.md": "Short names.\n",
    "repo/.claude/rules/tests.md": "One assertion for each test.\n",
    "repo/SOUL.md": "Be kind.\n",
    "repo/desk.py": "def total(): ...\n",
    "home/.gemini/GEMINI.md": "Answer in English.\n",
    "home/.codex/config.toml": "",
}


def apps_at(folder: Path, **more: object) -> Scenario:
    """A scenario in an app of the monorepo, which is made below `folder`."""
    return _made(folder, FILES, "repo/Apps/till", more)


def shared_at(folder: Path, **more: object) -> Scenario:
    """A scenario in the repository that all agents read."""
    return _made(folder, SHARED, "repo", more)


def _made(folder: Path, files: Mapping[str, str], workspace: str, more: Mapping[str, object]) -> Scenario:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder / "repo", check=True)
    values = {
        "agent": "gemini",
        "workspace": str(folder / workspace),
        "home": str(folder / "home"),
        "managed": str(folder / "managed"),
        "environment": ENVIRONMENT,
        "env": {"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        "mcp_servers": [],
        **more,
    }
    return Scenario.model_validate(values)
