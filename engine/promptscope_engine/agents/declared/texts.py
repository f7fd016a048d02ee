"""The texts of a definition's folder, in the form that all agents' texts have (kit/folder.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.sources import FolderError, Source, Sources, Table
from promptscope_engine.agents.kit.texts import Scope, Wording
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.params import Params, fields_of
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Levers, Observed, Verdicts
from promptscope_engine.prompt.drafts import Piece, SectionDraft, ToolDraft, computed, file_text
from promptscope_engine.prompt.leaves import version_is
from promptscope_engine.prompt.model import Diagnostic, SettingSource, Verdict
from promptscope_engine.prompt.pieces import joined

from .definition import MAX_TOOLS
from .reading import Read

MACHINE = ("date", "timezone", "username", "language", "os_name", "platform", "shell", "hostname")
LISTS = {"tools": ("name", "group"), "modes": ("slug", "name")}
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


@frozen(slots=False)
class Stated(Condition):
    """A condition that stands in a file as `text`: whoever reads why is led to its line."""

    inner: Condition
    text: str
    source: SettingSource

    def holds(self, facts: Facts) -> bool:
        return self.inner.holds(facts)

    def evaluate(self, facts: Facts) -> Verdict:
        return self._composed(facts, {})

    def _composed(self, facts: Facts, known: Verdicts) -> Verdict:
        verdict = _led(self.inner.evaluated(facts, known), self.source)
        return replace(verdict, remedy=verdict.remedy or f"edit `{self.text}` ({self.source.place})")

    def levers(self, facts: Facts, to: bool) -> Levers | None:
        return self.inner.levers(facts, to)


def _led(verdict: Verdict, source: SettingSource) -> Verdict:
    """The verdict with the source at the first of its nodes that says something."""
    if verdict.children and verdict.op in ("all", "any", "not") and not verdict.name:
        first, *rest = verdict.children
        return replace(verdict, children=(_led(first, source), *rest))
    return replace(verdict, source=verdict.source or source)


class OwnTexts(Folder):
    """The folder. `texts` has what is written in each of its files, `problems` why one has no text; with `mistakes`
    none can be made.

    Its pieces keep the lines that they stand on.
    """

    def __init__(
        self,
        read: Read,
        params: type[Params],
        sources: Sources,
        texts: Mapping[str, str],
        problems: Mapping[str, Texted],
        mistakes: Sequence[FolderError],
        diagnostics: Sequence[Diagnostic],
    ) -> None:
        path = Path(read.path)
        super().__init__(path.parent, _vocabulary(read, params), sources)
        self.mistakes, self.diagnostics = mistakes, diagnostics
        self.files = {file: str(self.path / file) for file in texts}
        self.main, self._written = path.name, {path.name: read.text, **texts}
        self.problems, self.read = problems, read
        orders = (name for group in self.agent["sections"] for name in group["order"])
        self.tables = tuple(name[1:] for name in orders if name[0] == "@")
        headings = ((name, group) for group, names in self.tool_groups.items() for name in names)
        self.headings = dict(islice(headings, MAX_TOOLS))

    def own_tool(self, name: str, scope: Scope) -> ToolDraft:
        """A tool, if there is text in its file."""
        return self.tool(name, scope, self._there(name))

    def _section(self, name: str, scope: Scope, group: Table) -> SectionDraft:
        draft, file = super()._section(name, scope, group), self.sources.sections[name].file
        if file not in self.problems and not joined(draft.pieces).strip():
            blank = Texted(file, f"{file} is blank", f"write something into {file}")
            return replace(draft, when=draft.when & blank.condition)
        return replace(draft, when=draft.when & self.has_text(file))

    def has_text(self, file: str) -> Condition:
        """ALWAYS, if nothing is wrong with a file."""
        return self.problems[file].condition if file in self.problems else ALWAYS

    def wording(self, source: Source) -> Wording:
        path = str(self.path / source.file)

        def made(kind: str, name: str, text: str, line: int) -> Piece:
            return computed(name, text) if kind == "computed" else file_text(path, text, line)

        return made

    def condition(self, text: str, scope: Scope, file: str) -> Condition:
        found = super().condition(text, scope, file)
        if found is ALWAYS:
            return found
        return Stated(found, text, SettingSource("when", str(self.path / file), file, self.line_of(file, text)))

    def group_of(self, name: str) -> str:
        return self.headings[name]

    def offered(self, name: str, scope: Scope) -> Condition:
        """Whether a tool is."""
        source = self.sources.tools[name]
        return self._there(name) & self.condition(source.head.get("when", ""), scope, source.file)

    def _there(self, tool: str) -> Condition:
        versions = self.versions_of(tool)
        when = ALWAYS if versions == self.versions else version_is(*versions)
        return when & self.has_text(self.sources.tools[tool].file)

    def line_of(self, file: str, words: str) -> int | None:
        groups = self.read.definition.sections if file == self.main else ()
        found = next((number for number, group in enumerate(groups) if group.when == words), None)
        return super().line_of(file, words) if found is None else self.read.line("sections", found, "when")

    def written(self, file: str) -> str:
        return self._written[file]
