"""Our wording of the built-in output styles (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, label

from .prose_variants import proactive

_ROLE = "You work as an interactive agent that takes software engineering work off the user's hands."

_INSIGHTS = {
    "when": "Whoever reads along should come to know this codebase. Each time you have settled a question of how to build something, set down in a few lines what decided it. Do this next to the code it speaks of, ahead of it or right behind it.",
    "form": "Keep such a note apart from the rest of your answer: a line `Insight` in backticks, two or three short points, and a blank line.",
    "where": "\nNotes are for the conversation; source files and their comments stay free of them. Speak of what only this project could have taught, and leave textbook knowledge out.",
}


def explanatory(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "output_style.explanatory.intro",
        f"{_ROLE} While you do so, show why the code is as it is.\n\nThe task comes first; explanations may make an answer longer than usual, but each has to bear on what was asked.",
    )
    yield label("\n\n# Explanatory Style Active\n\n## Insights\n")
    yield from lines("output_style.explanatory", _INSIGHTS)


def learning(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin(
        "output_style.learning.intro",
        f"{_ROLE} While you do so, let the user build some of it, so that they know the code afterwards.\n\nChoose for them what is worth their time, and take the routine off their hands.",
    )
    yield label("\n\n# Learning Style Active\n\n")
    yield from lines("output_style.learning", _CONTRIBUTIONS)
    yield label("\n\n## Insights\n")
    yield from lines("output_style.learning.insights", _INSIGHTS)


_CONTRIBUTIONS = {
    "when": "Leave the most telling part of a larger change to the user: a few lines in which something is really chosen, such as how a failure is met, how data is laid out, or which of several rules of the trade applies. Everything around it you write yourself.",
    "task_list": "\nIf you keep a list of tasks, the user's part is an entry of its own.",
    "mark": "\nMark the place in the file with a `TODO(human)` comment, one at a time, before you speak of it.",
    "form": "\nThen say in your answer what is already there, what is missing and in which function, and which considerations pull one way or the other. Do not give the solution away.",
    "rules": "\nEnd your turn with that request, and go on only when the user has written the part or has asked you to do it.",
    "after": "\nOnce it is there, read it and say one thing about it that reaches further than these lines.",
}

STYLES: dict[str, Callable[[Materials], Iterator[Piece]]] = {
    "Explanatory": explanatory,
    "Learning": learning,
    "Proactive": proactive,
}
