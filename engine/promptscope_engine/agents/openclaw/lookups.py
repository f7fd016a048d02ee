"""Where OpenClaw looks for its workspace files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.near_misses import Place, Reads

NAMES = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md")
_KIND = "bootstrap"


def places(folder: str, state: str, reads: Reads) -> Iterator[Place]:
    """`folder` is the agent's workspace, `state` the folder of its settings."""
    theirs = {name: reads.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    yield Place(folder, _KIND, (*NAMES, "memory.md"), theirs=theirs)
    if state != folder:
        yield Place(state, _KIND, others={name: reads.sentence(name) for name in NAMES})
