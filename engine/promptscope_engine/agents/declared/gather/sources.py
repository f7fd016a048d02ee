"""A file that a definition names: its text, or why there is none."""

from __future__ import annotations

from dataclasses import replace

from promptscope_engine.agents.declared.reading import Read
from promptscope_engine.agents.declared.texts import Texted
from promptscope_engine.frozen import frozen
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

    def with_problem(self, problem: str, remedy: str) -> Source:
        """Read, but of no use."""
        return replace(self, text="", state=Texted(self.state.shown, problem, remedy))


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
