"""The tools of a definition, those of files among them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from promptscope_engine.agents.declared.definition import MAX_TOOLS, ToolTable
from promptscope_engine.agents.declared.materials import ListedTool
from promptscope_engine.agents.declared.reading import Read
from promptscope_engine.agents.declared.texts import Texted
from promptscope_engine.prompt.drafts import computed, file_text
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.pieces import Pieces
from promptscope_engine.workspace import Workspace

from .places import Places
from .sources import Source, missing, source
from .texts import written_text
from .tool_files import MAX_BYTES, ToolError, described_tools, tool_name


class Listing:
    """The tools of tables, before any condition; the files that were looked at, with the tables that name them.

    Raises ScenarioError for a path that a definition may not name.
    """

    def __init__(self, read: Read, places: Places, workspace: Workspace) -> None:
        self.read, self.places, self.workspace = read, places, workspace
        self.files: list[tuple[str, int, Texted]] = []
        self.diagnostics: list[Diagnostic] = []

    def listed(self, own: Collection[str]) -> tuple[ListedTool, ...]:
        """All of them, beside those with files of their `own`."""
        by_name: dict[str, ListedTool] = {}
        left = 0
        for number, table in enumerate(self.read.definition.tool):
            for each in self.of_table(number, table):
                known = by_name.get(each.name)
                if known is not None or each.name in own:
                    where = f"; it is described by {self.places.shown(known.path)}" if known and known.path else ""
                    text = f"there is a tool {each.name} already{where}: this one is left out"
                    self.warn("tool-doubled", text, each.path, number)
                elif len(by_name) + len(own) < MAX_TOOLS:
                    by_name[each.name] = each
                else:
                    left += 1
        if left:
            self.warn("definition-limit", f"the first {MAX_TOOLS:,} tools are used, {left:,} are left out", None, None)
        return tuple(by_name.values())

    def warn(self, code: str, text: str, path: str | None, number: int | None, line: int | None = None) -> None:
        """A diagnostic about a file, or about a table of the definition."""
        if path is None:
            path, line = self.read.path, self.read.line("tool", *([] if number is None else [number]))
        self.diagnostics.append(Diagnostic("warning", code, text, path, line))

    def of_table(self, number: int, table: ToolTable) -> Iterator[ListedTool]:
        if table.name is not None:
            with self.read.at("tool", number, "name"):
                name = tool_name(table.name)
            schema = {"type": "object", "properties": {}} if table.input_schema is None else table.input_schema
            pieces = written_text(self.read, table.description, "tool", number, "description")
            yield ListedTool(number, name, schema, pieces)
        elif table.file is not None:
            with self.read.at("tool", number, "file"):
                path = self.places.absolute(table.file)
            yield from self.of_file(number, path)
        elif table.glob is not None:
            with self.read.at("tool", number, "glob"):
                found = self.places.found(table.glob)
            if found.limit or not found.paths:
                text = f"`{table.glob}`: {found.limit or 'no file matches it'}"
                self.warn("definition-limit" if found.limit else "no-match", text, None, number)
            for path in found.paths:
                yield from self.of_file(number, path)

    def of_file(self, number: int, path: str) -> Iterator[ListedTool]:
        found = source(path, self.places, self.workspace, MAX_BYTES)
        text = found.text
        if not found.state.problem:
            try:
                tools = described_tools(text)
            except ToolError as error:
                self.warn("tool-invalid", str(error), path, number, error.line)
                shown = found.state.shown
                found = Source("", Texted(shown, f"{shown} describes no tool: {error}", f"mend {shown}"))
        elif found.is_missing:
            self.diagnostics.append(missing(found.state, self.read, "tool", number, "file"))
        self.files.append((path, number, found.state))
        if found.state.problem:
            name = path.rpartition("/")[2].partition(".")[0] or "tool"
            yield ListedTool(number, name, {}, path=path, problem=found.state)
            return
        for name, description, schema in tools:
            yield ListedTool(number, name, schema, _described(description, path, text), path)


def _described(description: str, path: str, text: str) -> Pieces:
    """A description, with its line where the file's text has it as it is."""
    if not description:
        return ()
    at = text.find(description)
    if at == -1:
        return (computed("tool description", description),)
    return (file_text(path, description, 1 + text.count("\n", 0, at)),)
