"""A workspace with a definition, and its assembly."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.agents.declared import definition
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


TITLES = {
    "Definition": "top", "ModeTable": "`[[mode]]`", "ParamTable": "`[params.NAME]`", "GroupTable": "`[[sections]]`",
    "PlaceTable": "`[places.NAME]`", "ToolsTable": "`[tools]`", "SectionTable": "`[[section]]`",
    "ToolTable": "`[[tool]]`",
}  # fmt: skip
"""The tables of a definition, as the document has them."""


def reference() -> str:
    """The document's table of keys, in Markdown."""
    tables = tomllib.loads(Path(definition.__file__).with_suffix(".toml").read_text("utf-8"))
    rows = ["| table | key | what it says |", "|---|---|---|"]
    for name, where in TITLES.items():
        for number, (key, said) in enumerate(tables[name]["keys"].items()):
            row = {"help": said} if isinstance(said, str) else said
            default = row.get("default")
            is_needed = "default" not in row and not row.get("type", "text?").endswith("?")
            words = json.dumps(default) if isinstance(default, bool) or default == "\n\n" else default
            told = f"; `{words}`" if default not in (None, "", []) and default != {} else ""
            rows.append(f"| {'' if number else where} | `{key}` | {row['help']}{' (required)' * is_needed}{told} |")
    return "\n".join(rows) + "\n"
