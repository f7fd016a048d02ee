"""Where Claude Code looks for instruction files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.kit.near_misses import Place

NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")
_KIND = "claude-md"


def places(folders: Sequence[str], config: str, home: str) -> Iterator[Place]:
    """`folders` are those whose files load, from the outermost one that is the user's own."""
    for folder in folders:
        base = folder.rstrip("/")
        if base == home:
            continue
        yield Place(folder, _KIND, NAMES, others={"CLAUDE.override.md": "Claude Code knows no file of this name"})
        yield Place(f"{base}/.claude", _KIND, ("CLAUDE.md", "AGENTS.md"), others=_IN_DOT_CLAUDE)
    own = {
        "CLAUDE.local.md": "in ~/.claude only CLAUDE.md counts; CLAUDE.local.md belongs to a project",
        "AGENTS.md": "in ~/.claude only CLAUDE.md counts",
    }
    yield Place(config, _KIND, ("CLAUDE.md",), others=own)
    if home not in folders:
        at_home = {name: f"the user's own file is ~/.claude/CLAUDE.md, not ~/{name}" for name in NAMES}
        yield Place(home, _KIND, others=at_home)


_IN_DOT_CLAUDE = {
    "CLAUDE.local.md": "CLAUDE.local.md counts beside .claude, not in it",
    "rules.md": "rules are the .md files of the folder .claude/rules",
}
