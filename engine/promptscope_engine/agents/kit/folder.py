"""An agent as text and data: its folder's sections and tools made into drafts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Choice, Later, ParameterDraft, Piece, Place, SectionDraft, ToolDraft, label

from .expressions import Expression, ExpressionError, Vocabulary, read_expression
from .sources import FolderError, Source, Sources, Table, kept_sources
from .template import Nodes, bodies
from .texts import Scope, Text, TextError

Made = Mapping[str, Callable[[], Iterable[SectionDraft]]]
"""Sections that Python makes: `@name` in the order of agent.toml."""


class Folder:
    """The drafts of an agent's folder. Everything raises FolderError for what is wrong with a file."""

    def __init__(self, path: Path, vocabulary: Vocabulary) -> None:
        self.path, self._vocabulary = path, vocabulary
        self._texts: dict[tuple[str, str], Text] = {}
        self._conditions: dict[str, Expression] = {}

    @cached_property
    def sources(self) -> Sources:
        """The folder's files, kept beside Python's bytecode, or in the user's cache folder where that cannot be."""
        if os.access(self.path, os.W_OK):
            return kept_sources(self.path, self.path / "__pycache__" / "texts.json")
        from platformdirs import user_cache_path  # an installation that cannot be written

        return kept_sources(self.path, user_cache_path("promptscope") / f"{self.path.name}.json")

    # --- sections ---------------------------------------------------------------------------------------------------

    def sections(self, scope: Scope, made: Made | None = None, group: str = "") -> Iterator[SectionDraft]:
        """The sections of the groups of a name in their order."""
        for table in self.sources.agent["sections"]:
            for name in table["order"] if table.get("name", "") == group else ():
                if name[0] == "@" and made:
                    yield from made[name[1:]]()
                else:
                    yield self._section(name, scope, table)

    def _section(self, name: str, scope: Scope, group: Table) -> SectionDraft:
        """One section; its group says what its own front matter does not."""
        source = self.sources.sections[name]
        said = {**group, **source.head}
        heading = said.get("heading")
        text = self.text("sections", name, said.get("prefix", name))
        opens, closes = (str(said.get(key, "")) for key in ("opens", "closes"))
        return SectionDraft(
            id=name,
            title=said.get("title") or str(heading or name).lstrip("# "),
            pieces=Later(_wrapped(text.pieces(scope), opens.replace("{heading}", heading or ""), closes)),
            heading=heading,
            when=self._when(group, scope, "agent.toml") & self._when(source.head, scope, source.file),
            place=self._places[said["place"]] if "place" in said else Place(),
            stability=said.get("stability") or ("static" if text.is_fixed else "session"),
            parent=said.get("parent") or name.rpartition(".")[0] or None,
            reference=name if said.get("measured") else None,
        )

    @cached_property
    def _places(self) -> Mapping[str, Place]:
        return {name: Place(**table) for name, table in self.sources.agent.get("places", {}).items()}

    @property
    def tool_groups(self) -> Mapping[str, list[str]]:
        """The names of tools by group."""
        groups: Mapping[str, list[str]] = self.sources.agent["tools"]["groups"]
        return groups

    # --- tools ------------------------------------------------------------------------------------------------------

    def tool(self, name: str, scope: Scope, offered: Mapping[str, Condition]) -> ToolDraft:
        """One tool, described in the prompt; `offered` is the condition of each group."""
        source = self.sources.tools[name]
        said = {**self.sources.agent["tools"], **source.head}
        text = self.text("tools", name, said.get("prefix", "{name}").replace("{name}", name))
        section = said.get("section")
        own = section.replace("{name}", name) if section else None
        return ToolDraft(
            name=name,
            group=said["group"],
            description=Later(_wrapped(text.pieces(scope), str(said.get("opens", "")).replace("{name}", name), "")),
            when=offered[said["group"]] & self._when(source.head, scope, source.file),
            parameters=tuple(self._parameters(source, scope)),
            variant=self._variant(source, scope),
            section=own,
            reference=own,
        )

    def _parameters(self, source: Source, scope: Scope) -> Iterator[ParameterDraft]:
        """`todos: required if SWITCH`."""
        for name, text in source.head.get("parameters", {}).items():
            need, _, when = text.partition(" if ")
            if need not in ("required", "optional"):
                raise FolderError(self.path / source.file, None, f"`{name}` is `required` or `optional`")
            yield ParameterDraft(name, need == "required", self.condition(when, scope, source.file) if when else ALWAYS)

    def _variant(self, source: Source, scope: Scope) -> Choice[str | None] | None:
        """`several files: CONDITION`, the last one `else`."""
        said = source.head.get("variants", {})
        if not said:
            return None
        options = tuple(
            (self.condition(text, scope, source.file), name) for name, text in said.items() if text != "else"
        )
        return Choice(options, next((name for name, text in said.items() if text == "else"), None))

    # --- texts and conditions ---------------------------------------------------------------------------------------

    def text(self, kind: str, name: str, prefix: str) -> Text:
        """A text, bound once."""
        if (kind, name) not in self._texts:
            sources = self.sources.sections if kind == "sections" else self.sources.tools
            try:
                self._texts[kind, name] = Text(sources[name].nodes, prefix, self._vocabulary)
            except TextError as error:
                raise FolderError(self.path / sources[name].file, error.line, error.message) from None
        return self._texts[kind, name]

    def condition(self, text: str, scope: Scope, file: str) -> Condition:
        """The condition of a guard."""
        if text not in self._conditions:
            try:
                self._conditions[text] = read_expression(text, self._vocabulary)
            except ExpressionError as error:
                raise FolderError(self.path / file, None, f"`{text}`: {error.message}") from None
        found = scope.settled(self._conditions[text])
        if isinstance(found, bool):
            raise FolderError(self.path / file, None, f"`{text}` is no condition")
        return found

    def _when(self, said: Table, scope: Scope, file: str) -> Condition:
        return self.condition(said["when"], scope, file) if "when" in said else ALWAYS

    def place_of(self, point: str) -> tuple[Path, int] | None:
        """File and line at which the wording of an id begins."""
        for sources in (self.sources.sections, self.sources.tools):
            for name, source in sources.items():
                if point == name or point.startswith(f"{name}."):
                    line = _line_of(source.nodes, point[len(name) + 1 :])
                    if line is not None:
                        return self.path / source.file, line
        return None


def _wrapped(pieces: Iterator[Piece], opens: str, closes: str) -> Iterator[Piece]:
    if opens:
        yield label(opens)
    yield from pieces
    if closes:
        yield label(closes)


def _line_of(nodes: Nodes, name: str) -> int | None:
    """The line of the first text under a name."""
    for node in nodes:
        if node[0] == "text" and node[2] == "builtin" and node[3] == name:
            return int(node[1])
        for inner in bodies(node):
            if (line := _line_of(inner, name)) is not None:
                return line
    return None
