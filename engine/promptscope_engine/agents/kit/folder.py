"""An agent as text and data: its folder's sections and tools made into drafts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Choice, Later, ParameterDraft, Piece, Place, SectionDraft, ToolDraft, label

from .expressions import Expression, ExpressionError, Settled, Vocabulary, read_expression
from .layers import Layer, laid
from .sources import FolderError, Source, Sources, Table, read_words, sources_of
from .template import Nodes, TemplateError, bodies
from .texts import Scope, Text, Wording, worded
from .tool_schemas import Conditions, ToolSchema

T = TypeVar("T")


@frozen
class Bundled:
    """What comes along with an agent: a skill, an agent, a mode. `forms` are the texts of NAME@FORM."""

    name: str
    head: Table
    text: str
    forms: Mapping[str, str]


Made = Mapping[str, Callable[[], Iterable[SectionDraft]]]
"""Sections that Python makes: `@name` in the order of agent.toml."""


class Folder:
    """The drafts of an agent's folder, of its `sources` if they were read elsewhere.

    Everything raises FolderError for what is wrong with a file.
    """

    main = "agent.toml"

    def __init__(self, path: Path, vocabulary: Vocabulary, sources: Sources | None = None) -> None:
        self.path, self._given, self._read = path, vocabulary, sources
        self._texts: dict[tuple[str, str], Text] = {}
        self._conditions: dict[str, Expression] = {}
        self._schemas: dict[str, ToolSchema] = {}
        self._bound: Sources | None = None
        self._under: tuple[Layer, ...] = ()

    @property
    def sources(self) -> Sources:
        """The folder's files, and what is laid over them."""
        if self._bound is not None and self._under is laid():
            return self._bound
        found, self._under = self._read or sources_of(self.path), laid()
        if found is not self._bound:  # something else is laid over it than before
            self._bound = found
            for made in (self._texts, self._conditions, self._schemas):
                made.clear()
            for name in ("versions", "vocabulary", "_wordings"):
                self.__dict__.pop(name, None)
        return found

    @property
    def agent(self) -> Table:
        """agent.toml."""
        return self.sources.agent

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """The agent's versions, the oldest first."""
        return tuple(self.agent["versions"])

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The one that was given, with the `names` and `[gates]` of agent.toml: conditions as texts have them."""
        own = self._given.own.union(self.agent.get("names", ()))
        known, gates = replace(self._given, versions=self.versions, own=own), {**self._given.gates}
        for name, text in self.agent.get("gates", {}).items():
            gates[name] = self._gate(text, replace(known, gates=gates))
        return replace(known, gates=gates)

    def _gate(self, text: str, known: Vocabulary) -> Condition:
        try:
            found = read_expression(text, known)
        except ExpressionError as error:
            raise self._wrong(text, self.main, error) from None
        if not isinstance(found, Condition):
            raise self._wrong(text, self.main, ExpressionError("a gate is the same in every scenario", 0))
        return found

    # --- sections ---------------------------------------------------------------------------------------------------

    def sections(
        self, scope: Scope, made: Made | None = None, group: str = "", form: str = ""
    ) -> Iterator[SectionDraft]:
        """The sections of the groups of a name in their order; each in its `form`, `NAME@FORM`, where it has that."""
        tables = [table for table in self.agent["sections"] if table.get("name", "") == group]
        if not tables:
            raise FolderError(self.path / self.main, None, f"no sections are named `{group}`")
        for table in tables:
            for name in table["order"]:
                if name[0] == "@" and made:
                    yield from made[name[1:]]()
                else:
                    yield self._section(self._file(self.sources.sections, name, "", form), scope, table)

    def _section(self, name: str, scope: Scope, group: Table) -> SectionDraft:
        """One section; its group says what its own front matter does not."""
        source = self.sources.sections[name]
        said = {**group, **source.head}

        def settled(condition: str) -> Settled:
            return scope.settled(self.expression(condition, source.file))

        section = said.get("id") or name.partition("@")[0]
        try:
            heading, measured = (_chosen(said.get(key), settled, scope) for key in ("heading", "measured"))
        except (AttributeError, LookupError) as error:
            raise FolderError(self.path / source.file, self.line_of(source.file, "heading:"), str(error)) from None
        text = partial(self.section_text, name, group.get("prefix", ""))  # bound when somebody looks at it
        opens, closes = (str(said.get(key, "")) for key in ("opens", "closes"))
        return SectionDraft(
            id=section,
            title=said.get("title") or _titled(heading or section),
            pieces=Later(_wrapped(self._run(text, source, scope), opens, closes, heading or "")),
            heading=heading,
            when=self.condition(group.get("when", ""), scope, self.main)
            & self.condition(source.head.get("when", ""), scope, source.file),
            place=self.place(said["place"], section) if "place" in said else Place(),
            stability=said.get("stability") or ("static" if text().is_fixed else "session"),
            parent=said.get("parent", section.rpartition(".")[0]) or None,
            reference=heading if measured == "{heading}" else section if measured is True else measured,
        )

    def pieces(self, name: str, scope: Scope) -> Iterator[Piece]:
        """The text of a section's file alone."""
        return self.section_text(name).pieces(scope)

    def section_text(self, name: str, prefix: str = "") -> Text:
        """The text of a section; its ids begin as its front matter says, or its group, or with its name."""
        return self.text("sections", name, self._section_prefix(name, prefix))

    def _section_prefix(self, name: str, prefix: str) -> str:
        head = self.sources.sections[name].head
        return head.get("prefix") or prefix or head.get("id") or name.partition("@")[0]

    def place(self, place: str, section: str = "") -> Place:
        """A place of agent.toml; with `{name}` as its block each section has one of its own."""
        table = self.agent["places"][place]
        return Place(**{**table, "block": table["block"].replace("{name}", section)})

    @property
    def tool_groups(self) -> Mapping[str, list[str]]:
        """The names of tools by group."""
        groups: Mapping[str, list[str]] = self.agent["tools"]["groups"]
        return groups

    # --- tools ------------------------------------------------------------------------------------------------------

    def tool_names(self, version: str = "") -> list[str]:
        """The tools of a version, or all, in no order that counts."""
        names = dict.fromkeys(name.partition("@")[0] for name in self.sources.tools)
        return [name for name in names if not version or version in self.versions_of(name)]

    def versions_of(self, name: str) -> tuple[str, ...]:
        """The versions that have a tool."""
        return self._versions(self.sources.tools[name])

    def _versions(self, source: Source) -> tuple[str, ...]:
        head, versions = source.head, self.versions
        since, until = versions.index(head.get("since", versions[0])), versions.index(head.get("until", versions[-1]))
        return versions[since : until + 1]

    def words(self, name: str) -> str:
        """The words of a tool's file that has neither conditions nor values in it."""
        return self._words(self.sources.tools[name])

    def _words(self, source: Source) -> str:
        if other := next((node for node in source.nodes if node[0] != "text"), None):
            raise FolderError(self.path / source.file, other[1], "only plain words can stand here")
        return "".join(node[4] for node in source.nodes)

    def says(self, name: str, key: str, version: str) -> bool:
        """Whether the front matter of a tool says this of a version: `true`, or a condition on the version alone."""
        source = self.sources.tools[name]
        said = source.head.get(key, False)
        if isinstance(said, bool):
            return said
        return self._holds(said, version, source)

    def exists(self, name: str, scope: Scope, otherwise: Condition) -> Condition:
        """What a tool's front matter says of whether there is one, by version if it is a choice."""
        source = self.sources.tools[name]
        said = source.head.get("exists")
        if isinstance(said, dict):
            ways = (text for of, text in said.items() if of == "else" or self._holds(of, scope.version, source))
            said = next(ways)
        return self.condition(said, scope, source.file) if said else otherwise

    def _holds(self, text: str, version: str, source: Source) -> bool:
        """Whether a condition on the version alone holds."""
        return self.condition(text, Scope({}), source.file).holds(Facts(version=version))

    def group_of(self, name: str) -> str:
        """The group of a tool."""
        return str(self.sources.tools[name].head["group"])

    def tool(
        self,
        name: str,
        scope: Scope,
        when: Condition = ALWAYS,
        variant: Choice[str | None] | None = None,
        form: str = "",
    ) -> ToolDraft:
        """One tool, described in the prompt or by its schema, under one more condition.

        `form`: what stands in `NAME@FORM` is taken where there is such a file.
        """
        file = self._file(self.sources.tools, name, scope.version, form)
        source = self.sources.tools[file]
        said = {**self.agent["tools"], **source.head}
        text = partial(self.text, "tools", file, self._tool_prefix(name, source))
        section = said["section"].replace("{name}", name) if "section" in said else None
        condition = partial(self.condition, scope=scope, file=source.file)
        schema, schema_file = self._schema(name, scope.version, form)
        in_schema = partial(self.condition, scope=scope, file=schema_file)
        return ToolDraft(
            name=name,
            group=self.group_of(name),
            description=Later(
                _wrapped(self._run(text, source, scope), str(said.get("opens", "")).replace("{name}", name), "")
            ),
            when=when & condition(source.head.get("when", "")),
            parameters=tuple(schema.parameters(in_schema) if schema else self.parameters(source, condition)),
            input_schema=schema.sent(in_schema) if schema else None,
            variant=variant or self.variant(source, condition),
            section=section,
            reference=f"tools.{name}",
        )

    def _tool_prefix(self, name: str, source: Source) -> str:
        said: Table = {**self.agent.get("tools", {}), **source.head}
        return str(said.get("prefix", "{name}")).replace("{name}", name.partition("@")[0])

    def _file(self, files: Mapping[str, object], name: str, version: str, form: str) -> str:
        """`NAME@FORM`, or `NAME@VERSION` of the oldest version that is not before this one; else NAME."""
        versions = self.versions
        later = versions[versions.index(version) :] if version else ()
        return next((file for each in (form, *later) if (file := f"{name}@{each}") in files), name)

    def _schema(self, name: str, version: str, form: str) -> tuple[ToolSchema | None, str]:
        file = self._file(self.sources.schemas, name, version, form)
        if file in self.sources.schemas and file not in self._schemas:
            self._schemas[file] = ToolSchema(self.sources.schemas[file])
        return self._schemas.get(file), f"tools/{file}.json"

    def parameters(self, source: Source, condition: Conditions) -> Iterator[ParameterDraft]:
        """`todos: required if SWITCH`."""
        for name, text in source.head.get("parameters", {}).items():
            need, _, when = str(text).partition(" if ")
            if need not in ("required", "optional"):
                line = self.line_of(source.file, str(text))
                raise FolderError(self.path / source.file, line, f"`{name}` is `required` or `optional`")
            yield ParameterDraft(name, need == "required", condition(when))

    def variant(self, source: Source, condition: Conditions) -> Choice[str | None] | None:
        """`several files: CONDITION`, the last one `else`."""
        said = source.head.get("variants", {})
        options = tuple((condition(text), name) for name, text in said.items() if text != "else")
        return Choice(options, next(reversed(said))) if said else None

    # --- what comes along -------------------------------------------------------------------------------------------

    def bundled(self, kind: str, version: str) -> Mapping[str, Bundled]:
        """What a version brings along of one kind, by name in the order of agent.toml."""
        sources, table = self.sources.bundled[kind], self.agent["bundled"][kind]
        names = [name for name in self._latest(table, "order", version) if version in self._versions(sources[name])]
        return {name: self._bundled(sources, name, version) for name in names}

    def _bundled(self, sources: Mapping[str, Source], name: str, version: str) -> Bundled:
        source = self._latest(sources, name, version)
        others = {file[len(name) + 1 :]: other for file, other in sources.items() if file.startswith(f"{name}@")}
        forms = {form: self._words(other) for form, other in others.items() if form not in self.versions}
        return Bundled(name, source.head, self._words(source), forms if source is sources[name] else {})

    def listed(self, key: str, version: str) -> tuple[str, ...]:
        """A list of agent.toml, as a version has it: `KEY@VERSION` is that of the older ones."""
        return tuple(self._latest(self.agent, key, version))

    def _latest(self, found: Mapping[str, T], name: str, version: str) -> T:
        return found[self._file(found, name, version, "")]

    def own_checks(self) -> Iterator[Callable[[], object]]:
        """What the tables that only this agent has must hold: each raises FolderError where it does not."""
        return iter(())

    # --- texts and conditions ---------------------------------------------------------------------------------------

    def text(self, kind: str, name: str, prefix: str) -> Text:
        """A text, bound once."""
        if (kind, name) not in self._texts:
            sources = self.sources.sections if kind == "sections" else self.sources.tools
            try:
                self._texts[kind, name] = Text(
                    sources[name].nodes, prefix, self.vocabulary, self.wording(sources[name])
                )
            except TemplateError as error:
                raise self._at(sources[name], error) from None
        return self._texts[kind, name]

    def _run(self, text: Callable[[], Text], source: Source, scope: Scope) -> Iterator[Piece]:
        try:
            yield from text().pieces(scope)
        except TemplateError as error:
            raise self._at(source, error) from None

    def _at(self, source: Source, error: TemplateError) -> FolderError:
        return FolderError(self.path / source.file, error.line, error.message, error.nearest)

    def wording(self, _source: Source) -> Wording:
        """How the words of a file become pieces."""
        return worded

    def condition(self, text: str, scope: Scope, file: str) -> Condition:
        """The condition of a guard, "" for none."""
        if not text:
            return ALWAYS
        expression = self.expression(text, file)
        try:
            found = scope.settled(expression)
        except ExpressionError as error:
            raise self._wrong(text, file, error) from None
        if isinstance(found, bool):
            raise self._wrong(text, file, ExpressionError("this is no condition", 0))
        return found

    def expression(self, text: str, file: str) -> Expression:
        if text not in self._conditions:
            try:
                self._conditions[text] = read_expression(text, self.vocabulary)
            except ExpressionError as error:
                raise self._wrong(text, file, error) from None
        return self._conditions[text]

    def _wrong(self, text: str, file: str, error: ExpressionError) -> FolderError:
        line = self.line_of(file, text)
        return FolderError(self.path / file, line, f"`{text}`: {error.message}", error.nearest)

    def line_of(self, file: str, words: str) -> int | None:
        """The line of a file on which words first stand."""
        either = "|".join(map(re.escape, (words, json.dumps(words, ensure_ascii=False)[1:-1])))
        text = self.written(file)
        found = re.search(rf"(?<!\w)(?:{either})(?!\w)", text)
        return 1 + text.count("\n", 0, found.start()) if found else None

    def written(self, file: str) -> str:
        """What is written in a file."""
        return read_words(self.path / file)

    # --- what stands where --------------------------------------------------------------------------------------------

    def place_of(self, wording: str) -> tuple[Path, int] | None:
        """File and line at which the wording of an id begins, or a whole section or tool: `rules`, `tools.Read`."""
        if wording in self._wordings:
            return self._wordings[wording]
        tool = wording.removeprefix("tools.")
        source = self.sources.tools.get(tool) if tool != wording else self.sources.sections.get(wording)
        return (self.path / source.file, 1) if source else None

    def shown(self, file: Path) -> str:
        """A file of this folder as people name it: `sections/rules.md`; one that is laid over it whole."""
        return str(file.relative_to(self.path)) if file.is_relative_to(self.path) else str(file)

    @cached_property
    def _wordings(self) -> Mapping[str, tuple[Path, int]]:
        prefixes = {
            name: table.get("prefix", "") for table in self.agent.get("sections", ()) for name in table["order"]
        }
        found: dict[str, tuple[Path, int]] = {}
        for name, source in self.sources.sections.items():
            self._index(found, source, self._section_prefix(name, prefixes.get(name, "")))
        for name, source in self.sources.tools.items():
            self._index(found, source, self._tool_prefix(name, source))
        for kind, sources in self.sources.bundled.items():
            before = self.agent["bundled"][kind].get("prefix", kind)
            for name, source in sources.items():
                item, _, form = name.partition("@")
                prefix = f"{before}.{item}" if form in ("", *self.versions) else f"{before}.{item}.{form}"
                self._index(found, source, prefix)
        return found

    def _index(self, found: dict[str, tuple[Path, int]], source: Source, prefix: str) -> None:
        for line, name in _named(source.nodes):
            found.setdefault(f"{prefix}.{name}" if name else prefix, (self.path / source.file, line))


