"""The files that a definition names, each one row however often it is named."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace


class Rows:
    """Rows by path, in the order in which the files were first named."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._named: dict[str, tuple[str, Condition, str]] = {}

    def add(self, path: str, kind: str, when: Condition, injected: str) -> None:
        """A file that counts under a condition, with the text that reaches the prompt then."""
        known = self._named.get(path)
        if known is None:
            self._named[path] = (kind, when, injected)
        else:
            self._named[path] = (known[0], known[1] | when, known[2] or injected)

    def drafts(self) -> Iterator[FileDraft]:
        """The rows."""
        for path, (kind, when, injected) in self._named.items():
            file = self._workspace.read(path)
            yield file_row(file, kind, "always", when, injected)
