"""Where Gemini CLI looks for context files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.kit.near_misses import Place

MOVE_THE_BOUNDARY = "remove what ends the search, or set `context.memoryBoundaryMarkers`"
_KIND = "gemini-md"


def places(folders: Sequence[str], names: Sequence[str], own: str, home: str) -> Iterator[Place]:
    """`folders` are the project's, `names` those that count there; `own` is ~/.gemini."""
    for folder in folders:
        yield Place(folder, _KIND, tuple(names))
    servers = "Gemini CLI does not read .mcp.json: its servers are in `mcpServers` of .gemini/settings.json"
    yield Place(folders[-1], "mcp-config", theirs={".mcp.json": servers})
    yield Place(own, _KIND, tuple(names))
    if home not in folders:
        yield Place(
            home, _KIND, others={name: f"the user's own file is ~/.gemini/{name}, not ~/{name}" for name in names}
        )
