"""The sections of a definition with their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.declared.definition import SectionTable
from promptscope_engine.agents.declared.gates import Conditions
from promptscope_engine.agents.declared.materials import SectionMaterial
from promptscope_engine.agents.declared.reading import Read
from promptscope_engine.agents.declared.texts import Texted
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, file_text
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.pieces import Pieces, cut, joined, trimmed_pieces
from promptscope_engine.workspace import Workspace

from .places import Places
from .sources import Rows, missing, source
from .texts import MAX_NAMES, filled, written_text

MAX_SECTIONS = 2_000
"""Sections of all patterns together."""


@frozen(slots=False)
class Sections:
    """The sections of tables; `rows` and `diagnostics` are added to.

    Raises ScenarioError for a condition, a path or a name that makes no sense.
    """

    read: Read
    places: Places
    workspace: Workspace
    conditions: Conditions
    values: Mapping[str, Piece]
    rows: Rows
    diagnostics: list[Diagnostic]

    def all(self) -> Iterator[SectionMaterial]:
        """Every section in its order."""
        left = MAX_SECTIONS
        for number, table in enumerate(self.read.definition.section):
            when = self.conditions.of_section(number)
            if table.text is not None:
                yield self.of_text(number, table, table.text, when)
            elif table.file is not None:
                with self.read.at("section", number, "file"):
                    path = self.places.absolute(table.file)
                pieces, there = self.file(number, table, path, when)
                yield self.section(table, pieces, there, heading=table.heading)
            elif table.glob is not None:
                found = list(self.of_glob(number, table, table.glob, when, left))
                left -= sum(each.id != table.id for each in found)
                yield from found

    def of_text(self, number: int, table: SectionTable, text: str, when: Condition) -> SectionMaterial:
        pieces = written_text(self.read, text, "section", number, "text")
        pieces = trimmed_pieces(pieces) if table.trim else pieces
        if table.fill is not False:
            pieces, wrong, left = filled(pieces, self.values)
            if wrong:
                name = wrong[0][0]
                raw, begin = self.read.written("section", number, "text")
                found = re.search(rf"\{{\{{[ \t]*{re.escape(name)}[ \t]*\}}\}}", raw)
                near = nearest(name, self.values)
                message = f"unknown name {name} (`fill = false` leaves {{{{…}}}} as it is)"
                raise self.read.error_in_text(message, begin + (found.start() if found else 0), near)
            self.many_names(left, self.read.path, self.read.line("section", number, "text"))
        if not joined(pieces).strip():
            blank = Texted("text", "its text is blank", "write its `text`")
            when = when & blank.condition
        return self.section(table, pieces, when, heading=table.heading)

    def of_glob(
        self, number: int, table: SectionTable, pattern: str, when: Condition, left: int
    ) -> Iterator[SectionMaterial]:
        with self.read.at("section", number, "glob"):
            found = self.places.found(pattern)
        paths = found.paths[:left]
        limit = found.limit or ("the prompt has too many files already" if len(paths) < len(found.paths) else "")
        if limit:
            text, line = f"`{pattern}`: {limit}", self.read.line("section", number, "glob")
            self.diagnostics.append(Diagnostic("warning", "definition-limit", text, self.read.path, line))
        texts = [(path, *self.file(number, table, path, when)) for path in paths]
        any_text = Texted(pattern, "" if any(pieces for _, pieces, _ in texts) else f"no file with text is a {pattern}")
        if table.heading is not None or not paths:
            around = Texted(pattern, any_text.problem, f"create a file that matches {pattern}")
            yield self.section(table, (), when & around.condition, heading=table.heading)
        for path, pieces, condition in texts:
            yield self.section(table, pieces, condition, path)

    def file(self, number: int, table: SectionTable, path: str, when: Condition) -> tuple[Pieces, Condition]:
        """A file's text, and the condition under which it stands; its row is added."""
        found = source(path, self.places, self.workspace)
        if found.is_missing:
            self.diagnostics.append(missing(found.state, self.read, "section", number, "file"))
        when = when & found.state.condition
        pieces: Pieces = (file_text(path, found.text, 1),) if found.text else ()
        pieces = trimmed_pieces(pieces) if table.trim else pieces
        self.rows.add(path, "section", when, joined(pieces))
        if table.fill:
            pieces, wrong, left = filled(pieces, self.values)
            if wrong:
                name, at = wrong[0]
                close = nearest(name, self.values)
                hint = f"; did you mean {' or '.join(close)}?" if close else ""
                there, *_ = cut(pieces, at, len(joined(pieces)))
                text = f"{{{{{name}}}}} stands for nothing{hint}"
                self.diagnostics.append(Diagnostic("warning", "unknown-name", text, path, there.origin.start_line))
            self.many_names(left, path, None)
        return pieces, when

    def many_names(self, left: int, path: str, line: int | None) -> None:
        if left:
            text = f"the first {MAX_NAMES:,} names are filled in, {left:,} are left as they are"
            self.diagnostics.append(Diagnostic("warning", "definition-limit", text, path, line))

    def section(
        self, table: SectionTable, pieces: Pieces, when: Condition, path: str = "", heading: str | None = None
    ) -> SectionMaterial:
        """That of a table, or of a `path` among those that its pattern finds."""
        title = self.places.shown(path) or table.title or (table.heading or "").strip("# ") or table.id
        name, parent = (f"{table.id}:{path}", table.heading and table.id) if path else (table.id, None)
        return SectionMaterial(table.id, name, title, heading, pieces, when, table.channel, table.stability, parent)
