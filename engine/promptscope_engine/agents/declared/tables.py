"""The tables of a definition: sections and tools of other files, and those of the old form, which are inline."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.agents.kit.text.expressions import ExpressionError, read_expression, unknown_word
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.formats.document import Json, unfit
from promptscope_engine.nearest import meant, nearest
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft, SectionDraft, Span, computed, file_text, label
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.prompt.spans import Spans, cut, joined, replaced, trimmed_spans

from .definition import MAX_TOOLS, SectionTable, ToolTable
from .reading import FoundPlace, Source, Texted
from .texts import OwnTexts, Stated

MAX_SECTIONS = 2_000
"""Sections of all patterns together."""

MAX_NAMES = 1_000
"""`{{name}}` that are filled in one text."""

MAX_BYTES = 1 << 20
"""A file of tools that is larger is some other file."""

_MAX_TRACED = 100_000
"""Characters of a text with escapes whose lines are looked for in the definition."""

_NAME = re.compile(r"\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.]*)[ \t]*\}\}")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,127}")
NO_SCHEMA: Json = {"type": "object", "properties": {}}
"""The schema of a tool that has none."""
_SCHEMAS = ("input_schema", "inputSchema", "parameters")


class ListedTool(Struct, frozen=True):
    """A tool of the table `number`. `path` is the file that describes it; `problem`: it is there by its name alone."""

    number: int
    group: str
    name: str
    schema: Json
    description: Spans = ()
    path: str | None = None
    problem: Texted | None = None


class Conditions:
    """The conditions of all sections and tools of one definition in one scenario.

    `tools` are those of tables by name, None for those with files of their own; `there` says whether a path of
    `file("…")` is there, and raises ValueError for one that may not be asked for; `values` are those that texts name.
    """

    def __init__(
        self,
        own: OwnTexts,
        tools: Mapping[str, ListedTool | None],
        there: Callable[[str], bool],
        values: Mapping[str, Any],
        version: str,
    ) -> None:
        self.own, self._tools, self._there = own, tools, there
        self._made: dict[int | str, Condition] = {}
        self._under_way: set[int | str] = set()
        self._describing: set[str] = set()
        self.scope = Scope(values, {"tool": self._tool, "file": self._file}, version=version)

    def of_tool(self, tool: int | str) -> Condition:
        """The condition of a tool's table, or of a tool with files of its own. Raises ScenarioError."""
        if tool not in self._made:
            self._under_way.add(tool)
            if isinstance(tool, int):
                self._made[tool] = self.parsed("tool", tool, self.own.read.definition.tool[tool].when)
            else:
                self._made[tool] = self.own.offered(tool, self.scope)
            self._under_way.discard(tool)
        return self._made[tool]

    def offered(self, name: str) -> Condition:
        """Whether a tool of this name is offered. Raises ScenarioError."""
        listed = self._tools[name]
        found = self.of_tool(listed.number if listed else name)
        return found & listed.problem.condition if listed and listed.problem else found

    def description(self, name: str) -> Spans:
        """What a tool says of itself, for a text that goes through the tools. Raises ExpressionError for a circle."""
        if listed := self._tools[name]:
            return listed.description
        if name in self._describing:
            raise ExpressionError(f"the description of {name} would be a part of itself", 0)
        self._describing.add(name)
        try:
            return tuple(self.own.own_tool(name, self.scope).description)
        finally:
            self._describing.discard(name)

    def schema(self, name: str, facts: Facts) -> Span:
        """A tool's schema as JSON, as the request has it: without the parameters that are absent."""
        listed = self._tools[name]
        sent = listed.schema if listed else self.own.own_tool(name, self.scope).schema(facts)
        return computed("tools", json.dumps(NO_SCHEMA if sent is None else sent, ensure_ascii=False))

    def _tool(self, name: str) -> Condition:
        if name not in self._tools:
            raise unknown_word("tool", name, self._tools, 0)
        listed = self._tools[name]
        if (listed.number if listed else name) in self._under_way:
            raise ExpressionError(f"whether {name} is offered would depend on itself", 0)
        inner = self.offered(name)
        return Named("tool", name, inner, f"the tool {name} is offered", f"the tool {name} is not offered: {{inner}}")

    def _file(self, path: str) -> Condition:
        """A file or folder, text in it or not."""
        try:
            there = self._there(path)
        except ValueError as error:
            raise ExpressionError(str(error), 0) from None
        remedy = f"{'delete' if there else 'create'} {path}"
        return Fact("file", path, there, f"{path} is there", f"there is no {path}", remedy=remedy)

    def parsed(self, table: str, number: int, text: str | None) -> Condition:
        """The condition of a table, of which `text` is the `when`. Raises ScenarioError."""
        read = self.own.read
        if text is None:
            return ALWAYS
        try:
            found = self.scope.settled(read_expression(text, self.own.vocabulary))
        except ExpressionError as error:
            raise read.error(error.message, table, number, "when", at=error.at, near=error.nearest) from None
        source = SettingSource(f"{table}.{number}.when", read.path, self.own.main, read.line(table, number, "when"))
        return Stated(found, f"when = '{text}'", source) if isinstance(found, Condition) else ALWAYS


