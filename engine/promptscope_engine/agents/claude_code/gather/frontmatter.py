"""Files with frontmatter that are listed by name: skills, commands, agents, output styles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from promptscope_engine.agents.kit.heads import Budget, near_keys, traced
from promptscope_engine.agents.kit.near_misses import near_entries
from promptscope_engine.agents.kit.rows import may_read
from promptscope_engine.agents.kit.walking import linked_below, upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.json import number
from promptscope_engine.prompt.drafts import FileDraft, Piece
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.workspace import FileText, Workspace

from .content import Content, process
from .head import is_within
from .plugins import Plugin
from .settings import Sources

MAX_FILES = 2_000
_DEPTH = 8
_COMMA = re.compile(r",(?![^()]*\))")
"""Between two tools, not inside of `Agent(worker, reviewer)`."""
_BLANK = re.compile(r"[\s,]+(?![^()]{0,500}\))")


@frozen
class Described:
    """A file that was read: its frontmatter and its body (nothing of it is cut)."""

    source: FileText
    content: Content

    @property
    def values(self) -> dict[str, Json]:
        return self.content.frontmatter

    def text(self, key: str) -> str:
        """A scalar of the frontmatter as text, as JavaScript writes it; empty if it is none."""
        value = self.values.get(key)
        if isinstance(value, bool):
            return "true" if value else "false"
        return value if isinstance(value, str) else number(value) if isinstance(value, (int, float)) else ""

    def pieces(self, text: str) -> tuple[Piece, ...]:
        """A text taken from the file: traced to its line where it stands there verbatim."""
        return traced(self.source, text, "frontmatter")

    def setting(self, key: str, *item: int) -> SettingSource:
        """Where the frontmatter sets a key, or an item of its list. No switch simulates an edit."""
        path = self.source.path
        head = self.source.text.partition("---")[2].partition("\n---")[0]
        return SettingSource(key, path, path, key_line(head, (key, *item), "yaml"))

    def entries(self, key: str, *, blanks: bool = False) -> Iterator[Known[str]]:
        """The names in a list, each with its line. `blanks` part two names, in an item of a YAML list too."""
        value = self.values.get(key)
        for at, item in enumerate(listed(value)):
            source = self.setting(key, *([at] if isinstance(value, list) else []))
            yield from (Known(name, source) for name in (_BLANK.split(item) if blanks else [item]) if name)

    def problem(self) -> Diagnostic | None:
        if self.content.problem is None:
            return None
        return Diagnostic(
            "warning", "bad-frontmatter", self.content.problem, self.source.path, self.content.problem_line
        )


def listed(value: Json) -> list[str]:
    """The names in a comma list or a YAML list; some may be blank."""
    items = value if isinstance(value, list) else _COMMA.split(value) if isinstance(value, str) else []
    return [str(item).strip() for item in items]


def described(workspace: Workspace, path: str, version: str, budget: Budget) -> Described | None:
    """The file, or None if it cannot be read."""
    source = workspace.read(path)
    if not source.found:
        return None
    within = is_within(budget, source.text)
    key = ("claude-code.described", version, within)
    make = partial(process, source.text, version, comments=False, within_budget=within)
    content = workspace.made_of(source, key, make)
    return Described(source, content)


def markdown_below(workspace: Workspace, folder: str, diagnostics: list[Diagnostic]) -> list[str]:
    """Every `*.md` below a folder, sorted by path, up to a limit that is announced in `diagnostics`."""
    found = list(islice(linked_below(workspace, folder, ".md", depth=_DEPTH), MAX_FILES + 1))
    if len(found) > MAX_FILES:
        text = f"it holds more than {MAX_FILES:,} files; the others are left out"
        diagnostics.append(Diagnostic("warning", "too-many-files", text, folder))
    return found[:MAX_FILES]


@dataclass(eq=False, repr=False)
class Finder:
    """Looks through folders of files of one kind: the organisation's, the project's, the user's and plugins'."""

    workspace: Workspace
    version: str
    cwd: str
    root: str | None
    config: str
    managed: str
    added: tuple[str, ...]
    """Directories of --add-dir."""
    sources: Sources
    plugins: tuple[Plugin, ...]
    follow_links: bool
    files: list[FileDraft] = field(init=False, default_factory=list)
    diagnostics: list[Diagnostic] = field(init=False, default_factory=list)
    budget: Budget = field(init=False, default_factory=Budget)

    def below(self, folder: str, kind: str, plugin: Plugin | None) -> list[str]:
        """The files of a folder, or the single one that a plugin's manifest names in its place."""
        if not may_read(self.workspace, folder, kind, self.files):
            return []
        self.files += near_entries(self.workspace, folder, kind)
        if plugin and self.workspace.kind(folder) == "file":
            return [folder]
        return markdown_below(self.workspace, folder, self.diagnostics)

    def read(self, path: str, kind: str, meant: Mapping[str, str]) -> Described | None:
        """A file, and notes on its front matter: what is wrong with it, and keys that nearly are those `meant`."""
        readable = may_read(self.workspace, path, kind, self.files)
        found = described(self.workspace, path, self.version, self.budget) if readable else None
        if found and (problem := found.problem()):
            self.diagnostics.append(problem)
        self.diagnostics += near_keys(found.source, found.values, meant) if found else ()
        return found


def project_folders(cwd: str, root: str | None, name: str) -> list[str]:
    """`.claude/<name>` of cwd and of the directories above it up to the repository's root, closest first."""
    return [f"{folder.rstrip('/')}/.claude/{name}" for folder in upwards(cwd, root or cwd)]
