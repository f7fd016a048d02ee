"""The files beside a definition that hold its texts: sections/NAME.md, tools/NAME.md and tools/NAME.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from promptscope_engine.agents.declared.reading import Read
from promptscope_engine.agents.declared.texts import OwnTexts, Texted
from promptscope_engine.agents.kit.lint import mistakes
from promptscope_engine.agents.kit.sources import SECTION_KEYS, TOOL_KEYS, FolderError, Sources, as_source
from promptscope_engine.agents.kit.tool_schemas import ToolSchema
from promptscope_engine.formats.document import unfit
from promptscope_engine.inputs.params import Params
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .places import Places
from .sources import source

MAX_BYTES = 200_000
"""Of a file with a text of the prompt."""


def texts_of(read: Read, params: type[Params], places: Places, workspace: Workspace) -> OwnTexts:
    """The sections and tools that are in files of their own; the same until one is saved."""
    key = ("texts of a definition", read.path, places.bounds)
    return workspace.memo(key, lambda: _Files(read, params, places, workspace).all(), tracked=True)


class _Files:
    def __init__(self, read: Read, params: type[Params], places: Places, workspace: Workspace) -> None:
        self.read, self.params, self.places, self.workspace = read, params, places, workspace
        self.written: dict[str, str] = {}
        self.problems: dict[str, Texted] = {}
        self.mistakes: list[FolderError] = []
        self.diagnostics: list[Diagnostic] = []

    def all(self) -> OwnTexts:
        definition = self.read.definition
        sections = dict(
            self.texts("sections/**/*.md", SECTION_KEYS - {"id", "measured"}) if definition.sections else ()
        )
        tools = dict(self.texts("tools/*.md", TOOL_KEYS) if definition.tools else ())
        schemas = dict(self.schemas() if definition.tools else ())
        sources = Sources(_table(self.read, sections), sections, tools, schemas, {})
        texts = OwnTexts(self.read, self.params, sources, self.written, self.problems, self.mistakes, self.diagnostics)
        self.mistakes += self.missing(texts)
        if not self.mistakes:
            self.unused(texts)
            self.mistakes += mistakes(texts)
        return texts

    def found(self, pattern: str) -> Iterator[tuple[str, str, Path]]:
        """(name, file, path) of each file; what is written in it is kept."""
        found = self.places.found(pattern)
        if found.limit:
            self.diagnostics.append(
                Diagnostic("warning", "definition-limit", f"`{pattern}`: {found.limit}", self.read.path)
            )
        for path in found.paths:
            file = self.places.shown(path)
            read = source(path, self.places, self.workspace, MAX_BYTES)
            self.written[file] = read.text.replace("\r\n", "\n")
            if read.state.problem and not read.is_blank:
                self.problems[file] = read.state
            yield file.partition("/")[2].rpartition(".")[0].replace("/", "."), file, Path(path)

    def texts(self, pattern: str, keys: frozenset[str]) -> Iterator[tuple[str, Any]]:
        for name, file, path in self.found(pattern):
            try:
                yield name, as_source(self.written[file], path, keys, file)
            except FolderError as error:
                self.mistakes.append(error)

    def schemas(self) -> Iterator[tuple[str, Any]]:
        for name, file, path in self.found("tools/*.json"):
            try:
                value = json.loads(self.written[file] or "{}")
                if problem := unfit({"": value}):
                    raise ValueError(problem[1])
                ToolSchema(value)
                yield name, value
            except RecursionError:
                self.mistakes.append(FolderError(path, None, "it is nested too deeply"))
            except ValueError as error:
                message = str(getattr(error, "msg", error))
                self.mistakes.append(
                    FolderError(path, getattr(error, "lineno", None), message[:1].lower() + message[1:])
                )
            except (AttributeError, LookupError, TypeError):
                self.mistakes.append(FolderError(path, None, "this is no schema of a tool"))

    def missing(self, texts: OwnTexts) -> Iterator[FolderError]:
        """Tools without a text."""
        for name in texts.headings:
            if f"tools/{name}.md" not in self.written:
                line = texts.line_of(texts.main, f'"{name}"')
                yield FolderError(self.read.path, line, f"there is no tools/{name}.md")

    def unused(self, texts: OwnTexts) -> None:
        ordered = {name for group in texts.agent["sections"] for name in group["order"]}
        where = {"sections": ("`order` of [[sections]]", ordered), "tools": ("group of [tools]", texts.headings)}
        for file in self.written:
            kind, _, rest = file.partition("/")
            name = rest.rpartition(".")[0].replace("/", ".").partition("@")[0]
            if name not in where[kind][1]:
                said = f"{file} is in no {where[kind][0]}: it is not used"
                self.problems[file] = Texted(file, said, f"put `{name}` into the {where[kind][0]}")
                self.diagnostics.append(Diagnostic("info", "unused-text", said, f"{self.places.folder}/{file}"))


def _table(read: Read, sections: Mapping[str, object]) -> dict[str, Any]:
    """The definition as an agent.toml."""
    definition = read.definition
    places: dict[str, dict[str, Any]] = {"system": {}, "messages": {"message": 1}}
    for name, table in definition.places.items():
        places[name] = {key: value for key in table.model_fields_set if (value := getattr(table, key)) is not None}
    groups = []
    seen = {name for group in definition.sections for name in group.order}
    for group in definition.sections:
        said = {key: value for key in group.model_fields_set if (value := getattr(group, key)) is not None}
        groups.append({"place": "system", **said, "order": list(_ordered(group.order, sections, seen))})
    if not definition.sections:
        groups.append({"order": [f"@{table.id}" for table in definition.section]})
    return {
        "versions": read.versions,
        "sections": groups,
        "places": {name: {"block": name, "gap": definition.gap, **table} for name, table in places.items()},
        "tools": {"groups": definition.tools.groups if definition.tools else {}},
    }


def _ordered(order: list[str], sections: Mapping[str, object], seen: set[str]) -> Iterator[str]:
    """An order with the names that `rules.*` stands for: those that nothing names before."""
    for name in order:
        if name.endswith(".*"):
            found = [each for each in sections if each.startswith(name[:-1]) and "@" not in each and each not in seen]
            seen.update(found)
            yield from found
        else:
            yield name