class Tables:
    """The tables, with `diagnostics`, a row for each file, and the `tool_files` with the tables that name them.

    `drafts` are the sections of each table, once they are drafted.

    Raises ScenarioError for a condition, a path or a name that makes no sense.
    """

    def __init__(self, own: OwnTexts) -> None:
        self.own, self.read, self.places = own, own.read, own.places
        self.diagnostics = [*own.read.diagnostics, *own.diagnostics]
        self.tool_files: list[tuple[str, int, Texted]] = []
        self._rows: dict[str, tuple[str, Condition, str]] = {}
        self.drafts: dict[str, list[SectionDraft]] = {}

    def add_row(self, path: str, kind: str, when: Condition, injected: str) -> None:
        """A file that counts under a condition, with the text that reaches the prompt then."""
        if known := self._rows.get(path):
            kind, when, injected = known[0], known[1] | when, known[2] or injected
        self._rows[path] = (kind, when, injected)

    def rows(self) -> Iterator[FileDraft]:
        """The rows, in the order in which the files were first named."""
        for path, (kind, when, injected) in self._rows.items():
            yield file_row(self.places.workspace.read(path), kind, "always", when, injected)

    def _warn(self, code: str, text: str, *key: str | int, path: str | None = None, line: int | None = None) -> None:
        """A diagnostic about a file, or about a key of the definition."""
        if path is None:
            path, line = self.read.path, self.read.line(*key)
        self.diagnostics.append(Diagnostic("warning", code, text, path, line))

    def _absolute(self, path: str, *key: str | int) -> str:
        with self.read.at(*key):
            return self.places.absolute(path)

    def _found(self, pattern: str, *key: str | int) -> FoundPlace:
        with self.read.at(*key):
            return self.places.found(pattern)

    def _read_file(self, path: str, table: str, number: int, most: int | None = None) -> Source:
        found = self.places.source(path, most)
        if found.is_missing:
            self._warn("definition-file-missing", found.state.problem, table, number, "file")
        return found

    # --- tools --------------------------------------------------------------------------------------------------------

    def tools(self) -> tuple[ListedTool, ...]:
        """All of them, before any condition, beside those with files of their own."""
        own = self.own.headings
        by_name: dict[str, ListedTool] = {}
        left = 0
        for number, table in enumerate(self.read.definition.tool):
            for each in self._tools(number, table):
                known = by_name.get(each.name)
                if known is not None or each.name in own:
                    where = f"; it is described by {self.places.shown(known.path)}" if known and known.path else ""
                    text = f"there is a tool {each.name} already{where}: this one is left out"
                    self._warn("tool-doubled", text, "tool", number, path=each.path)
                elif len(by_name) + len(own) < MAX_TOOLS:
                    by_name[each.name] = each
                else:
                    left += 1
        if left:
            text = f"the first {MAX_TOOLS:,} tools are used, {left:,} are left out"
            self._warn("definition-limit", text, "tool")
        return tuple(by_name.values())

    def _tools(self, number: int, table: ToolTable) -> Iterator[ListedTool]:
        if table.name is not None:
            with self.read.at("tool", number, "name"):
                name = tool_name(table.name)
            schema = NO_SCHEMA if table.input_schema is None else table.input_schema
            spans = self._written(table.description, "tool", number, "description")
            yield ListedTool(number, table.group, name, schema, spans)
        elif table.file is not None:
            yield from self._tools_of(number, table, self._absolute(table.file, "tool", number, "file"))
        elif table.glob is not None:
            found = self._found(table.glob, "tool", number, "glob")
            if found.limit or not found.paths:
                text = f"`{table.glob}`: {found.limit or 'no file matches it'}"
                self._warn("definition-limit" if found.limit else "no-match", text, "tool", number)
            for path in found.paths:
                yield from self._tools_of(number, table, path)

    def _tools_of(self, number: int, table: ToolTable, path: str) -> Iterator[ListedTool]:
        found = self._read_file(path, "tool", number, MAX_BYTES)
        state, text = found.state, found.text
        described: tuple[Described, ...] = ()
        try:
            described = described_tools(text) if not state.problem else ()
        except ToolError as error:
            self._warn("tool-invalid", str(error), path=path, line=error.line)
            state = Texted(state.shown, f"{state.shown} describes no tool: {error}", f"correct {state.shown}")
        self.tool_files.append((path, number, state))
        if state.problem:
            name = path.rpartition("/")[2].partition(".")[0] or "tool"
            yield ListedTool(number, table.group, name, {}, path=path, problem=state)
        for name, description, schema in described:
            yield ListedTool(number, table.group, name, schema, _described(description, path, text), path)

    # --- sections -----------------------------------------------------------------------------------------------------

    def draft(self, conditions: Conditions, values: Mapping[str, Span]) -> None:
        """Draft the sections of each table: each file of a glob is one, whose parent is that of the table."""
        left = MAX_SECTIONS
        for number, table in enumerate(self.read.definition.section):
            when = conditions.parsed("section", number, table.when)
            if table.text is not None:
                found = [self._of_text(number, table, table.text, when, values)]
            elif table.file is not None:
                path = self._absolute(table.file, "section", number, "file")
                spans, there = self._of_file(number, table, path, when, values)
                found = [self._section(table, spans, there, heading=table.heading)]
            else:
                found = list(self._of_glob(number, table, when, values, left))
                left -= sum(each.id != table.id for each in found)
            self.drafts[table.id] = found

    def _of_text(
        self, number: int, table: SectionTable, text: str, when: Condition, values: Mapping[str, Span]
    ) -> SectionDraft:
        spans = self._written(text, "section", number, "text")
        spans = trimmed_spans(spans) if table.trim else spans
        if table.fill is not False:
            if unknown := next(_unknown(spans, values), None):
                raw, begin = self.read.written("section", number, "text")
                found = re.search(rf"\{{\{{[ \t]*{re.escape(unknown[1])}[ \t]*\}}\}}", raw)
                message = f"unknown name {unknown[1]} (`fill = false` leaves {{{{…}}}} as it is)"
                at = begin + (found.start() if found else 0)
                raise self.read.error_in_text(message, at, nearest(unknown[1], values))
            spans = self._filled(spans, values, self.read.path, self.read.line("section", number, "text"))
        if not joined(spans).strip():
            when = when & Texted("text", "its text is blank", "write its `text`").condition
        return self._section(table, spans, when, heading=table.heading)

    def _of_glob(
        self, number: int, table: SectionTable, when: Condition, values: Mapping[str, Span], left: int
    ) -> Iterator[SectionDraft]:
        pattern = table.glob or ""
        found = self._found(pattern, "section", number, "glob")
        paths = found.paths[:left]
        if limit := found.limit or ("the prompt has too many files already" if len(paths) < len(found.paths) else ""):
            self._warn("definition-limit", f"`{pattern}`: {limit}", "section", number, "glob")
        texts = [(path, *self._of_file(number, table, path, when, values)) for path in paths]
        if table.heading is not None or not paths:
            problem = "" if any(spans for _, spans, _ in texts) else found.limit or f"no file with text is a {pattern}"
            around = Texted(pattern, problem, f"create a file that matches {pattern}")
            yield self._section(table, (), when & around.condition, heading=table.heading)
        for path, spans, condition in texts:
            yield self._section(table, spans, condition, path)

    def _of_file(
        self, number: int, table: SectionTable, path: str, when: Condition, values: Mapping[str, Span]
    ) -> tuple[Spans, Condition]:
        """A file's text, and the condition under which it is; its row is added."""
        found = self._read_file(path, "section", number)
        when = when & found.state.condition
        spans: Spans = (file_text(path, found.text, 1),) if found.text else ()
        spans = trimmed_spans(spans) if table.trim else spans
        self.add_row(path, "section", when, joined(spans))
        if table.fill:
            if unknown := next(_unknown(spans, values), None):
                there, *_ = cut(spans, unknown.start(), unknown.end())
                text = f"{{{{{unknown[1]}}}}} stands for nothing{meant(unknown[1], values)}"
                self._warn("unknown-name", text, path=path, line=there.origin.start_line)
            spans = self._filled(spans, values, path)
        return spans, when

    def _section(
        self, table: SectionTable, spans: Spans, when: Condition, path: str = "", heading: str | None = None
    ) -> SectionDraft:
        """That of a table, or of a `path` among those that its pattern finds; a heading is in front of the text."""
        return SectionDraft(
            id=f"{table.id}:{path}" if path else table.id,
            title=self.places.shown(path) or table.title or (table.heading or "").strip("# ") or table.id,
            spans=(*([label(f"{heading}\n" if spans else heading)] if heading else ()), *spans),
            heading=heading,
            when=when,
            place=self.own.place(table.channel),
            stability=table.stability,
            parent=table.id if path and table.heading else None,
        )

    # --- texts as spans, which keep the lines that they are on -----------------------------------------------------

    def _written(self, value: str, *key: str | int) -> Spans:
        """A text of the definition, line by line where it is written with escapes."""
        read, name = self.read, ".".join(map(str, key))
        raw, begin = read.written(*key)
        if value in raw and (read.is_verbatim or "\n" not in value):
            return (file_text(read.path, value, read.places.position(begin + raw.index(value))[0]),)
        if len(raw) > _MAX_TRACED:
            return (computed(name, value),)
        spans: list[Span] = []
        at, end = begin, begin + len(raw)
        for number, line in enumerate(value.split("\n")):
            if number:
                spans.append(computed(name, "\n"))
            found = read.text.find(line, at, end)
            if found == -1:
                spans.append(computed(name, line))
            else:
                spans.append(file_text(read.path, line, read.places.position(found)[0]))
                at = found + len(line)
        return tuple(spans)

    def _filled(self, spans: Spans, values: Mapping[str, Span], path: str, line: int | None = None) -> Spans:
        """The spans with each `{{name}}` replaced; unknown ones, and those beyond the limit, stay as they are."""
        known = [found for found in _NAME.finditer(joined(spans)) if found[1] in values]
        if left := len(known[MAX_NAMES:]):
            text = f"the first {MAX_NAMES:,} names are filled in, {left:,} are left as they are"
            self._warn("definition-limit", text, path=path, line=line)
        return replaced(spans, [(*found.span(), (values[found[1]],)) for found in known[:MAX_NAMES]])


