"""The texts of a definition's folder, in the form that all agents' texts have (kit/text/folder.py)."""

import json
from collections.abc import Container, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.expressions import Vocabulary
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.lint import mistakes
from promptscope_engine.agents.kit.text.sources import (
    FolderError,
    Source,
    Sources,
    Table,
    as_source,
)
from promptscope_engine.agents.kit.text.texts import Scope, ToolSchema, Wording
from promptscope_engine.agents.schema.heads import SECTION_KEYS, TOOL_KEYS
from promptscope_engine.formats.document import Json, unfit
from promptscope_engine.inputs.params import Params, fields_of
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Levers, Verdicts
from promptscope_engine.prompt.drafts import SectionDraft, Span, ToolDraft, computed, file_text
from promptscope_engine.prompt.leaves import ships_with
from promptscope_engine.prompt.model import Diagnostic, SettingSource, Verdict
from promptscope_engine.prompt.spans import joined

from .definition import MAX_TOOLS
from .reading import Places, Read, Texted

MAX_BYTES = 200_000
"""Of a file with a text of the prompt."""

MACHINE = ("date", "timezone", "username", "language", "os_name", "platform", "shell", "hostname")
LISTS = {"tools": ("name", "group", "description", "input_schema"), "modes": ("slug", "name")}
"""What texts may go through, and the parts of an item."""


def _vocabulary(read: Read, params: type[Params]) -> Vocabulary:
    """What the texts and conditions of a definition may speak of."""
    known = {field.name: field for field in fields_of(params)}
    names = (*known, *(f"params.{name}" for name in known), "mode", "model", "environment.workspace")
    machine = (f"environment.{name}" for name in MACHINE)
    return Vocabulary(
        params=lambda: known,
        versions=read.versions,
        words=frozenset(("tool", "file")),
        modes=tuple(mode.slug for mode in read.definition.mode),
        values={**LISTS, **dict.fromkeys((*names, *machine), ())},
    )


class Stated(Condition, frozen=True):
    """A condition written in a file as `text`, so that Why leads to its line."""

    inner: Condition
    text: str
    source: SettingSource

    def holds(self, facts: Facts) -> bool:
        """Whether the condition is true."""
        return self.inner.holds(facts)

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        verdict = _led(self.inner.evaluated(facts, known), self.source)
        return replace(verdict, remedy=verdict.remedy or f"edit `{self.text}` ({self.source.place})")

    def levers(self, facts: Facts, to: bool) -> Levers | None:
        """What would make it `to`."""
        return self.inner.levers(facts, to)


def _led(verdict: Verdict, source: SettingSource) -> Verdict:
    """The verdict with the source at the first of its nodes that says something."""
    if verdict.children and verdict.op in ("all", "any", "not") and not verdict.name:
        first, *rest = verdict.children
        return replace(verdict, children=(_led(first, source), *rest))
    return replace(verdict, source=verdict.source or source)


