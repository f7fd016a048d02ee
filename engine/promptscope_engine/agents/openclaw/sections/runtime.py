"""Runtime (specs/openclaw.md 1 part 26, and 5): one line of facts, one on reasoning."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.builder import Parameter
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label

from .part import part


def runtime(materials: Materials) -> SectionDraft:
    """What the model runs on."""
    return part("runtime", "## Runtime", _lines(materials))


def _lines(materials: Materials) -> Iterator[Piece]:
    prompt = materials.prompt
    yield label("\nRuntime: ")
    for name, value in materials.runtime:
        yield label(f"{name}=", when=value.because)
        yield value.piece()
        yield label(" | ", when=value.because)
    yield label("thinking=")
    yield from _level(prompt.parameter("defaultThinkLevel"))
    yield label("\nReasoning: ")
    yield from _level(prompt.parameter("reasoningLevel"))
    yield builtin(
        "runtime.reasoning",
        " (not shown unless on/stream). /reasoning switches it; if on, /status has a line on Reasoning.",
    )


def _level(level: Parameter) -> Iterator[Piece]:
    yield level.piece()
    yield label("off", when=~level.because)
