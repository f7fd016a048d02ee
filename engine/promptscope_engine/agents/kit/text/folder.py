"""An agent as text and data: its folder's sections and tools made into drafts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, reduce
from pathlib import Path
from typing import Any, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.inputs.params import Params
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import (
    Choice,
    LazySequence,
    ParameterDraft,
    Place,
    SectionDraft,
    Span,
    ToolDraft,
    label,
)
from promptscope_engine.prompt.model import Diagnostic, SettingSource

from .expressions import Settled, Vocabulary
from .params import fact_of, params_of
from .sources import FolderError, Source, Table, noted
from .texts import Conditions, Scope, Text, value_in
from .written import Written

T = TypeVar("T")


class Bundled(Struct, frozen=True):
    """What comes along with an agent: a skill, an agent, a mode. `forms` are the texts of NAME@FORM."""

    name: str
    head: Table
    text: str
    forms: Mapping[str, str]


Made = Mapping[str, Callable[[], Iterable[SectionDraft]]]
"""Sections that Python makes: `@name` in the order of agent.toml."""


class Folder(Written):
    """The drafts of an agent's folder. Everything raises FolderError for what is wrong with a file."""

    @classmethod
    def of(cls, module: str, gates: Mapping[str, Condition] = {}, **more: Any) -> Self:
        """The folder of a module's file; its texts may name the inputs that its agent.toml has, and these gates."""
        path = Path(module).parent
        return cls(path, Vocabulary.of(params_of(path), gates, **more))

    @property
    def params(self) -> type[Params]:
        """The model of the agent's inputs."""
        return params_of(self.path)

    # --- sections -----------------------------------------------------------------------------------------------------

    def sections(
        self, scope: Scope, made: Made | None = None, group: str = "", form: str = ""
    ) -> Iterator[SectionDraft]:
        """The sections of the groups of a name in their order; each in its `form`, `NAME@FORM`, where it has that."""
        tables = [table for table in self.agent["sections"] if table.get("name", "") == group]
        if not tables:
            raise FolderError(self.path / self.main, None, f"no sections are named `{group}`")
        for table in tables:
            for name in self.as_of(table, "order", scope.version):
                if name[0] == "@" and made:
                    yield from made[name[1:]]()
                else:
                    yield from self._sections(
                        self._file(self.sources.sections, name, scope.version, form), scope, table
                    )

    def _sections(self, name: str, scope: Scope, group: Table) -> Iterator[SectionDraft]:
        """One section, or with `each` one for each item of a list, of which id and title may name parts."""
        items = self.sources.sections[name].head.get("each")
        if items is None:
            yield self._section(name, scope, group)
            return
        for item in scope.value(items):
            draft = self._section(name, scope.within({"each": item}), group)
            named, title = (_PART.sub(partial(_part, item), str(text)) for text in (draft.id, draft.title))
            yield replace(draft, id=named, title=title, when=draft.when & item.when)

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
            spans=LazySequence(_wrapped(partial(self.run, text, source, scope), opens, closes, heading or "")),
            heading=heading,
            when=self.condition(group.get("when", ""), scope, self.main)
            & self.condition(source.head.get("when", ""), scope, source.file),
            place=self.place(said["place"], section) if "place" in said else Place(),
            stability=said.get("stability") or ("static" if text().is_fixed else "session"),
            parent=said.get("parent", section.rpartition(".")[0]) or None,
            reference=heading if measured == "{heading}" else section if measured is True else measured,
        )

    def spans(self, name: str, scope: Scope) -> list[Span]:
        """The text of a section's file alone, as the scope's version has it."""
        return self.section_text(self._file(self.sources.sections, name, scope.version, "")).spans(scope)

    def section_text(self, name: str, prefix: str = "") -> Text:
        """The text of a section; its ids begin as its front matter says, or its group, or with its name."""
        return self.text("sections", name, self.section_prefix(name, prefix))

    def place(self, place: str, section: str = "") -> Place:
        """A place of agent.toml; with `{name}` as its block each section has one of its own."""
        table = self.agent["places"][place]
        return Place(**{**table, "block": table["block"].replace("{name}", section)})

    # --- conditions ---------------------------------------------------------------------------------------------------

    def decided(
        self, found: Mapping[str, bool], filled: Mapping[str, str], words: Mapping[str, Callable[..., Condition]] = {}
    ) -> dict[str, Condition]:
        """What was found out, in the sentences of `[facts]`, and the `[gates]` that follow from it."""
        table = self.agent["facts"]
        told: dict[str, Condition] = {name: fact_of(table[name], ok, {}, filled) for name, ok in found.items()}
        return {**told, **self.gates_of(Scope(told, words))}

    def reason(self, key: str, ok: bool = False, more: Mapping[str, Any] = {}, /, **filled: object) -> Fact:
        """Why something counts, or does not: in the sentences of `[reasons]` (see `fact_of`)."""
        return fact_of(self.agent["reasons"][key], ok, more, filled)

    def note(
        self, key: str, place: SettingSource | str | None = None, line: int | None = None, /, **filled: object
    ) -> Diagnostic:
        """What surprises people, in the words of `[notes]`, of a setting or the file at a path (see `noted`)."""
        return noted(self.agent["notes"], key, place, line, filled)

    # --- tools --------------------------------------------------------------------------------------------------------

    @property
    def tool_groups(self) -> Mapping[str, list[str]]:
        """The names of tools by group."""
        groups: Mapping[str, list[str]] = self.agent["tools"]["groups"]
        return groups

    def tool_names(self, version: str = "") -> tuple[str, ...]:
        """The tools of a version, or all, in no order that counts."""
        names = dict.fromkeys(name.partition("@")[0] for name in self.sources.tools)
        of = self.versions_of
        return self.once(("names", version), lambda: tuple(n for n in names if not version or version in of(n)))

    def versions_of(self, name: str) -> tuple[str, ...]:
        """The versions that have a tool."""
        return self._versions(self.sources.tools[name])

    def _versions(self, source: Source) -> tuple[str, ...]:
        head, versions = source.head, self.versions
        since, until = versions.index(head.get("since", versions[0])), versions.index(head.get("until", versions[-1]))
        return versions[since : until + 1]

    def tool_source(self, name: str, version: str, form: str = "") -> Source | None:
        """The text of a tool as a version has it, None for what it does not have."""
        file = self._file(self.sources.tools, name, version, form)
        source = self.sources.tools.get(file)
        return source if source and version in self._versions(source) else None

    def tool_schema(self, name: str, version: str, form: str = "") -> Mapping[str, Any] | None:
        """The schema of a tool as a version has it, as it is written."""
        return self.sources.schemas.get(self._file(self.sources.schemas, name, version, form))

    def words(self, name: str) -> str:
        """The words of a tool's file that has neither conditions nor values in it."""
        return self.plain(self.sources.tools[name])

    def says(self, name: str, key: str, version: str) -> bool:
        """Whether the front matter of a tool says this of a version: `true`, or a condition on the version alone."""
        source = self.sources.tools[name]
        said = source.head.get(key, False)
        return said if isinstance(said, bool) else self.holds(said, version, source)

    def exists(self, name: str, scope: Scope, otherwise: Condition) -> Condition:
        """What a tool's front matter says of whether there is one, by version if it is a choice."""
        source = self.sources.tools[name]
        said = source.head.get("exists")
        if isinstance(said, dict):
            ways = (text for of, text in said.items() if of == "else" or self.holds(of, scope.version, source))
            said = next(ways)
        return self.condition(said, scope, source.file) if said else otherwise

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

        `form`: what is in `NAME@FORM` is taken where there is such a file.
        """
        file = self._file(self.sources.tools, name, scope.version, form)
        source = self.sources.tools[file]
        said = {**self.agent["tools"], **source.head}
        text = partial(self.text, "tools", file, self.tool_prefix(file))
        opens = str(said.get("opens", "")).replace("{name}", name)
        condition = partial(self.condition, scope=scope, file=source.file)
        schema_file = self._file(self.sources.schemas, name, scope.version, form)
        schema, in_schema = (
            self.schema(schema_file),
            partial(self.condition, scope=scope, file=f"tools/{schema_file}.json"),
        )
        return ToolDraft(
            name=name,
            group=self.group_of(name),
            description=LazySequence(_wrapped(partial(self.run, text, source, scope), opens, "")),
            when=when & condition(source.head.get("when", "")),
            parameters=tuple(schema.parameters(in_schema) if schema else self.parameters(source, condition)),
            input_schema=schema.sent(in_schema, partial(value_in, scope)) if schema else None,
            variant=variant or self.variant(source, condition),
            section=said["section"].replace("{name}", name) if "section" in said else None,
            reference=f"tools.{name}",
        )

    def _file(self, files: Mapping[str, object], name: str, version: str, form: str) -> str:
        """`NAME@FORM`, or `NAME@VERSION` of the oldest version that is not before this one; else NAME."""
        versions = self.versions
        later = versions[versions.index(version) :] if version else ()
        return next((file for each in (form, *later) if (file := f"{name}@{each}") in files), name)

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

    # --- what comes along ---------------------------------------------------------------------------------------------

    def bundled(self, kind: str, version: str) -> Mapping[str, Bundled]:
        """What a version brings along of one kind, by name in the order of agent.toml."""
        sources, table = self.sources.bundled[kind], self.agent["bundled"][kind]

        def made() -> Mapping[str, Bundled]:
            names = [name for name in self.as_of(table, "order", version) if version in self._versions(sources[name])]
            return {name: self._bundled(sources, name, version) for name in names}

        return self.once(("bundled", kind, version), made)

    def _bundled(self, sources: Mapping[str, Source], name: str, version: str) -> Bundled:
        source = self.as_of(sources, name, version)
        others = {file[len(name) + 1 :]: other for file, other in sources.items() if file.startswith(f"{name}@")}
        forms = {form: self.plain(other) for form, other in others.items() if form not in self.versions}
        return Bundled(name, source.head, self.plain(source), forms if source is sources[name] else {})

    def tool_order(self, version: str) -> tuple[str, ...]:
        """The tools of a version in the order of the request."""
        return tuple(self.as_of(self.agent["tools"], "order", version))

    def as_of(self, found: Mapping[str, T], name: str, version: str) -> T:
        """What a version has under a name: `NAME@VERSION` is that of the older ones."""
        return found[self._file(found, name, version, "")]


_PART = re.compile(r"\{([\w.]+)\}")


def _part(item: object, found: re.Match[str]) -> str:
    return str(reduce(getattr, found[1].split("."), item))


_VALUE = r"\{\{ ([\w.]+) \}\}"


def _chosen(said: Any, settled: Callable[[str], Settled], scope: Scope) -> Any:
    """A value of front matter, with `{{ name }}` filled in, or a choice: `CONDITION: TEXT`, the last one `else`."""

    def written(text: str) -> str:
        return re.sub(_VALUE, lambda found: str(scope.value(found[1]).text), text)

    if not isinstance(said, dict):
        return written(said) if isinstance(said, str) and said else said or None
    filled = {key: written(text) for key, text in said.items()}
    options = ((settled(text), value) for text, value in filled.items() if text != "else")
    return Choice(tuple((when, value) for when, value in options if not isinstance(when, bool)), filled["else"])


def _titled(heading: str | Choice[str]) -> str | Choice[str]:
    if isinstance(heading, str):
        return heading.lstrip("# ")
    return Choice(tuple((when, text.lstrip("# ")) for when, text in heading.options), heading.otherwise.lstrip("# "))


def _wrapped(
    run: Callable[[], Iterable[Span]], opens: str, closes: str, heading: str | Choice[str] = ""
) -> Iterator[Span]:
    ways = heading if isinstance(heading, Choice) else Choice((), heading)
    before: Condition = ALWAYS
    for when, text in (*ways.options, (ALWAYS, ways.otherwise)) if opens else ():
        yield label(opens.replace("{heading}", text), when=before & when)
        before = before & ~when
    yield from run()
    if closes:
        yield label(closes)
