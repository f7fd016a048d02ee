"""What 2.1.100 tells a sub-agent of the machine and the model, and later versions of a memory of its own."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import AgentMemory, Materials
from promptscope_engine.prompt.drafts import Piece, builtin, computed, environment, label

from .prose_environment import CUTOFFS_100, cutoff, model_in_use
from .prose_messages import memory_cut


def surroundings(m: Materials) -> Iterator[Piece]:
    """2.1.100: machine and model. 2.1.329 has both in messages."""
    facts = m.inputs.environment
    yield builtin("subagent_environment.intro", "What follows tells you about the surroundings in which you work:")
    yield label("\n<env>\nPrimary working directory: ")
    yield environment("cwd", m.cwd)
    yield label("\nIs a git repository: ")
    yield computed("is_git_repository", "true" if m.git_root else "false")
    yield label("\nPlatform: ")
    yield environment("platform", facts.platform or "")
    yield label("\nShell: ")
    yield environment("shell", (facts.shell or "unknown").rpartition("/")[2])
    yield label("\nOS Version: ")
    yield environment("os_version", f"{facts.os_type} {facts.os_version}")
    yield label("\n</env>\n\n")
    yield from model_in_use(m)
    yield from cutoff(m, "\n\nYour knowledge ends in ", CUTOFFS_100.get(m.model.id, ""))


_SCOPES = {
    "project": "The whole team has this memory through version control: keep in it what concerns this project",
    "user": "This memory serves you in every project of the user, so keep what you learn general",
    "local": "This memory stays out of version control: keep in it what concerns this project on this machine",
}


def memory_index(memory: AgentMemory, scope: str) -> Iterator[Piece]:
    """Whom the memory is for, and its MEMORY.md."""
    yield label("\n\n- ")
    yield builtin("agent_memory.scope", _SCOPES[scope])
    yield label("\n\n## MEMORY.md\n\n")
    if memory.refused:
        yield builtin(
            "agent_memory.refused",
            "MEMORY.md is there and was not loaded, because a link leads to it or it is no ordinary file. Do not write "
            "into this folder in this session.",
        )
    elif not memory.pieces:
        yield builtin("agent_memory.empty", "MEMORY.md has nothing in it yet. It shows what you save.")
    yield from memory.pieces
    if memory.cut is not None:
        yield label("\n\n> WARNING: MEMORY.md is ")
        yield from memory_cut(memory.cut)
