"""What a source gives, and the files that were consulted for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct

from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Found(Struct, Generic[T_co], frozen=True):
    """A gathered value, the files behind it in load order, and what the user should know about them."""

    value: T_co
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class Collected:
    """What all sources give, in the order in which they were asked."""

    def __init__(self) -> None:
        self.files: list[FileDraft] = []
        self.diagnostics: list[Diagnostic] = []

    def take(self, found: Found[T]) -> T:
        """The value of a source."""
        self.files += found.files
        self.diagnostics += found.diagnostics
        return found.value


def counts(shown: str, file: FileText, ok: bool, yes: str, no: str, remedy: str, holding: str = "") -> Fact:
    """Whether a file gives what it is read for. `no` and `remedy` are said of one that was read and does not; `holding`
    is what one that is created has to hold."""
    if file.problem == "missing":
        no, remedy = f"there is no {shown}", f"create {shown}{holding}"
    elif not file.found:
        no, remedy = f"{shown} cannot be read", f"make {shown} readable ({file.detail})"
    return Fact("file", shown, ok, yes, no, remedy=remedy)


def has_text(name: str, file: FileText, text: str) -> Fact:
    """Whether the single file `name` has a text that counts, and if not why."""
    if file.problem == "directory":
        remedy = f"put a file in the place of the directory {name}"
        return Fact("file", name, bool(text), f"{name} was found", f"{name} is a directory", remedy=remedy)
    no = f"{name} is {'blank' if file.text else 'empty'}"
    return counts(name, file, bool(text), f"{name} was found", no, f"write something into {name}")


def problem(file: FileText) -> str:
    """Why the file gives no text, as a clause with "it"."""
    match file.problem:
        case "missing":
            return "it vanished while it was read"
        case "too-large":
            return f"it is too large to be shown ({file.detail})"
        case "outside":
            return f"it {file.detail}, which may not be read here"
        case _:
            return f"it cannot be read ({file.detail})"


def file_diagnostic(path: str, file: FileText) -> Diagnostic:
    """An instruction file that gave no text. Roo itself reads those that are too large or outside our roots."""
    unknown = file.problem in ("too-large", "outside")
    tail = "; Roo would read it, so the prompt shown here lacks it" if unknown else ""
    return Diagnostic("warning", f"file-{file.problem}", f"{path} is left out: {problem(file)}{tail}", path)


def binary_diagnostic(path: str) -> Diagnostic:
    """An instruction file with NUL bytes: Roo puts it into the prompt as it is."""
    return Diagnostic("info", "binary", f"{path} looks binary; Roo puts it into the prompt all the same", path)


def patterns_diagnostics(path: str, left_out: str | None) -> Iterator[Diagnostic]:
    """An ignore file that holds more patterns than are read here."""
    if left_out:
        yield Diagnostic("warning", "too-many-patterns", f"{path}: {left_out}", path)
