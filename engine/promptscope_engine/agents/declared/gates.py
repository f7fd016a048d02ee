"""What the conditions of a definition ask in one scenario: tools, files, and the tables that name them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from promptscope_engine.agents.kit.expressions import ExpressionError, Settled, read_expression, unknown_word
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Observed
from promptscope_engine.prompt.model import SettingSource

from .texts import OwnTexts, Stated, Texted

Described = tuple[int | None, Texted | None]
"""The number of the table in which a tool stands, None for one with files of its own, and what is wrong with them."""


class Conditions:
    """The conditions of all sections and tools of one definition in one scenario.

    `tools` says where each tool is described; `there` whether a path of `file("…")` is there, and raises ValueError
    for one that may not be asked for; `values` are those that texts name.
    """

    def __init__(
        self,
        own: OwnTexts,
        tools: Mapping[str, Described],
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
        number, problem = self._tools[name]
        found = self.of_tool(name if number is None else number)
        return found & problem.condition if problem else found

    def _tool(self, name: str) -> Condition:
        if name not in self._tools:
            raise unknown_word("tool", name, self._tools, 0)
        number, _ = self._tools[name]
        if (name if number is None else number) in self._under_way:
            raise ExpressionError(f"whether {name} is offered would depend on itself", 0)
        inner = self.offered(name)
        return Named("tool", name, inner, f"the tool {name} is offered", f"the tool {name} is not offered: {{inner}}")

    def _file(self, path: str) -> Condition:
        """A file or folder, text in it or not."""
        try:
            there = self._there(path)
        except ValueError as error:
            raise ExpressionError(str(error), 0) from None
        return Observed("file", path, there, f"{path} is there", f"there is no {path}", remedy=f"create {path}")

    def _parsed(self, table: str, number: int, text: str | None) -> Condition:
        read = self.own.read
        if text is None:
            return ALWAYS
        try:
            found: Settled = self.scope.settled(read_expression(text, self.own.vocabulary))
        except ExpressionError as error:
            raise read.error(error.message, table, number, "when", at=error.at, near=error.nearest) from None
        source = SettingSource(f"{table}.{number}.when", read.path, self.own.main, read.line(table, number, "when"))
        return Stated(found, f"when = '{text}'", source) if isinstance(found, Condition) else ALWAYS
