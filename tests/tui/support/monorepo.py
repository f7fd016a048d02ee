"""A monorepo with a chain of five CLAUDE.md files, imports and rules, and recorded conversations in its home."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from promptscope_engine.inputs.scenario import Scenario

from .roo_shop import scenario_of

CHAIN = (".", "packages", "packages/web", "packages/web/src", "packages/web/src/ui")

FILES = {
    ".claude/rules/always.md": "Commit small.\n",
    ".claude/rules/ts.md": "---\npaths: packages/**/*.ts\n---\nUse strict types.\n",
    ".claude/rules/scala.md": "---\npaths: '*.scala'\n---\nNo implicits.\n",
    ".mcp.json": '{"mcpServers": {"weather": {"command": "never-run"}}}\n',
    "docs/style.md": "Short sentences.\n",
    "packages/web/src/main.ts": "export {}\n",
    "packages/web/src/ui/button.ts": "export {}\n",
}

_USAGE = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")


def monorepo_at(folder: Path, start: str = ".", **more: object) -> Scenario:
    """A scenario that starts in a folder of the monorepo below `folder`, which is made where it is missing."""
    root = folder / "mono"
    if not root.exists():
        make(root)
        record(folder / "home", root)
    values: dict[str, object] = {"agent": "claude-code", "agent_version": "2.1.100", "mode": None, "model": None}
    values |= {"workspace": str(root / start), "managed": str(folder / "managed"), **more}
    return scenario_of(folder, **values)


def make(root: Path) -> None:
    """The repository, with one commit."""
    for name in CHAIN:
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name / "CLAUDE.md").write_text(f"# Rules of {Path(name).name or 'the root'}\n")
    (root / "CLAUDE.md").write_text("# Rules of the root\n\nSee @docs/style.md and @docs/missing.md.\n")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Begin")


def git(root: Path, *words: str) -> None:
    """Git with nothing of this machine in it: the commits have the same names everywhere."""
    env = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Ada")
    env |= dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "ada@example.invalid")
    env |= dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-03-02T12:00:00+00:00")
    env |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "PATH": os.environ["PATH"]}
    subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)


def record(home: Path, root: Path) -> Path:
    """A recording of this workspace that is compacted once and would be again; and one of another workspace."""
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(root))
    folder.mkdir(parents=True)
    lines: list[object] = []
    fill = 15_000
    for turn in range(60):
        begins = f"Fix bug {turn} \x1b[31mnow"
        result = [{"type": "tool_result", "content": "x" * (800 + 211 * (turn % 17))}]
        lines.append({"type": "user", "message": {"role": "user", "content": result if turn % 4 else begins}})
        fill += 3_500 + 170 * (turn % 11)
        usage = dict(zip(_USAGE, (5, fill - 500, 400, 95), strict=True))
        for block in (
            {"type": "text", "text": f"Looking at {turn}."},
            {"type": "tool_use", "name": "Read", "input": {}},
        ):
            message = {"id": f"m{turn}", "role": "assistant", "usage": usage, "content": [block]}
            lines.append({"type": "assistant", "message": message})
        if fill > 175_000:
            lines.append({"type": "system", "subtype": "compact_boundary"})
            fill = 22_000
    path = folder / "session-1.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n{broken\n")
    other = folder.parent / "-elsewhere" / "session-2.jsonl"
    other.parent.mkdir()
    other.write_text(json.dumps(lines[0]) + "\n")
    return path
