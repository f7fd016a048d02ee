"""Where Codex looks for instruction files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.kit.near_misses import Place

MOVE_THE_ROOT = "remove what makes it the root, or set `project_root_markers` in ~/.codex/config.toml"
_KIND = "agents-md"


def places(folders: Sequence[str], names: Sequence[str], codex_home: str) -> Iterator[Place]:
    """`folders` are the project's, `names` those that count there."""
    theirs = {
        name: f"Codex does not read {name}: name it in `project_doc_fallback_filenames`, or move it to AGENTS.md"
        for name in ("CLAUDE.md", "GEMINI.md", "AGENT.md", "AGENTS.local.md")
        if name not in names
    }
    beside = {f".codex/{name}": f"Codex reads {name} beside .codex, not in it" for name in names}
    for folder in folders:
        inside = {} if f"{folder.rstrip('/')}/.codex" == codex_home else beside
        yield Place(folder, _KIND, tuple(names), others=inside, theirs=theirs)
        yield Place(f"{folder.rstrip('/')}/.codex/agents", "agent", ending=".toml")
    servers = "Codex does not read .mcp.json: its servers are in `mcp_servers` of config.toml"
    yield Place(folders[-1], "mcp-config", theirs={".mcp.json": servers})
    yield Place(codex_home, _KIND, tuple(names[:2]))
    yield Place(f"{codex_home}/agents", "agent", ending=".toml")
