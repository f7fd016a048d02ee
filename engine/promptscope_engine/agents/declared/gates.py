"""The conditions of a definition: its `when` texts made into conditions, and what files tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.params import Params, fields_of
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Levers, Named, Observed, Verdicts
from promptscope_engine.prompt.expressions import ExpressionError, Names, RefusedError, parse, written
from promptscope_engine.prompt.model import SettingSource, Verdict

from .reading import Read

Table = Literal["section", "tool"]


@frozen(slots=False)
class Stated(Condition):
    """A condition that stands in a file: whoever reads why is led to its line."""

    inner: Condition
    source: SettingSource

    def holds(self, facts: Facts) -> bool:
        return self.inner.holds(facts)

    def evaluate(self, facts: Facts) -> Verdict:
        return self._composed(facts, {})

    def _composed(self, facts: Facts, known: Verdicts) -> Verdict:
        verdict = _led(self.inner.evaluated(facts, known), self.source)
        remedy = f"edit `when = '{written(self.inner)}'` ({self.source.place})"
        return replace(verdict, remedy=verdict.remedy or remedy)

    def levers(self, facts: Facts, to: bool) -> Levers | None:
        return self.inner.levers(facts, to)


def _led(verdict: Verdict, source: SettingSource) -> Verdict:
    """The verdict with the source at the first of its nodes that says something."""
    if verdict.children and verdict.op in ("all", "any", "not") and not verdict.name:
        first, *rest = verdict.children
        return replace(verdict, children=(_led(first, source), *rest))
    return replace(verdict, source=verdict.source or source)


@frozen
class Texted:
    """Whether there is text at a path: `problem` says why there is none, `remedy` what a person would do."""

    shown: str
    problem: str = ""
    remedy: str = ""

    @property
    def condition(self) -> Condition:
        """True if there is text."""
        return Observed(
            "file", self.shown, not self.problem, f"{self.shown} is there", self.problem, remedy=self.remedy
        )


def is_there(path: str, there: bool) -> Condition:
    """`file("path")`: a file or folder, text in it or not."""
    return Observed("file", path, there, f"{path} is there", f"there is no {path}", remedy=f"create {path}")


Described = tuple[int, Texted | None]


class Conditions:
    """The conditions of all sections and tools of one definition.

    `tools` has the table in which each tool stands, and what is wrong with the file that describes it; `there` says
    whether a path of `file("…")` is there, and raises ValueError for one that may not be asked for.
    """

    def __init__(
        self, read: Read, params: type[Params], tools: Mapping[str, Described], there: Callable[[str], bool], shown: str
    ) -> None:
        self._read, self._tools, self._shown, self._there = read, tools, shown, there
        self._made: dict[int, Condition] = {}
        self._under_way: set[int] = set()
        self._names = Names(
            params={field.name: field for field in fields_of(params)},
            modes=tuple(mode.slug for mode in read.definition.mode),
            tool=self._tool,
            file=self._file,
            tools=tuple(tools),
        )

    def of_section(self, number: int) -> Condition:
        """The condition of a section's table. Raises ScenarioError."""
        return self._parsed("section", number, self._read.definition.section[number].when)

    def of_tool(self, number: int) -> Condition:
        """The condition of a tool's table. Raises ScenarioError."""
        if number not in self._made:
            self._under_way.add(number)
            self._made[number] = self._parsed("tool", number, self._read.definition.tool[number].when)
            self._under_way.discard(number)
        return self._made[number]

    def _tool(self, name: str) -> Condition:
        number, problem = self._tools[name]
        if number in self._under_way:
            raise RefusedError(f"whether {name} is offered would depend on itself")
        inner = self.of_tool(number) & problem.condition if problem else self.of_tool(number)
        return Named("tool", name, inner, f"the tool {name} is offered", f"the tool {name} is not offered: {{inner}}")

    def _file(self, path: str) -> Condition:
        try:
            return is_there(path, self._there(path))
        except ValueError as error:
            raise RefusedError(str(error)) from None

    def _parsed(self, table: Table, number: int, text: str | None) -> Condition:
        if text is None:
            return ALWAYS
        try:
            found = parse(text, self._names)
        except ExpressionError as error:
            raise self._read.error(error.message, table, number, "when", at=error.at, near=error.nearest) from None
        line = self._read.line(table, number, "when")
        return Stated(found, SettingSource(f"{table}.{number}.when", self._read.path, self._shown, line))
