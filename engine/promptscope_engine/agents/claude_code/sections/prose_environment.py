"""Our wording of `# Environment` in the system prompt: where the agent runs, and the models (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label
from promptscope_engine.prompt.model import Lever

from .shared import machine_facts


def classic_environment(m: Materials) -> Iterator[Piece]:
    """Layout A holds the machine's facts and the model in use; layout A' only what is said of the models."""
    yield label("# Environment\n")
    yield builtin("environment.intro", "This is the setting in which you were started:\n", when=gates.IS_100)
    for piece in machine_facts(m):
        yield piece.under(gates.IS_100)
    yield from _model_in_use(m)
    yield from lines("environment", _MODELS_100, before="\n", when=gates.IS_100)
    yield from lines("environment", _MODELS_329, when=m.gates.layout_is("A'"))


def model_facts(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    """Layout B: only what is said of the models."""
    yield label("# Environment\n")
    yield from lines("environment", _MODELS_329)


def _model_in_use(m: Materials) -> Iterator[Piece]:
    yield builtin("environment.model", "\n - The model that drives you is ", when=gates.IS_100)
    yield computed("model.display", m.model.display, when=gates.IS_100)
    yield builtin("environment.model_id", "; its exact ID is ", when=gates.IS_100)
    yield computed("model.name", m.model.name, when=gates.IS_100)
    yield label(".", when=gates.IS_100)
    cutoff = _CUTOFFS.get(m.model.id, "")
    known = Observed(
        "model",
        "cutoff",
        bool(cutoff),
        "its cutoff is known",
        "its cutoff is not known",
        actual=m.model.id,
        on=(Lever("model", next(iter(_CUTOFFS))),),
    )
    yield builtin("environment.cutoff", "\n - Your knowledge ends in ", when=gates.IS_100 & known)
    yield computed("model.cutoff", cutoff, when=gates.IS_100 & known)
    yield label(".", when=gates.IS_100 & known)


# As Anthropic's public table of models gives them.
_CUTOFFS = {
    "claude-opus-4-6": "May 2025",
    "claude-sonnet-4-6": "August 2025",
    "claude-opus-4-5-20251101": "May 2025",
    "claude-sonnet-4-5-20250929": "January 2025",
    "claude-haiku-4-5-20251001": "February 2025",
}
_MODELS_100 = {
    "family": " - The newest family of Claude models is 4.5/4.6. IDs: Opus 4.6 is 'claude-opus-4-6', Sonnet 4.6 'claude-sonnet-4-6', Haiku 4.5 'claude-haiku-4-5-20251001'. Applications that use AI should, unless told otherwise, be built on the newest and most capable of these.",
    "surfaces": " - Claude Code comes as a CLI for the terminal, as a desktop app (Mac/Windows), as a web app (claude.ai/code) and as extensions for IDEs (VS Code, JetBrains).",
    "fast_mode": " - Fast mode keeps to the same Claude Opus 4.6 and only makes its output quicker; it does NOT change to a smaller model. /fast switches it.",
}
_MODELS_329 = {
    "family": " - The newest Claude models are those of the 5.5 family. IDs: Opus 5.5 is 'claude-opus-5-5', Sonnet 5.5 'claude-sonnet-5-5', Haiku 5.5 'claude-haiku-5-5'. Applications that use AI should, unless told otherwise, be built on the newest and most capable of these.",
    "surfaces": " - Claude Code comes as a CLI for the terminal, as a desktop app (Mac/Windows), as a web app (claude.ai/code) and as extensions for IDEs (VS Code, JetBrains).",
    "fast_mode": " - Fast mode, which is switched with /fast in the session, serves a Claude Opus model with quicker output; it does not go down to a smaller model for the sake of speed.",
}