def _unknown(spans: Spans, values: Mapping[str, Span]) -> Iterator[re.Match[str]]:
    """The names that mean nothing."""
    return (found for found in _NAME.finditer(joined(spans)) if found[1] not in values)


# --- tools as JSON files describe them, in the shapes that the services and MCP have ----------------------------------

Described = tuple[str, str, dict[str, Any]]
"""A tool's name, description and schema."""


class ToolError(ValueError):
    """A file that describes no tools; `line` is 1-based, None where none is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(message)


def tool_name(name: str) -> str:
    """A name that services take. Raises ToolError."""
    if not _TOOL_NAME.fullmatch(name):
        raise ToolError(f"{name[:60]!r} is not a valid tool name: use letters, digits and _ . : / -, at most 128")
    return name


def described_tools(text: str) -> tuple[Described, ...]:
    """The tools of a file's text: one, a list, or `{"tools": [...]}`. Raises ToolError."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ToolError(f"{error.msg[:1].lower()}{error.msg[1:]}", error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise ToolError("it is nested too deeply" if isinstance(error, RecursionError) else str(error)) from None
    if problem := unfit({"": value}):
        raise ToolError(problem[1])
    return tuple(_tools(value))


def _tools(value: Json) -> Iterator[Described]:
    if isinstance(value, dict) and isinstance(value.get("tools"), list) and "name" not in value:
        value = value["tools"]
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, dict):
            raise ToolError("a tool is an object with `name`, `description` and `input_schema`")
        inner = each.get("function")
        yield _tool(inner if isinstance(inner, dict) else each)


def _tool(tool: Mapping[str, Any]) -> Described:
    name, description = tool.get("name"), tool.get("description", "")
    if not isinstance(name, str):
        raise ToolError("a tool has a `name`, which is a text")
    if not isinstance(description, str):
        raise ToolError(f"the `description` of {name[:60]} must be a string")
    schema = next((tool[key] for key in _SCHEMAS if tool.get(key) is not None), {"type": "object", "properties": {}})
    if not isinstance(schema, dict):
        raise ToolError(f"the schema of {name[:60]} must be an object")
    return tool_name(name), description, schema


def _described(description: str, path: str, text: str) -> Spans:
    """A description, with its line where the file's text has it as it is."""
    if not description:
        return ()
    at = text.find(description)
    if at == -1:
        return (computed("tool description", description),)
    return (file_text(path, description, 1 + text.count("\n", 0, at)),)
