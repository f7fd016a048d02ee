"""Instruction files of an agent that sends each as a text of its own, by one of several names or by patterns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat, takewhile

from msgspec import Struct

from promptscope_engine.agents.kit.rows import Found, absent, entered, followed
from promptscope_engine.agents.kit.walking import MOST, upwards
from promptscope_engine.javascript import picomatch
from promptscope_engine.javascript.glob import expand_braces, is_pattern
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import Span, file_text
from promptscope_engine.prompt.model import Load, SettingSource
from promptscope_engine.workspace import FileText, Workspace

KIND = "agents-md"
_MOST = 2_000
"""Files that one pattern may name."""


class Instructions(Struct, frozen=True):
    """A file or address of instructions, its text, and whether it counts."""

    path: str
    spans: tuple[Span, ...]
    when: Condition = ALWAYS


@dataclass(eq=False, repr=False)
class Collector:
    """Collects files in their order, each once by its path. `reader`: the agent; `follow`: links are followed."""

    told: Found
    reader: str
    follow: bool
    found: dict[str, Instructions] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def add(self, path: str, when: Condition, source: SettingSource | None = None, load: Load = "always") -> None:
        """A file, whole, without a byte order mark; an empty one adds nothing. `source`: the setting that names it."""
        if path in self.seen:
            return
        self.seen.add(path)
        workspace = self.told.workspace
        file = workspace.read(path)
        text = file.text.removeprefix("\ufeff") if file.found else ""
        when = when & followed(workspace, path, self.follow) & usable(file)
        if file.found and not text:
            when = when & absent(path, "it is empty", f"write something into {path}")
        self.told.row(file, KIND, load, when, text)
        if text:
            self.found[path] = Instructions(path, (file_text(path, text, 1),), when & named_by(source))

    def first(self, paths: Iterable[tuple[str, Condition]]) -> None:
        """The first of some files that is there and let in: it takes the place of the others."""
        taken = ""
        for path, when in paths:
            file = self.told.workspace.read(path)
            if file.found and not taken and when.holds(Facts()):
                taken = path
                self.add(path, when)
            elif taken and file.problem != "missing":
                why = absent(path, f"{taken} takes its place", f"take {taken} away")
                self.told.row(file, KIND, "always", why)
            else:
                self.told.row(file, KIND, "always", when & usable(file))

    def chain(self, folders: Sequence[str], names: Mapping[str, Condition]) -> None:
        """The first name that is found in any folder and let in: it counts in every one, in their order."""
        let_in = [name for name, when in names.items() if when.holds(Facts())]
        chosen = next((name for name in let_in if any(self.has(folder, name) for folder in folders)), None)
        for name, when in names.items():
            for path in (_in(folder, name) for folder in folders if self.has(folder, name)):
                if name == chosen:
                    self.add(path, when)
                else:
                    why = absent(path, f"only {chosen} counts, as it comes before {name}", f"take {chosen} away")
                    self.told.row(self.told.workspace.read(path), KIND, "always", why if name in let_in else when)
        if chosen is None:
            file = self.told.workspace.read(_in(folders[0], let_in[0]))
            self.told.row(file, KIND, "always", usable(file))

    def has(self, folder: str, name: str) -> bool:
        """Whether there is anything of a name in a folder."""
        return self.told.workspace.kind(_in(folder, name)) is not None

    def pattern(self, folder: str, text: str, source: SettingSource) -> None:
        """The files that a setting names from a folder on, if they may be read."""
        plain = takewhile(lambda part: not is_pattern(part), text.split("/")[:-1])
        start = resolve(folder, "/".join(plain) or ".")
        if not entered(self.told.workspace, start, self.follow, self.reader).holds(Facts()):
            said = f"`{source.key}` leads to {start}, which is outside of the folders that are read"
            self.told.say("info", "outside", said, source.path, source.line)
            return
        if self.follow:
            self.told.workspace.allow([start])
        for path in globbed(self.told.workspace, folder, text, most=_MOST):
            self.add(path, ALWAYS, source)

    def woken(self, path: str, cwd: str, names: Sequence[str]) -> Iterator[Instructions]:
        """What a read of a file wakes: the first of the names in each folder from its own up to below `cwd`, once."""
        if not path.startswith(f"{cwd.rstrip('/')}/") or self.told.workspace.kind(path) != "file":
            return
        for folder in upwards(path.rpartition("/")[0], cwd)[:-1]:
            near = next((_in(folder, name) for name in names if self.has(folder, name)), None)
            if near is not None and near != path and near not in self.found:
                self.add(near, ALWAYS, load="on-demand")
                yield from [self.found[near]] if near in self.found else []


def _in(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}"


def usable(file: FileText) -> Condition:
    """A file was found and can be read."""
    if file.found:
        return ALWAYS
    if file.problem == "missing":
        return absent(file.path, "no such file", f"create {file.path}")
    return absent(file.path, f"it cannot be read: {file.problem}", f"make {file.path} a file that can be read")


def named_by(source: SettingSource | None) -> Condition:
    """A setting names a file."""
    text = f"`{source.key}` names it" if source else ""
    return Fact("file", source.key, True, text, text, source=source) if source else ALWAYS


# --- what a pattern names ---------------------------------------------------------------------------------------------


def globbed(workspace: Workspace, folder: str, pattern: str, *, most: int) -> list[str]:
    """The files that a pattern names from a folder on, as npm's `glob` with `dot` has them, by name in each folder."""
    steps = repeat(None, MOST)
    paths = (path for each in expand_braces(pattern) for path in _globbed(workspace, folder, each.split("/"), steps))
    return list(dict.fromkeys(islice(paths, most)))


def _globbed(workspace: Workspace, at: str, parts: Sequence[str], steps: Iterator[None]) -> Iterator[str]:
    """One step for each folder or file: `**` goes into folders, and into no links to folders."""
    if next(steps, _SPENT) is _SPENT:
        return
    if not parts:
        yield from [at] if workspace.kind(at) == "file" else []
        return
    head, *rest = parts
    if head == "**":
        yield from _globbed(workspace, at, rest, steps)
        for entry in workspace.list(at).entries:
            if entry.kind == "directory" or not rest:
                below = parts if entry.kind == "directory" else ()
                yield from _globbed(workspace, f"{at.rstrip('/')}/{entry.name}", below, steps)
    elif is_pattern(head) or "(" in head:
        for entry in workspace.list(at).entries:
            if picomatch.names(head, entry.name):
                yield from _globbed(workspace, f"{at.rstrip('/')}/{entry.name}", rest, steps)
    else:
        yield from _globbed(workspace, resolve(at, head), rest, steps)


_SPENT = object()
