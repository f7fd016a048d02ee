"""The recorded tools of both versions, and ours as they are drafted in the same variant.

`data/claude-code-tools-*.json` holds the schemas without their prose, `data/tool-points.json` the sizes of every
paragraph and bullet of the descriptions. Neither holds a sentence of the real text.

    python -m tests.engine.agents.claude_code.recorded_tools          a table: ours beside what was recorded
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from promptscope_engine import Scenario
from promptscope_engine.assembly.drafting import draft
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Choice, ToolDraft
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

V100, V329 = "2.1.100", "2.1.329"
OLD_MODEL, NEW_MODEL, CLASSIC_MODEL = "claude-sonnet-4-5-20250929", "claude-opus-5-5", "claude-sonnet-4-6"
DATA = Path(__file__).parent / "data"
HEADLESS: Mapping[str, Any] = {"params": {"args": {"print": True}}}
TEAMS = {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}
NO_BACKGROUND = {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}
NO_GIT = {"params": {"args": {"print": True}, "settings": {"includeGitInstructions": False}}}
BARE = {"params": {"args": {"print": True, "bare": True}}}


@dataclass(frozen=True)
class Points:
    """What was recorded of one description: its size, and the sizes of its paragraphs and bullets, in order."""

    tool: str
    variant: str
    chars: int
    units: Sequence[int]

    @property
    def version(self) -> str:
        return V100 if self.variant.startswith(V100) else V329

    @property
    def model(self) -> str:
        if self.version == V100:
            return CLASSIC_MODEL
        return NEW_MODEL if self.variant.startswith("B ") else OLD_MODEL

    @property
    def ours(self) -> list[str]:
        """Our units in the same variant: a span with an id of its own that begins with a line break begins one."""
        facts, tools = drafted(self.version, self.model, json.dumps(self._scenario()))
        text: list[str] = []
        current = ""
        for span in tools[self.tool].description:
            if span.text and span.when.holds(facts):
                begins = span.text.startswith("\n") and span.origin.id != current
                if text and not begins:
                    text[-1] += span.text
                else:
                    text.append(span.text)
                current = span.origin.id or current
        return text

    def _scenario(self) -> dict[str, Any]:
        switches: dict[str, Mapping[str, Any]] = {
            "agent teams": {"env": TEAMS},
            "background": {"env": NO_BACKGROUND},
            "no-git": NO_GIT,
            "git instructions off": NO_GIT,
            "bare": BARE,
            "plan mode": {"mode": "plan"},
        }
        chosen = next((more for words, more in switches.items() if words in self.variant), dict[str, Any]())
        return {**({} if "interactive" in self.variant else HEADLESS), **chosen}


@cache
def drafted(version: str, model: str, scenario: str) -> tuple[Facts, dict[str, ToolDraft]]:
    """The facts of a scenario, given as JSON, and its tools by name, absent ones too."""
    values: dict[str, Any] = {
        "agent": "claude-code",
        "agent_version": version,
        "model": model,
        "workspace": "/repo/project",
        "home": "/home/user",
        "environment": {"platform": "linux", "os_type": "Linux", "shell": "/bin/bash", "date": "2026-11-20"},
        "mcp_servers": [],
        **json.loads(scenario),
    }
    values["env"] = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", **values.get("env", {})}
    workspace = Workspace(EmptyDisk())
    made = draft(resolve(Scenario.model_validate(values), workspace), workspace)
    return made.facts, {tool.name: tool for tool in made.tools}


@cache
def points() -> list[Points]:
    """Every recorded description whose sizes are known."""
    loaded = json.loads((DATA / "tool-points.json").read_text(encoding="utf-8"))
    return [Points(**entry) for entry in loaded["tools"]]


def body(unit: str) -> str:
    """A unit as it was measured: without its indentation and the line breaks around it."""
    return unit.strip(" \n")


def near(ours: int, recorded: int) -> bool:
    """Within a tenth; a short text within 12 characters."""
    return abs(ours - recorded) <= (12 if recorded < 60 else recorded / 10)


def sent_schema(tool: ToolDraft, facts: Facts) -> dict[str, Any]:
    """The schema as the request has it."""
    chosen = cast(Choice[Any], tool.input_schema).under(facts)
    absent = {parameter.name for parameter in tool.parameters if not parameter.when.holds(facts)}
    return {**chosen, "properties": {n: p for n, p in chosen["properties"].items() if n not in absent}}


@cache
def reference(version: str) -> dict[str, Any]:
    """The recorded schemas and sizes of a version."""
    loaded: dict[str, Any] = json.loads((DATA / f"claude-code-tools-{version}.json").read_text(encoding="utf-8"))
    return loaded


def scenario_of(variant: Mapping[str, Any]) -> str:
    """The scenario of a recorded variant, as far as it matters for schemas: JSON."""
    how = variant["how"]
    args: dict[str, Any] = {} if how["interactive"] else {"print": True}
    found: dict[str, Any] = {"params": {"args": args}}
    if "env" in how:
        found["env"] = how["env"]
    if "--bare" in how.get("args", ()) or "bare" in how.get("args", ()):
        args["bare"] = True
    return json.dumps(found)


def schemas(version: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any], str, str]]:
    """(tool, recorded skeleton, recorded sizes, model, scenario), each combination once."""
    recorded = reference(version)
    for name, tool in recorded["tools"].items():
        for schema in tool["schemas"]:
            for text in schema["texts"]:
                found = set()
                for variant in _variants(recorded, name, text):
                    found.add((recorded["variants"][variant]["model"], scenario_of(recorded["variants"][variant])))
                for model, scenario in sorted(found):
                    yield name, schema["skeleton"], text, model, scenario


def _variants(recorded: dict[str, Any], name: str, text: dict[str, Any]) -> list[str]:
    """The variants in which the tool was sent with this schema."""
    if isinstance(text["variants"], list):
        return list(text["variants"])
    tool = recorded["tools"][name]
    others = {v for s in tool["schemas"] for t in s["texts"] if isinstance(t["variants"], list) for v in t["variants"]}
    return [v for v, how in recorded["variants"].items() if name in how["tools"] and v not in others]


def descriptions(schema: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, description) of every described part of a schema, with the paths of the recorded sizes."""
    if not isinstance(schema, dict):
        return
    if path and "description" in schema:
        yield path, schema["description"]
    for name, part in schema.get("properties", {}).items():
        yield from descriptions(part, f"{path}.{name}" if path else name)
    yield from descriptions(schema.get("items"), f"{path}[]")
    for index, part in enumerate(schema.get("anyOf", [])):
        yield from descriptions(part, f"{path}<{index}>")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from descriptions(schema["additionalProperties"], f"{path}{{additionalProperties}}")


def skeleton(schema: Any) -> Any:
    """A schema without its prose."""
    if isinstance(schema, list):
        return [skeleton(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    prose = ("description", "$schema")
    return {
        key: {name: skeleton(p) for name, p in part.items()} if key == "properties" else skeleton(part)
        for key, part in schema.items()
        if key not in prose
    }


def table() -> Iterator[str]:
    """A line for each recorded description: points made and listed, our length and the recorded one."""
    for recorded in points():
        ours = recorded.ours
        size = sum(map(len, ours))
        share = f"{100 * size / recorded.chars - 100:+.1f} %"
        made = f"{len(ours)}/{len(recorded.units)}"
        yield f"{recorded.tool:24}{recorded.variant:44}{made:>8}{size:>7}{recorded.chars:>7}{share:>9}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(table()) + "\n")
