"""What ignore files hide: of the structure of the folders, which no setting changes, and of what may be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

OWN = ".geminiignore"
_GIT = read_patterns([".git"])


@dataclass(eq=False, repr=False)
class IgnoreRules:
    """The patterns below one workspace; files outside of it are never hidden. Later files go before earlier ones.

    `git`: whether git's files count, which they do in a repository only; `own`: the client's, weakest first.
    """

    root: str
    git: bool
    workspace: Workspace
    own: tuple[str, ...] = (OWN,)
    always: tuple[str, ...] = ()
    """Folders of these names are hidden, whatever the files say."""
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _known: dict[str, IgnorePatterns | None] = field(default_factory=dict)

    def hides(self, path: str) -> bool:
        """Whether a file, or a folder (its path ends in a slash), is left out, or lies in a folder that is."""
        return self.hidden_by(path) is not None

    def hidden_by(self, path: str) -> str | None:
        """The ignore file that hides it, relative to the root; None if none does."""
        base = self.root.rstrip("/") + "/"
        if not path.startswith(base):
            return None
        relative = path.removeprefix(base)
        if always := next((name for name in relative.split("/") if name in self.always), None):
            return always
        within = ""
        for name in relative.removesuffix("/").split("/")[:-1]:
            within += f"{name}/"
            if found := self._decides(within):
                return found
        return self._decides(relative) if relative else None

    def _decides(self, relative: str) -> str | None:
        """The file whose pattern is the last to name the path itself, if that pattern hides it."""
        verdict = None
        for source, base, patterns in self._sources(relative):
            decided = patterns.decide(relative.removeprefix(base))
            if decided is not None:
                verdict = source if decided else None
        return verdict

    def _sources(self, relative: str) -> Iterator[tuple[str, str, IgnorePatterns]]:
        """The patterns that speak of a path, each with its file and the folder that they are relative to."""
        if self.git:
            yield ".git", "", _GIT
            folders = ["", *accumulate(f"{name}/" for name in relative.removesuffix("/").split("/")[:-1])]
            for base, name in (("", ".git/info/exclude"), *((folder, ".gitignore") for folder in folders)):
                if patterns := self._patterns(f"{base}{name}"):
                    yield f"{base}{name}", base, patterns
        for name in self.own:
            if patterns := self._patterns(name):
                yield name, "", patterns

    def _patterns(self, name: str) -> IgnorePatterns | None:
        if name not in self._known:
            self._known[name] = self._read(f"{self.root.rstrip('/')}/{name}")
        return self._known[name]

    def _read(self, path: str) -> IgnorePatterns | None:
        file = self.workspace.read(path)
        if not file.found:
            return None
        kept, cut = within_limits(line.lstrip() for line in file.text.split("\n", MAX_LINES + 1))
        if cut:
            self.diagnostics.append(Diagnostic("warning", "ignore-file", cut, path))
        patterns = read_patterns(kept)
        remedy = f"write a pattern into {path}"
        when: Condition = Observed(
            "file", path, bool(patterns.patterns), "it holds patterns", "it holds no pattern", remedy=remedy
        )
        row = file_row(file, "ignore", "always", when)
        self.files.append(row)
        return patterns
