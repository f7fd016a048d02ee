"""What the rules of a check look at: one agent's prompt, and what there is to be named in the repository around it."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from posixpath import dirname, join, normpath, splitext

from msgspec import Struct

from promptscope_engine.inputs.pinned import NOWHERE
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.javascript.ignore import read_patterns, within_limits
from promptscope_engine.nearest import nearest
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_engine.workspace.repository import FileList, list_files

from .findings import RULES, Finding
from .references import MADE, is_placeholder

LIKE = 0.75
"""How like two names are, from 0 to 1, of which one is meant by the other."""

_MOST = 500
"""Names that one is compared with."""

_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""The files that an import names by what they are compiled to."""

_UP = re.compile(r"(?:\.{1,2}/)+")


class Names(Struct, frozen=True, dict=True):
    """The names of a repository's files and folders, relative to its root."""

    listing: FileList

    @cached_property
    def files(self) -> frozenset[str]:
        """All files of git's, or found by walking."""
        return frozenset(self.listing.files)

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that hold them."""
        found: set[str] = set()
        for file in self.listing.files:
            folder = dirname(file)
            while folder and folder not in found:
                found.add(folder)
                folder = dirname(folder)
        return frozenset(found)

    @cached_property
    def called(self) -> dict[str, list[str]]:
        """Files and folders by their last name."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in (*self.listing.files, *sorted(self.folders)):
            found[path.rpartition("/")[2]].append(path)
        return found

    @cached_property
    def inside(self) -> dict[str, list[str]]:
        """The names in each folder."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in (*self.listing.files, *sorted(self.folders)):
            folder, _, name = path.rpartition("/")
            found[folder].append(name)
        return found

    def nearest(self, place: str) -> str | None:
        """What is most likely meant: a like name in the same folder, or the same name elsewhere."""
        folder, _, name = place.rpartition("/")
        if close := nearest(name, self.inside.get(folder, ())[:_MOST], 1, cutoff=LIKE):
            return join(folder, close[0])
        same = self.called.get(name, [])[:_MOST]
        moved = same if len(same) == 1 else [path for path in same if _is_within(place.split("/"), path.split("/"))]
        return min(moved, key=len, default=None)


def _is_within(parts: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the parts are among the others, in their order."""
    rest = iter(others)
    return all(part in rest for part in parts)


class Repository(Struct, frozen=True):
    """The names, and the disk for what git ignores. `start`: the agent's folder below the root, "" for the root."""

    names: Names
    workspace: Workspace
    start: str = ""

    def missing(self, name: str, file: str, *, is_link: bool) -> str | None:
        """Where a path that a file names would be, relative to the root; None where it is there or may be.

        A link leads on from its file; other paths may be meant from any folder around it, and shortened in front.
        """
        folder, plain = dirname(file), _UP.sub("", name.rstrip("/"), count=1)
        bases = [folder, ""] if is_link else [*_with_parents(folder), self.start]
        places = [normpath(join(base, name)) for base in bases]
        if any(place.startswith("..") or self.is_there(place) for place in places):
            return None
        if is_link:
            return None if any(map(is_placeholder, plain.split("/"))) else places[0]
        if any(f"/{path}".endswith(f"/{plain}") for path in self.names.called.get(plain.rpartition("/")[2], ())):
            return None
        begins = plain.partition("/")[0]  # a path of this repository begins with one of its folders
        for base, place in zip(bases, places, strict=True):
            if place.count("/") and join(base, begins) in self.names.folders:
                return None if self._may_be_made(place) else place
        return None

    def is_there(self, place: str) -> bool:
        """Whether a path leads to a file or folder, ignored or not, or is what an import makes of a file's name."""
        stem, ending = splitext(place)
        if place in self.names.files or place in self.names.folders:
            return True
        if any(stem + other in self.names.files for other in _COMPILED.get(ending, ())):
            return True
        return self.workspace.kind(join(self.names.listing.root, place)) is not None

    def _may_be_made(self, place: str) -> bool:
        """Whether it is a placeholder, made by a tool, somebody's own, or ignored by git."""
        parts = place.split("/")
        there = next(n for n in range(len(parts)) if "/".join(parts[: n + 1]) not in self.names.folders)
        if any(map(is_placeholder, parts[there:])) or not MADE.isdisjoint(parts):
            return True
        if parts[0].startswith(".") and not self.names.nearest(place):
            return True
        return any(self.ignores("/".join(parts[:n]), "/".join(parts[n:])) for n in range(len(parts)))

    def ignores(self, folder: str, rest: str) -> bool:
        """Whether the .gitignore of a folder hides a path below it."""
        file = join(folder, ".gitignore")
        if file not in self.names.files:
            return False
        lines, _ = within_limits(self.workspace.read(join(self.names.listing.root, file)).text.splitlines())
        patterns = read_patterns(lines, "git")
        return patterns.hides(rest) or patterns.hides(f"{rest}/")


def _with_parents(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""


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

    def finding(
        self, rule: str, message: str, path: str | None = None, line: int | None = None, tokens: int | None = None
    ) -> Finding:
        """A finding of this agent; `path` as the agent shows it, or absolute. A line is one of the file, not a link."""
        place = path if path is None else (self.shown(path) if line else self.named(path)) or path
        message = message.replace(f"{self.root}/", "")  # the same on every machine
        return Finding(rule, RULES[rule].level, message, place, line, (self.assembly.agent,), tokens)

    def named(self, path: str) -> str | None:
        """The path below the repository's root, or as `~/...`; None for one elsewhere."""
        return self.relative(path) or self.in_home(path)

    def shown(self, path: str) -> str | None:
        """The same of the file that it leads to, if that is in the repository."""
        return self.relative(self.workspace.real_path(self.absolute(path))) or self.named(path)

    @cached_property
    def count(self) -> Callable[[str], int]:
        """Tokens of a text, as the prompt's are counted."""
        return self.counter.by(get_tokenizer(self.assembly.tokens.tokenizer)).count

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
