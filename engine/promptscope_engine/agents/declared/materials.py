"""What a definition and its files amount to in one scenario: tools, files, and the tables that name them."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.expressions import ExpressionError, read_expression, unknown_word
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named
from promptscope_engine.prompt.drafts import Window
from promptscope_engine.prompt.model import SettingSource, Stability
from promptscope_engine.prompt.spans import Spans

from .definition import Channel, Protocol
from .reading import Texted
from .texts import OwnTexts, Stated


class SectionMaterial(Struct, frozen=True):
    """A section of a table with its text; each file of a glob is one, whose parent is that of the table."""

    table: str
    id: str
    title: str
    heading: str | None
    spans: Spans
    when: Condition
    channel: Channel
    stability: Stability
    parent: str | None = None


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
        self.scope = Scope(values, {"tool": self._tool, "file": self._file}, version=version)

    def of_section(self, number: int) -> Condition:
        """The condition of a section's table. Raises ScenarioError."""
        return self._parsed("section", number, self.own.read.definition.section[number].when)

    def of_tool(self, tool: int | str) -> Condition:
        """The condition of a tool's table, or of a tool with files of its own. Raises ScenarioError."""
        if tool not in self._made:
            self._under_way.add(tool)
            if isinstance(tool, int):
                self._made[tool] = self._parsed("tool", tool, self.own.read.definition.tool[tool].when)
            else:
                self._made[tool] = self.own.offered(tool, self.scope)
            self._under_way.discard(tool)
        return self._made[tool]

    def offered(self, name: str) -> Condition:
        """Whether a tool of this name is offered. Raises ScenarioError."""
        listed = self._tools[name]
        found = self.of_tool(listed.number if listed else name)
        return found & listed.problem.condition if listed and listed.problem else found

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
        return Fact("file", path, there, f"{path} is there", f"there is no {path}", remedy=f"create {path}")

    def _parsed(self, table: str, number: int, text: str | None) -> Condition:
        read = self.own.read
        if text is None:
            return ALWAYS
        try:
            found = self.scope.settled(read_expression(text, self.own.vocabulary))
        except ExpressionError as error:
            raise read.error(error.message, table, number, "when", at=error.at, near=error.nearest) from None
        source = SettingSource(f"{table}.{number}.when", read.path, self.own.main, read.line(table, number, "when"))
        return Stated(found, f"when = '{text}'", source) if isinstance(found, Condition) else ALWAYS


class Materials(Struct, frozen=True):
    """The sections and tools of tables, `own` those with files of their own, and what the scenario answers them."""

    own: OwnTexts
    conditions: Conditions
    sections: tuple[SectionMaterial, ...]
    tools: tuple[ListedTool, ...]
    protocol: Protocol
    model: str | None
    window: Window
