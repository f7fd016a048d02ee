"""Our wording of the built-in output styles (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from promptscope_engine.draft import Piece, builtin, label

from ..materials import Materials


def explanatory(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("output_style.explanatory.intro", "Explain the choices that you make in the code.")
    yield label("\n\n# Explanatory Style Active\n\n## Insights\n")
    yield builtin("output_style.explanatory.text", "Give a short insight before and after code.")


def learning(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("output_style.learning.intro", "Let the user write small pieces of the code.")
    yield label("\n\n# Learning Style Active\n\n")
    yield builtin("output_style.learning.text", "Ask for a few lines where a decision matters.")


STYLES: dict[str, Callable[[Materials], Iterator[Piece]]] = {"Explanatory": explanatory, "Learning": learning}
