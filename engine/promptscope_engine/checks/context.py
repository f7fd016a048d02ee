"""What the rules of a check look at: one agent's prompt, and the repository around it."""

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from promptscope_engine.inputs.pinned import NOWHERE
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_engine.workspace.repository import list_files

from .findings import RULES, Finding
from .named import Names


class Passage(Struct, frozen=True):
    """Text of a file that is in the prompt, from `start` on; `path` as the agent shows it."""

    path: str
    start: int
    text: str


class Context(Struct, frozen=True, dict=True):
    """One assembled prompt. `root` is the repository's, without a trailing slash."""

    root: str
    assembly: Assembly
    lazy: LazyRules | None
    workspace: Workspace
    counter: Counter
    known: Names | None = None
    """The names of the repository's files, where they are known."""

    def finding(self, rule: str, message: str, path: str | None = None, line: int | None = None) -> Finding:
        """A finding of this agent; `path` as the agent shows it, or absolute. A line is one of the file, not a link."""
        real = self.relative(self.workspace.real_path(self.absolute(path))) if path and line else None
        place = None if path is None else real or self.relative(path) or self.in_home(path) or path
        message = message.replace(f"{self.root}/", "")  # the same on every machine
        return Finding(rule, RULES[rule].level, message, place, line, (self.assembly.agent,))

    def absolute(self, path: str) -> str:
        """Where a path that the agent shows leads: a relative one is below the workspace."""
        if path.startswith("~"):
            path = self.assembly.home + path[1:]
        return path_in(self.assembly.workspace, path)

    def relative(self, path: str) -> str | None:
        """The path below the repository's root; None for one elsewhere."""
        absolute = self.absolute(path)
        return absolute[len(self.root) + 1 :] if absolute.startswith(f"{self.root}/") else None

    def in_home(self, path: str) -> str | None:
        """The path as `~/...`, None outside the home folder. A check reads a home folder only if it was named."""
        absolute, home = self.absolute(path), self.assembly.home.rstrip("/")
        return f"~{absolute[len(home) :]}" if absolute.startswith(f"{home}/") else None

    @property
    def knows_home(self) -> bool:
        """Whether a home folder is read: a check does so if it was named."""
        return self.assembly.home != NOWHERE

    def text(self, path: str) -> str:
        """The text of a file that the agent shows."""
        return self.workspace.read(self.absolute(path)).text

    def exists(self, file: SourceFile) -> bool:
        """Whether something is there."""
        return self.workspace.kind(self.absolute(file.path)) is not None

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The text of the repository's own files that is in the prompt, in order."""
        return tuple(self._passages())

    @cached_property
    def later(self) -> tuple[Passage, ...]:
        """The text of its files that loads when others are read."""
        there = {passage.path for passage in self.passages}
        paths = [rule.file.path for rule in self.lazy.rules if not rule.file.never] if self.lazy else []
        own = (path for path in dict.fromkeys(paths) if path not in there and self.relative(path) is not None)
        return tuple(Passage(path, 1, self.text(path)) for path in own)

    @cached_property
    def names(self) -> Names:
        """The names of the repository's files."""
        return self.known or Names(list_files(self.root, self.assembly.home, {}, self.workspace))

    def _passages(self) -> Iterator[Passage]:
        for section in self.assembly.sections:
            for fragment in section.fragments if section.present else ():
                origin = fragment.origin
                if origin.kind == "file" and origin.path and self.relative(origin.path) is not None:
                    yield Passage(origin.path, origin.start_line or 1, fragment.text)
