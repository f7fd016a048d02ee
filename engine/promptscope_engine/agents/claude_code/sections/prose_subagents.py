"""What 2.1.100 tells a sub-agent of the machine and the model (specs/claude-code.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, computed, environment, label

from .prose_environment import CUTOFFS_100, cutoff, model_in_use


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
