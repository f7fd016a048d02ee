"""Our wording of `# Environment`: where the agent runs, and the models (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Piece, builtin, computed, guarded, label
from promptscope_engine.prompt.model import Lever

from .shared import machine_facts

_INTRO = "This is the setting in which you were started:"


def newer(m: Materials) -> Condition:
    """The long prompt is that of 2.1.329: version and model decide it together."""
    return m.gates.layout_is("A'")


def classic_environment(m: Materials) -> Iterator[Piece]:
    """2.1.100 holds the machine's facts and the model in use; 2.1.329 only what is said of the models."""
    yield label("# Environment\n")
    yield builtin("environment.intro", f"{_INTRO}\n", when=gates.IS_100)
    # Indented, as if the repository belonged to the directory.
    yield from guarded(machine_facts(m, "  - Is a git repository: "), gates.IS_100)
    yield label("\n - ", when=gates.IS_100)
    yield from guarded(model_in_use(m), gates.IS_100)
    cutoff_100 = CUTOFFS_100.get(m.model.id, "")
    yield from guarded(cutoff(m, "\n - Your knowledge ends in ", cutoff_100), gates.IS_100)
    yield from lines("environment", _MODELS_100, before="\n", when=gates.IS_100)
    yield from guarded(model_facts(m, heading=""), newer(m))


def model_facts(m: Materials, heading: str = "# Environment\n") -> Iterator[Piece]:  # noqa: ARG001
    """2.1.329: only what is said of the models."""
    yield label(heading)
    yield from lines("environment", _MODELS_329)
    # Recorded: the one bullet that --exclude-dynamic-… takes away and puts nowhere else.
    yield builtin("environment.fast_mode", f"\n{_FAST_MODE_329}", when=~gates.EXCLUDE_DYNAMIC)


def facts(m: Materials) -> Iterator[Piece]:
    """2.1.329: the machine's facts in a message, and how to treat what comes from elsewhere."""
    yield label("# Environment\n")
    yield builtin("environment.facts.intro", _INTRO)
    yield label("\n")
    yield from machine_facts(m)
    yield from lines("environment.facts", _UNTRUSTED, before="\n")


_UNTRUSTED = {
    "downloads": " - Whatever you download or unpack is untrusted material. Put it into an empty directory of its own; keep the scripts that you write for it in another place, and hand them its paths as arguments. Do not run them from inside of that directory, where a file that came along may be loaded in place of a module, and start Python as `python -I`. None of this concerns code that the user has asked you to run, such as a repository that is to be cloned, built and tested.",
    "curl": " - With curl, hand over values you do not trust by --form-string.",
}


def model_line(m: Materials) -> Iterator[Piece]:
    """2.1.329: the model in use and its cutoff, on one line of a message."""
    yield from model_in_use(m)
    yield from cutoff(m, " What you know goes as far as ", m.model.cutoff)


def model_in_use(m: Materials) -> Iterator[Piece]:
    named = _about(m, "name", m.model.known, "its id tells its name", "its id does not tell its name")
    yield builtin("environment.model", "You are driven by the model whose name is ", when=named)
    yield computed("model.display", m.model.display, when=named)
    yield builtin("environment.model_id", "; its exact ID is ", when=named)
    yield builtin("environment.model", "The model that drives you is ", when=~named)
    yield computed("model.name", m.model.name if m.version == V100 or m.model.marked_long else m.model.id)
    yield label(".")


def cutoff(m: Materials, before: str, date: str) -> Iterator[Piece]:
    known = _about(m, "cutoff", bool(date), "its cutoff is known", "its cutoff is not known")
    yield builtin("environment.cutoff", before, when=known)
    yield computed("model.cutoff", date, when=known)
    yield label(".", when=known)


def _about(m: Materials, name: str, ok: bool, yes: str, no: str) -> Condition:
    levers = (Lever("model", next(iter(CUTOFFS_100))),)
    return Observed("model", name, ok, yes, no, actual=m.model.id, on=levers, remedy="choose another model")


# As Anthropic's public tables of models give them; the lengths recorded with 2.1.329 agree.
CUTOFFS_100 = {
    "claude-opus-4-6": "May 2025",
    "claude-sonnet-4-6": "August 2025",
    "claude-opus-4-5-20251101": "May 2025",
    "claude-sonnet-4-5-20250929": "January 2025",
    "claude-haiku-4-5-20251001": "February 2025",
    "claude-sonnet-4-20250514": "January 2025",
}
_SURFACES = " - Claude Code comes as a CLI for the terminal, as a desktop app (Mac/Windows), as a web app (claude.ai/code) and as extensions for IDEs (VS Code, JetBrains)."
_MODELS_100 = {
    "family": " - The newest family of Claude models is 4.5/4.6. IDs: Opus 4.6 is 'claude-opus-4-6', Sonnet 4.6 'claude-sonnet-4-6', Haiku 4.5 'claude-haiku-4-5-20251001'. Applications that use AI should, unless told otherwise, be built on the newest and most capable of these.",
    "surfaces": _SURFACES,
    "fast_mode": " - Fast mode keeps to the same Claude Opus 4.6 and only makes its output quicker; it does NOT change to a smaller model. /fast switches it on and off.",
}
_MODELS_329 = {
    "family": " - The newest Claude models are those of the 5 family. IDs: Fable 5.1 is 'claude-fable-5-1', Opus 5.5 'claude-opus-5-5', Sonnet 5.5 'claude-sonnet-5-5', Haiku 5.5 'claude-haiku-5-5'. Applications that use AI should, unless told otherwise, be built on the newest and most capable of these.",
    "surfaces": _SURFACES,
}
_FAST_MODE_329 = " - Fast mode, which /fast switches on and off, keeps to the model in use if that one can be sped up, and takes a Claude Opus model otherwise. It never means a smaller model."
