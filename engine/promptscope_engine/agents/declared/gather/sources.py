"""The files that a definition names: their texts, or why there are none, and one row for each."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.declared.reading import Read
from promptscope_engine.agents.declared.texts import Texted
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .places import Places


@frozen
class Source:
    """A file that was read; `is_missing`: nothing lies there, `is_blank`: nothing stands in it."""

    text: str
    state: Texted
    is_missing: bool = False
    is_blank: bool = False


def source(path: str, places: Places, workspace: Workspace, most: int | None = None) -> Source:
    """The file at an absolute path; `most` bytes of it are taken."""
    file, shown = workspace.read(path), places.shown(path)
    if file.problem == "missing":
        return Source("", Texted(shown, f"there is no {shown}", f"create {shown}"), is_missing=True)
    if not file.found:
        return Source("", Texted(shown, f"{shown} cannot be read: {file.detail}", f"put a text file at {shown}"))
    if file.looks_binary:
        return Source("", Texted(shown, f"{shown} is no text", f"put a text file at {shown}"))
    if most is not None and file.size > most:
        return Source("", Texted(shown, f"{shown} is larger than {most:,} bytes", f"make {shown} smaller"))
    if not file.text.strip():
        return Source("", Texted(shown, f"{shown} is blank", f"write something into {shown}"), is_blank=True)
    return Source(file.text, Texted(shown))


def missing(state: Texted, read: Read, *path: str | int) -> Diagnostic:
    """What says that a definition names a file that is not there."""
    return Diagnostic("warning", "definition-file-missing", state.problem, read.path, read.line(*path))


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
