"""Codex's tools as text and JSON (agent.toml, tools/)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cache, partial
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.sources import FolderError
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.frozen import frozen
from promptscope_engine.wire.request import FixedSchema

from .gates import CHATGPT, PLANNING


class CodexFolder(Folder):
    """Knows the tables of tools, and finds a tool's texts by the ids within other tools and namespaces, too."""

    def own_checks(self) -> Iterator[Callable[[], object]]:
        for shape in ("lite", "classic"):
            for name, condition in self.agent.get(shape, {}).items():
                if condition:
                    yield partial(self.expression, condition, "agent.toml")
                if not name.endswith("@servers"):
                    yield partial(self._is_tool, name)

    def _is_tool(self, name: str) -> None:
        if self._place_of_tool(name) is None:
            line = self.line_of("agent.toml", name)
            raise FolderError(self.path / "agent.toml", line, f"there is no tool {name}")

    def place_of(self, wording: str) -> tuple[Path, int] | None:
        """`tools.functions.wait`, `tools.exec.clock__curr_time`, or a parameter, `tools.web__run.time`."""
        return super().place_of(wording) or self._place_of_tool(wording.removeprefix("tools."))

    def _place_of_tool(self, wording: str) -> tuple[Path, int] | None:
        known, parts = self.sources.tools, wording.replace("__", ".").split(".")
        at = next((at for at in reversed(range(len(parts))) if parts[at] in known), None)
        if at is None:
            return None
        name, namespace, parameter = parts[at], ".".join(parts[:at][-1:]), parts[at + 1 :]
        file = f"{name}@{namespace}" if f"{name}@{namespace}" in known else name
        if not parameter:
            return self.path / known[file].file, 1
        schema = self.path / "tools" / f"{file}.json"
        return schema, key_line(schema.read_text("utf-8"), ("properties", *parameter), "json") or 1


FOLDER = CodexFolder(
    Path(__file__).parent,
    Vocabulary(
        {"planning": PLANNING, "chatgpt": CHATGPT},
        words=frozenset({"sandbox"}),
    ),
)


@frozen(slots=False)
class ToolText:
    """A tool's description and schema; a freeform one takes a text and has none.

    `returns` is the TypeScript type of what a script is given by it, `gates` the conditions of parameters. `others` are
    (condition, parameter, schema) of a parameter's further forms.
    """

    group: str
    description: str
    schema: Json = None
    returns: str = "unknown"
    gates: Mapping[str, str] = field(default_factory=dict)
    others: tuple[tuple[str, str, Json], ...] = ()


@cache
def tool_text(name: str, form: str = "") -> ToolText:
    """The tool of a file: that of NAME@FORM where there is one, of a namespace or of a case."""
    file = f"{name}@{form}" if f"{name}@{form}" in FOLDER.sources.tools else name
    head, schema = FOLDER.sources.tools[file].head, FOLDER.sources.schemas.get(file)
    returns = head.get("returns", "unknown")
    if schema is None or schema["type"] == "grammar":
        return ToolText(head["group"], FOLDER.words(file), returns=returns)
    parts: dict[str, dict[str, Json]] = schema["properties"]
    gates = {key: each["when"] for key, each in parts.items() if "when" in each}
    forms = {key: [_sent(form) for form in each.get("forms", (each,))] for key, each in parts.items()}
    usual = {key: each[-1] for key, each in forms.items()}
    others = tuple(
        (parts[key]["forms"][at]["if"], key, FixedSchema({**schema, "properties": {**usual, key: form}}))
        for key, each in forms.items()
        for at, form in enumerate(each[:-1])
    )
    sent = FixedSchema({**schema, "properties": usual})
    return ToolText(head["group"], FOLDER.words(file), sent, returns, gates, others)


def _sent(part: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in part.items() if key not in ("when", "if")}


@cache
def base_parts(base: str) -> tuple[tuple[str, str], ...]:
    """(id, text) of the base instructions of a kind of model, by the names of the catalogue.

    Models of a family share most of their texts; a text asks for the kind as `base.gpt_6_luna`.
    """
    kinds = FOLDER.agent["base"]
    scope = Scope({"base": {re.sub(r"[^a-z0-9]", "_", name): name == base for name in kinds}})
    texts, parts = kinds[base]["texts"], kinds[base]["parts"]
    return tuple((part, "".join(p.text for p in FOLDER.pieces(f"base.{texts}.{part}", scope))) for part in parts)
