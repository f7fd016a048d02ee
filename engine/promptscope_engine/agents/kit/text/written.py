"""Texts and conditions of an agent's folder, bound to what they may name, and where each one is."""

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Span

from .expressions import Expression, ExpressionError, Vocabulary, read_expression
from .sources import FolderError, Layer, Source, Sources, Table, laid, read_words, sources_of
from .template import Nodes, TemplateError, bodies
from .texts import Scope, Text, ToolSchema, Wording, worded

T = TypeVar("T")


class Written:
    """The files of an agent's folder, or its `sources` if already read. Raises FolderError for mistakes."""

    main = "agent.toml"

    def __init__(self, path: Path, vocabulary: Vocabulary, sources: Sources | None = None) -> None:
        self.path, self._given, self._read = path, vocabulary, sources
        self._made: dict[Hashable, Any] = {}
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
            self._made.clear()
            for name in ("versions", "vocabulary", "_wordings"):
                self.__dict__.pop(name, None)
        return found

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What follows from the files alone, made once."""
        try:
            found: T = self._made[key]
        except KeyError:  # looked up once: the files may be read again meanwhile, in another thread
            found = self._made[key] = make()
        return found

    def data(self, name: str) -> Any:
        """What a JSON file of the folder holds."""
        return self.once(("data", name), lambda: json.loads((self.path / name).read_text("utf-8")))

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
        """The one that was given, with the `names` and `[gates]` of agent.toml: conditions as texts have them.

        A gate that asks a scenario is one of its `names`, see `gates_of`; the agent answers those given as `own`.
        """
        own = self._given.own.union(self.agent.get("names", ()))
        known, gates = replace(self._given, versions=self.versions, own=own), {**self._given.gates}
        for name, text in self.agent.get("gates", {}).items():
            if name.partition("@")[0] in self._given.own:
                continue
            with self._said_of(text, self.main):
                gate = read_expression(text, replace(known, gates=gates))
                if isinstance(gate, Condition):
                    gates[name] = gate
                elif name not in own:
                    raise ExpressionError(f"`names` has to have {name}, as a scenario decides it", 0)
        return replace(known, gates=gates)

    def gates_of(self, scope: Scope) -> dict[str, Condition]:
        """The `[gates]` of agent.toml that this scenario decides; one may name those before it."""
        found: dict[str, Condition] = {}
        for name, text in self.agent["gates"].items():
            if name not in self.vocabulary.gates:
                found[name] = self.condition(text, scope.within(found), self.main)
        return found

    # --- texts and conditions -----------------------------------------------------------------------------------------

    def text(self, kind: str, name: str, prefix: str) -> Text:
        """A text, bound once."""
        source: Source = getattr(self.sources, kind)[name]
        with self._said_in(source):
            return self.once((kind, name), lambda: Text(source.nodes, prefix, self.vocabulary, self.wording(source)))

    def run(self, text: Callable[[], Text], source: Source, scope: Scope) -> list[Span]:
        """The spans of a text in one scenario."""
        with self._said_in(source):
            return text().spans(scope)

    def wording(self, _source: Source) -> Wording:
        """How the words of a file become spans."""
        return worded

    def plain(self, source: Source) -> str:
        """The words of a file that has neither conditions nor values in it."""
        if other := next((node for node in source.nodes if node[0] != "text"), None):
            raise FolderError(self.path / source.file, other[1], "only plain text is allowed here")
        return "".join(node[4] for node in source.nodes)

    def schema(self, file: str) -> ToolSchema | None:
        """A tool's schema, made once; None if it has none."""
        written = self.sources.schemas.get(file)
        return None if written is None else self.once(("schema", file), lambda: ToolSchema(written))

    def condition(self, text: str, scope: Scope, file: str) -> Condition:
        """The condition of a guard, "" for none."""
        if not text:
            return ALWAYS
        expression = self.expression(text, file)
        if isinstance(expression, Condition):
            return expression
        with self._said_of(text, file):
            found = scope.settled(expression)
            if isinstance(found, bool):
                raise ExpressionError("this is not a condition", 0)
        return found

    def holds(self, text: str, version: str, source: Source) -> bool:
        """Whether a condition on the version alone holds."""
        return self.condition(text, Scope({}), source.file).holds(Facts(version=version))

    def expression(self, text: str, file: str) -> Expression:
        """A condition as it is read, once."""
        try:
            found: Expression = self._made[text]
        except KeyError:
            with self._said_of(text, file):
                found = self._made[text] = read_expression(text, self.vocabulary)
        return found

    @contextmanager
    def _said_in(self, source: Source) -> Iterator[None]:
        """Say with its file what is wrong with a template."""
        try:
            yield
        except TemplateError as error:
            raise FolderError(self.path / source.file, error.line, error.message, error.nearest) from None

    @contextmanager
    def _said_of(self, text: str, file: str) -> Iterator[None]:
        """Say with its place what is wrong with a condition."""
        try:
            yield
        except ExpressionError as error:
            line, message = self.line_of(file, text), f"`{text}`: {error.message}"
            raise FolderError(self.path / file, line, message, error.nearest) from None

    # --- what is where --------------------------------------------------------------------------------------------

    def line_of(self, file: str, words: str) -> int | None:
        """The line of a file on which words first stand."""
        either = "|".join(map(re.escape, (words, json.dumps(words, ensure_ascii=False)[1:-1])))
        text = self.written(file)
        found = re.search(rf"(?<!\w)(?:{either})(?!\w)", text)
        return 1 + text.count("\n", 0, found.start()) if found else None

    def written(self, file: str) -> str:
        """What is written in a file."""
        return read_words(self.path / file)

    def shown(self, file: Path) -> str:
        """A file of this folder as people name it: `sections/rules.md`; one that is laid over it whole."""
        return str(file.relative_to(self.path)) if file.is_relative_to(self.path) else str(file)

    def place_of(self, wording: str) -> tuple[Path, int] | None:
        """File and line at which the wording of an id begins, or a whole section or tool: `rules`, `tools.Read`."""
        if wording in self._wordings:
            return self._wordings[wording]
        tool = wording.removeprefix("tools.")
        source = self.sources.tools.get(tool) if tool != wording else self.sources.sections.get(wording)
        return (self.path / source.file, 1) if source else None

    @cached_property
    def _wordings(self) -> Mapping[str, tuple[Path, int]]:
        groups = {name: table.get("prefix", "") for table in self.agent.get("sections", ()) for name in table["order"]}
        files = [(self.section_prefix(name, groups.get(name, "")), s) for name, s in self.sources.sections.items()]
        files += ((self.tool_prefix(name), source) for name, source in self.sources.tools.items())
        for kind, sources in self.sources.bundled.items():
            before = self.agent["bundled"][kind].get("prefix", kind)
            for name, source in sources.items():
                item, _, form = name.partition("@")
                files.append((f"{before}.{item}{'' if form in ('', *self.versions) else f'.{form}'}", source))
        found: dict[str, tuple[Path, int]] = {}
        for prefix, source in files:
            for line, name in _named(source.nodes):
                found.setdefault(f"{prefix}.{name}" if name else prefix, (self.path / source.file, line))
        return found

    def section_prefix(self, name: str, group: str = "") -> str:
        """What the ids of a section's wording begin with: its front matter says it, its group, or its name."""
        head = self.sources.sections[name].head
        return str(head.get("prefix") or group or head.get("id") or name.partition("@")[0])

    def tool_prefix(self, name: str) -> str:
        """The same of a tool's."""
        said: Table = {**self.agent.get("tools", {}), **self.sources.tools[name].head}
        return str(said.get("prefix", "{name}")).replace("{name}", name.partition("@")[0])


def _named(nodes: Nodes) -> Iterator[tuple[int, str]]:
    """(line, name) of each text of the agent's wording."""
    for node in nodes:
        if node[0] == "text" and node[2] in ("builtin", "label"):
            text = str(node[4])
            yield int(node[1]) + len(text) - len(text.lstrip("\n")), str(node[3])
        for inner in bodies(node):
            yield from _named(inner)
