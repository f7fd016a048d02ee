"""The machine's facts as exact list items, and the date (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.prompt.drafts import Piece, computed, environment, label, param_value


def machine_facts(m: Materials) -> Iterator[Piece]:
    """The bullets from the working directory to the system's version, joined by line breaks, none at the end."""
    facts = m.inputs.environment
    yield label(" - Primary working directory: ")
    yield environment("cwd", m.cwd)
    # Layout A indents the repository line, as if it belonged to the directory.
    yield label("\n  - Is a git repository: " if m.layout == "A" else "\n - Is a git repository: ")
    yield computed("is_git_repository", "true" if m.git_root else "false")
    if m.additional:
        yield label("\n - Additional working directories:")
        for folder in m.additional:
            yield label("\n  - ")
            yield param_value("args.addDir", folder)
    yield label("\n - Platform: ")
    yield environment("platform", facts.platform or "")
    yield label("\n - Shell: ")
    yield environment("shell", (facts.shell or "unknown").rpartition("/")[2])
    yield label("\n - OS Version: ")
    yield environment("os_version", f"{facts.os_type} {facts.os_version}")


def date_of(m: Materials) -> str:
    """The day, `2026-11-20`."""
    return (m.inputs.environment.date or "")[:10]
