"""A workspace with a definition, and its assembly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.prompt.model import Diagnostic

FILE = "promptscope-agent.toml"
EXAMPLE = Path(__file__).parents[4] / "examples" / "support"
HEAD = 'id = "mine"\n'


def put(place: Path, written: str, **files: str) -> Path:
    """The folders of a scenario, with a definition and files (`rules__a` is `rules/a.md`) in the workspace."""
    for folder in ("workspace", "home", "managed"):
        (place / folder).mkdir(exist_ok=True)
    (place / "workspace" / FILE).write_text(written, encoding="utf-8", newline="")
    for name, text in files.items():
        path = place / "workspace" / (name.replace("__", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return place


def asked(place: Path, **more: Any) -> Scenario:
    """The scenario of the workspace, whose agent is detected unless it is given."""
    agent = more.pop("agent", None)
    return frozen_scenario("mine", place, **more).model_copy(update={"agent": agent})


def made(place: Path, workspace: Workspace | None = None, **more: Any) -> Assembly:
    """The assembly."""
    return assemble(asked(place, **more), workspace, cached_only=True)


def told(assembly: Assembly) -> list[Diagnostic]:
    """What is said of a definition, but for the note on the old form."""
    return [each for each in assembly.diagnostics if each.code != "old-form"]
