"""Our wording of what ends the system prompt of 2.1.329: `# Context management` and the paragraph after it."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, label


def context_management(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Context management\n")
    yield from lines("context_management", _CONTEXT, between=" ")


_CONTEXT = {
    "summary": "When this conversation becomes long, part or all of it is condensed into a summary, and you carry on from there in a fresh context window.",
    "no_rush": "Work on in peace: there is no need to wind up early or to hand over halfway because the context is filling up.",
}


def closing(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "closing.act",
        "Act as soon as you know enough to do so. What has been settled need not be worked out again, what the user has decided is not to be argued anew, and ways that you will not take need no listing. Where there is something to choose, say what you recommend, and leave it at that.",
    )