class OwnTexts(Folder):
    """The files beside a definition that hold its texts: sections/NAME.md, tools/NAME.md and tools/NAME.json.

    `problems` says of one why it has no text; with `mistakes` none can be made. Spans keep the lines that they are
    on.
    """

    def __init__(self, read: Read, params: type[Params], places: Places) -> None:
        path = Path(read.path)
        self.read, self.places, self.main = read, places, path.name
        self._written = {self.main: read.text}
        self.files: dict[str, str] = {}
        self.problems: dict[str, Texted] = {}
        self.mistakes: list[FolderError] = []
        self.diagnostics: list[Diagnostic] = []
        definition = read.definition
        keys = SECTION_KEYS - {"id", "measured"}
        sections = dict(self._read_texts("sections/**/*.md", keys) if definition.sections else ())
        tools = dict(self._read_texts("tools/*.md", TOOL_KEYS) if definition.tools else ())
        schemas = dict(self._read_schemas() if definition.tools else ())
        sources = Sources(_table(read, sections), sections, tools, schemas, {})
        super().__init__(path.parent, _vocabulary(read, params), sources)
        self.ordered = dict.fromkeys(name for group in self.agent["sections"] for name in group["order"])
        self.tables = tuple(name[1:] for name in self.ordered if name[0] == "@")
        headings = ((name, group) for group, names in self.tool_groups.items() for name in names)
        self.headings = dict(islice(headings, MAX_TOOLS))
        self.mistakes += self._missing()
        if not self.mistakes:
            self._find_unused()
            self.mistakes += mistakes(self)

    def _found(self, pattern: str) -> Iterator[tuple[str, str, Path]]:
        """(name, file, path) of each file; what is written in it is kept."""
        found = self.places.found(pattern)
        if found.limit:
            text = f"`{pattern}`: {found.limit}"
            self.diagnostics.append(Diagnostic("warning", "definition-limit", text, self.read.path))
        for path in found.paths:
            file, source = self.places.shown(path), self.places.source(path, MAX_BYTES)
            self.files[file] = path
            self._written[file] = source.text.replace("\r\n", "\n")
            if source.state.problem and not source.is_blank:
                self.problems[file] = source.state
            yield file.partition("/")[2].rpartition(".")[0].replace("/", "."), file, Path(path)

    def _read_texts(self, pattern: str, keys: frozenset[str]) -> Iterator[tuple[str, Source]]:
        for name, file, path in self._found(pattern):
            try:
                yield name, as_source(self._written[file], path, keys, file)
            except FolderError as error:
                self.mistakes.append(error)

    def _read_schemas(self) -> Iterator[tuple[str, Json]]:
        for name, file, path in self._found("tools/*.json"):
            line, problem = None, "this is not a tool schema"
            try:
                value = json.loads(self._written[file] or "{}")
                if wrong := unfit({"": value}):
                    raise ValueError(wrong[1])
                ToolSchema(value)
            except RecursionError:
                problem = "it is nested too deeply"
            except ValueError as error:
                line, problem = getattr(error, "lineno", None), str(getattr(error, "msg", error))
            except (AttributeError, LookupError, TypeError):
                pass
            else:
                yield name, value
                continue
            self.mistakes.append(FolderError(path, line, problem[:1].lower() + problem[1:]))

    def _missing(self) -> Iterator[FolderError]:
        """Tools without a text."""
        for name in self.headings:
            if f"tools/{name}.md" not in self.files:
                line = self.line_of(self.main, f'"{name}"')
                yield FolderError(self.read.path, line, f"there is no tools/{name}.md")

    def _find_unused(self) -> None:
        where: dict[str, tuple[str, Container[str]]] = {
            "sections": ("`order` of [[sections]]", self.ordered),
            "tools": ("group of [tools]", self.headings),
        }
        for file, path in self.files.items():
            kind, _, rest = file.partition("/")
            name = rest.rpartition(".")[0].replace("/", ".").partition("@")[0]
            words, used = where[kind]
            if name not in used:
                said = f"{file} is in no {words}: it is not used"
                self.problems[file] = Texted(file, said, f"put `{name}` into the {words}")
                self.diagnostics.append(Diagnostic("info", "unused-text", said, path))

    def own_tool(self, name: str, scope: Scope) -> ToolDraft:
        """A tool, if there is text in its file."""
        return self.tool(name, scope, self._there(name))

    def _section(self, name: str, scope: Scope, group: Table) -> SectionDraft:
        draft, file = super()._section(name, scope, group), self.sources.sections[name].file
        if file not in self.problems and not joined(draft.spans).strip():
            blank = Texted(file, f"{file} is blank", f"write something into {file}")
            return replace(draft, when=draft.when & blank.condition)
        return replace(draft, when=draft.when & self.has_text(file))

    def has_text(self, file: str) -> Condition:
        """ALWAYS, if nothing is wrong with a file."""
        return self.problems[file].condition if file in self.problems else ALWAYS

    def wording(self, source: Source) -> Wording:
        """The text of a source."""
        path = str(self.path / source.file)

        def made(kind: str, name: str, text: str, line: int) -> Span:
            return computed(name, text) if kind == "computed" else file_text(path, text, line)

        return made

    def condition(self, text: str, scope: Scope, file: str) -> Condition:
        """The condition that is written there."""
        found = super().condition(text, scope, file)
        if found is ALWAYS:
            return found
        return Stated(found, text, SettingSource("when", str(self.path / file), file, self.line_of(file, text)))

    def group_of(self, name: str) -> str:
        """The group of a tool."""
        return self.headings[name]

    def offered(self, name: str, scope: Scope) -> Condition:
        """Whether a tool is."""
        source = self.sources.tools[name]
        return self._there(name) & self.condition(source.head.get("when", ""), scope, source.file)

    def _there(self, tool: str) -> Condition:
        versions = self.versions_of(tool)
        when = ALWAYS if versions == self.versions else ships_with(*versions)
        return when & self.has_text(self.sources.tools[tool].file)

    def line_of(self, file: str, words: str) -> int | None:
        """The line on which words first occur."""
        groups = self.read.definition.sections if file == self.main else ()
        found = next((number for number, group in enumerate(groups) if group.when == words), None)
        return super().line_of(file, words) if found is None else self.read.line("sections", found, "when")

    def written(self, file: str) -> str:
        """The text of a file."""
        return self._written[file]


def texts_of(read: Read, params: type[Params], places: Places) -> OwnTexts:
    """The sections and tools that are in files of their own; the same until one is saved."""
    key = ("texts of a definition", read.path, places.bounds)
    return places.workspace.memo(key, lambda: OwnTexts(read, params, places), tracked=True)


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