_VALUE = re.compile(r"\{\{ ([\w.]+) \}\}")


def _chosen(said: Any, settled: Callable[[str], Settled], scope: Scope) -> Any:
    """What front matter says, or a choice of what it says by conditions: `CONDITION: TEXT`, the last one `else`.

    `{{ name }}` in a text is the text of a value.
    """

    def written(text: str) -> str:
        return _VALUE.sub(lambda found: str(scope.value(found[1]).text), text)

    if not isinstance(said, dict):
        return written(said) if isinstance(said, str) and said else said or None
    filled = {key: written(text) for key, text in said.items()}
    options = ((settled(text), value) for text, value in filled.items() if text != "else")
    return Choice(tuple((when, value) for when, value in options if not isinstance(when, bool)), filled["else"])


def _titled(heading: str | Choice[str]) -> str | Choice[str]:
    if isinstance(heading, str):
        return heading.lstrip("# ")
    return Choice(tuple((when, text.lstrip("# ")) for when, text in heading.options), heading.otherwise.lstrip("# "))


def _wrapped(pieces: Iterator[Piece], opens: str, closes: str, heading: str | Choice[str] = "") -> Iterator[Piece]:
    ways = heading if isinstance(heading, Choice) else Choice((), heading)
    before: Condition = ALWAYS
    for when, text in (*ways.options, (ALWAYS, ways.otherwise)) if opens else ():
        yield label(opens.replace("{heading}", text), when=before & when)
        before = before & ~when
    yield from pieces
    if closes:
        yield label(closes)


def _named(nodes: Nodes) -> Iterator[tuple[int, str]]:
    """(line, name) of each text of the agent's wording."""
    for node in nodes:
        if node[0] == "text" and node[2] in ("builtin", "label"):
            text = str(node[4])
            yield int(node[1]) + len(text) - len(text.lstrip("\n")), str(node[3])
        for inner in bodies(node):
            yield from _named(inner)
