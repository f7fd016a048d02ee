"""Our wording of `# Environment` in the system prompt: where the agent runs, and the models (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, builtin, computed, guarded, label
from promptscope_engine.prompt.model import Lever

from .shared import machine_facts


def classic_environment(m: Materials) -> Iterator[Piece]:
    """Layout A holds the machine's facts and the model in use; layout A' only what is said of the models."""
    yield label("# Environment\n")
    yield builtin("environment.intro", "This is the setting in which you were started:\n", when=gates.IS_100)
    # Indented, as if the repository belonged to the directory.
    yield from guarded(machine_facts(m, "  - Is a git repository: "), gates.IS_100)
    yield from _model_in_use(m)
    older = m.gates.layout_is("A'")
    yield builtin("environment.family", "\n" + _FAMILY_100, when=gates.IS_100)
    yield builtin("environment.family", _FAMILY_329, when=older)
    yield builtin("environment.surfaces", "\n" + _SURFACES)
    yield builtin("environment.fast_mode", "\n" + _FAST_MODE_100, when=gates.IS_100)
    yield builtin("environment.fast_mode", "\n" + _FAST_MODE_329, when=older & ~gates.EXCLUDE_DYNAMIC)


def model_facts(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    """Layout B: only what is said of the models."""
    yield label("# Environment\n")
    yield builtin("environment.family", _FAMILY_329)
    yield builtin("environment.surfaces", "\n" + _SURFACES)
    yield builtin("environment.fast_mode", "\n" + _FAST_MODE_329, when=~gates.EXCLUDE_DYNAMIC)


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
_FAMILY_100 = " - The newest family of Claude models is 4.5/4.6. IDs: Opus 4.6 is 'claude-opus-4-6', Sonnet 4.6 'claude-sonnet-4-6', Haiku 4.5 'claude-haiku-4-5-20251001'. Applications that use AI should, unless told otherwise, be built on the newest and most capable of these."
_FAMILY_329 = " - The newest Claude models are those of the 5.5 family. IDs: Opus 5.5 is 'claude-opus-5-5', Sonnet 5.5 'claude-sonnet-5-5', Haiku 5.5 'claude-haiku-5-5'. Applications that use AI should, unless told otherwise, be built on the newest and most capable of these."
_SURFACES = " - Claude Code comes as a CLI for the terminal, as a desktop app (Mac/Windows), as a web app (claude.ai/code) and as extensions for IDEs (VS Code, JetBrains)."
_FAST_MODE_100 = " - Fast mode keeps to the same Claude Opus 4.6 and only makes its output quicker; it does NOT change to a smaller model. /fast switches it."
_FAST_MODE_329 = " - Fast mode, which is switched with /fast in the session, serves a Claude Opus model with quicker output; it does not go down to a smaller model for the sake of speed."
