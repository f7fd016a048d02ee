"""The file override `.roo/system-prompt-<mode>` (specs/roo.md 1.2).

Its placeholders are filled in one after another with JavaScript's `String.replace`, so a value's `$&` is interpreted
and a placeholder that an earlier value brings in is itself replaced later. Every character keeps its origin.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from promptscope_engine.agents.roo.materials import Override
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, file_text
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.workspace import FileText, Workspace

from .rules_files import file_diagnostic

_DOLLAR = re.compile(r"\$([$&`'])")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one origin; `at` is its offset in the file, None for text that a value brought in."""

    text: str
    at: int | None
    origin: Origin

    def slice(self, start: int, end: int) -> Run:
        return Run(self.text[start:end], None if self.at is None else self.at + start, self.origin)


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class OverrideFound:
    """The override, the guard of everything generated, and what to list and tell."""

    override: Override
    generated: Condition
    file: FileDraft
    diagnostics: tuple[Diagnostic, ...] = ()


def find_override(inputs: Inputs, params: RooParams, slug: str, language: str, workspace: Workspace) -> OverrideFound:
    """The override for the mode as it was asked for: an unknown slug counts here (1)."""
    path = f"{inputs.workspace}/.roo/system-prompt-{slug}"
    shown = f".roo/system-prompt-{slug}"
    file = workspace.read(path)
    values = {
        "workspace": (inputs.workspace, Origin("environment", name="cwd")),
        "mode": (slug, Origin("param", name="mode")),
        "language": (language, Origin("param", name="language")),
        "shell": _editor_shell(inputs, params),
        "operatingSystem": (inputs.environment.os_type or "", Origin("environment", name="os_type")),
    }
    pieces = workspace.memo(("roo.override", path, *values.items()), lambda: _pieces(path, file, values))
    text = "".join(piece.text for piece in pieces)
    missing = f"there is no {shown}"
    if file.found:
        missing = f"{shown} is blank" if not js_trim(file.text) else f"nothing is left of {shown} once it is filled in"
    elif file.problem not in ("missing", "directory"):
        missing = f"{shown} cannot be read"
    condition = Observed("file", shown, bool(text), f"{shown} replaces the generated prompt", missing)
    return OverrideFound(
        override=Override(path, condition, pieces),
        generated=~condition if file.problem != "missing" else ALWAYS,
        file=FileDraft(
            path=path,
            real_path=file.real_path,
            kind="system-prompt-override",
            load="conditional",
            when=condition,
            bytes=len(file.data),
            raw_chars=len(file.text),
            injected=text,
        ),
        diagnostics=tuple(_diagnostics(inputs, workspace, path, file)),
    )


def _editor_shell(inputs: Inputs, params: RooParams) -> tuple[str, Origin]:
    """vscode.env.shell, which is not getShell() (1.2)."""
    if params.vscodeShell is not None:
        return params.vscodeShell, Origin("param", name="vscodeShell")
    return inputs.environment.shell or "", Origin("environment", name="shell")


def _diagnostics(inputs: Inputs, workspace: Workspace, path: str, file: FileText) -> Iterator[Diagnostic]:
    if file.problem in ("too-large", "outside"):
        yield file_diagnostic(path, file)
        return
    blocked = workspace.kind(f"{inputs.workspace}/.roo") not in (None, "directory")
    if blocked or file.problem not in (None, "missing", "directory"):
        # Only "missing" and "a directory" are forgiven (1.2): `.roo` being a file (ENOTDIR) is not.
        detail = "`.roo` is not a directory" if blocked else file.detail or str(file.problem)
        message = f"Roo cannot build its prompt: {path} cannot be read ({detail})"
        yield Diagnostic("error", "override-unreadable", message, path)


# --- substitution --------------------------------------------------------------------------------------------------


def _pieces(path: str, file: FileText, values: dict[str, tuple[str, Origin]]) -> tuple[Piece, ...]:
    trimmed = js_trim(file.text)
    if not trimmed:
        return ()
    at = file.text.index(trimmed)
    runs: Runs = (Run(trimmed, at, Origin("file", path=path)),)
    for name, (value, origin) in values.items():
        runs = substitute(runs, "{{" + name + "}}", value, origin)
    starts = [0, *accumulate(len(line) for line in file.text.split("\n"))]
    offsets = [start + number for number, start in enumerate(starts)]  # each "\n" counts too
    return tuple(_piece(path, run, offsets) for run in merged(runs))


def _piece(path: str, run: Run, offsets: list[int]) -> Piece:
    if run.at is None:
        return Piece(run.text, run.origin)
    return file_text(path, run.text, bisect_right(offsets, run.at))


class Traced:
    """A text made of runs, of which any stretch can be cut out with its origins."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self.text = "".join(run.text for run in runs)
        self._starts = list(accumulate((len(run.text) for run in runs), initial=0))

    def cut(self, start: int, end: int) -> Iterator[Run]:
        """The characters `start` to `end`."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        for run, at in zip(self.runs[first:], self._starts[first:], strict=False):
            if at >= end:
                return
            yield run.slice(max(start - at, 0), min(end - at, len(run.text)))


def substitute(runs: Runs, placeholder: str, value: str, origin: Origin) -> Runs:
    """`text.replace(/placeholder/g, value)`: every occurrence, with the value's `$` patterns expanded."""
    whole = Traced(runs)
    out: list[Run] = []
    at = 0
    while (found := whole.text.find(placeholder, at)) >= 0:
        out += whole.cut(at, found)
        out += _expanded(whole, value, origin, found, found + len(placeholder))
        at = found + len(placeholder)
    return (*out, *whole.cut(at, len(whole.text)))


def _expanded(whole: Traced, value: str, origin: Origin, start: int, end: int) -> Iterator[Run]:
    """`$$` is a dollar, `$&` the placeholder, "$`" and `$'` what stands before and after it.

    `$1` and the like stay as they are: the pattern has no groups.
    """
    at = 0
    for match in _DOLLAR.finditer(value):
        yield Run(value[at : match.start()], None, origin)
        match match[1]:
            case "$":
                yield Run("$", None, origin)
            case "&":
                yield from whole.cut(start, end)
            case "`":
                yield from whole.cut(0, start)
            case _:
                yield from whole.cut(end, len(whole.text))
        at = match.end()
    yield Run(value[at:], None, origin)


def merged(runs: Runs) -> Iterator[Run]:
    """The runs with neighbours put together where they continue each other, empty ones dropped."""
    pending: Run | None = None
    for run in runs:
        if not run.text:
            continue
        if pending is not None and pending.origin == run.origin:
            together = pending.at is not None and run.at == pending.at + len(pending.text)
            if together or (pending.at is None and run.at is None):
                pending = Run(pending.text + run.text, pending.at, run.origin)
                continue
        if pending is not None:
            yield pending
        pending = run
    if pending is not None:
        yield pending
