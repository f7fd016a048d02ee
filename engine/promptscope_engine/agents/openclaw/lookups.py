"""Where OpenClaw looks for its workspace files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.near_misses import Place, Reads

NAMES = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md")
_KIND = "bootstrap"

READS = Reads(
    "OpenClaw does not look at this file by itself: it reads AGENTS.md, SOUL.md, TOOLS.md, IDENTITY.md, USER.md,"
    " HEARTBEAT.md, BOOTSTRAP.md and MEMORY.md in the agent's workspace folder, and skills",
    {
        **{name: f"OpenClaw reads {name} only in the agent's workspace folder" for name in NAMES},
        "SKILL.md": "OpenClaw looks for skills in skills and .agents/skills of the agent's workspace folder, in"
        " ~/.openclaw/skills and in ~/.agents/skills",
        "CLAUDE.md": "OpenClaw does not read CLAUDE.md: it reads AGENTS.md in the agent's workspace folder",
        "AGENTS.local.md": "OpenClaw has no AGENTS.local.md: it reads AGENTS.md in the agent's workspace folder",
        "GEMINI.md": "OpenClaw does not read GEMINI.md: it reads AGENTS.md in the agent's workspace folder",
    },
)


def places(folder: str, state: str) -> Iterator[Place]:
    """`folder` is the agent's workspace, `state` the folder of its settings."""
    theirs = {name: READS.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    yield Place(folder, _KIND, (*NAMES, "memory.md"), theirs=theirs)
    if state != folder:
        yield Place(state, _KIND, others={name: READS.sentence(name) for name in NAMES})
