"""`# Environment`: where the agent runs, and the models (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.scope import text
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Piece, computed, environment
from promptscope_engine.prompt.model import Lever

from .shared import machine_facts


def classic_environment(m: Materials) -> Iterator[Piece]:
    """2.1.100 holds the machine's facts and the model in use; later versions only what is said of the models."""
    # Indented, as if the repository belonged to the directory.
    machine = machine_facts(m, "  - Is a git repository: ")
    models = text(m, "environment.models")
    yield from text(m, "environment.classic", machine=tuple(machine), models=tuple(models), **_model(m, CUTOFFS_100))


def models(m: Materials) -> Iterator[Piece]:
    """What is said of the models, under its heading."""
    return text(m, "environment.of_models", models=tuple(text(m, "environment.models")))


def facts(m: Materials) -> Iterator[Piece]:
    """2.1.329: the machine's facts in a message, and how to treat what comes from elsewhere."""
    return text(m, "environment.facts", machine=tuple(machine_facts(m)))


def model_line(m: Materials) -> Iterator[Piece]:
    """2.1.329: the model in use and its cutoff, on one line of a message."""
    return text(m, "environment.model", **_model(m, {m.model.id: m.model.cutoff}))


def of_subagent(m: Materials) -> Iterator[Piece]:
    """2.1.100: machine and model. 2.1.329 has both in messages."""
    machine, model = m.inputs.environment, _model(m, CUTOFFS_100)
    knowledge = tuple(text(m, "environment.subagent_knowledge", **model))
    return text(
        m,
        "environment.subagent",
        cwd=environment("cwd", m.cwd),
        is_git_repository=computed("is_git_repository", "true" if m.git_root else "false"),
        platform=environment("platform", machine.platform or ""),
        shell=environment("shell", (machine.shell or "unknown").rpartition("/")[2]),
        os_version=environment("os_version", f"{machine.os_type} {machine.os_version}"),
        knowledge=knowledge,
        **model,
    )


def _model(m: Materials, cutoffs: dict[str, str]) -> dict[str, object]:
    """What texts may say of the model in use."""
    date = cutoffs.get(m.model.id, "")
    named = _about(m, "name", m.model.known, "its id tells its name", "its id does not tell its name")
    names = {
        "display": computed("model.display", m.model.display),
        "name": computed("model.name", m.model.name if m.version == V100 or m.model.marked_long else m.model.id),
    }
    return {
        "model_in_use": tuple(text(m, "messages.model_in_use", named=named, model=names)),
        "cutoff_known": _about(m, "cutoff", bool(date), "its cutoff is known", "its cutoff is not known"),
        "cutoff": computed("model.cutoff", date),
    }


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
