"""What the structure of the folders leaves out: .gitignore, .git/info/exclude, .geminiignore (specs/gemini.md 8.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

_GIT = read_patterns([".git"])


@dataclass(eq=False, repr=False)
class IgnoreRules:
    """The patterns below one workspace; files outside of it are never hidden. Later files go before earlier ones."""

    root: str
    in_repository: bool
    workspace: Workspace
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _known: dict[str, IgnorePatterns | None] = field(default_factory=dict)

    def hides(self, path: str) -> bool:
        """Whether a file, or a folder (its path ends in a slash), is left out, or lies in a folder that is."""
        base = self.root.rstrip("/") + "/"
        if not path.startswith(base):
            return False
        relative = path.removeprefix(base)
        folders = relative.removesuffix("/").split("/")[:-1]
        within = ""
        for name in folders:
            within += f"{name}/"
            if self._decides(within):
                return True
        return bool(relative) and self._decides(relative)

    def _decides(self, relative: str) -> bool:
        """Whether the last pattern that names the path itself hides it."""
        verdict = False
        for base, patterns in self._sources(relative):
            decided = patterns.decide(relative.removeprefix(base))
            verdict = verdict if decided is None else decided
        return verdict

    def _sources(self, relative: str) -> Iterator[tuple[str, IgnorePatterns]]:
        """The patterns that speak of a path, each with the folder that they are relative to."""
        if self.in_repository:
            yield "", _GIT
            if exclude := self._patterns(".git/info/exclude"):
                yield "", exclude
            folder = ""
            for name in ("", *relative.removesuffix("/").split("/")[:-1]):
                folder += f"{name}/" if name else ""
                if patterns := self._patterns(f"{folder}.gitignore"):
                    yield folder, patterns
        if patterns := self._patterns(".geminiignore"):
            yield "", patterns

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
        row = FileDraft(path, file.real_path, "ignore", "always", when, file.size, len(file.text), injected_chars=0)
        self.files.append(row)
        return patterns
