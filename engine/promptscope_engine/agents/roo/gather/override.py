"""The file override `.roo/system-prompt-<mode>` (specs/roo.md 1.2).

Its placeholders are filled in one after another with JavaScript's `String.replace`, so a value's `$&` is interpreted
and a placeholder that an earlier value brings in is itself replaced later. Every character keeps its origin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.roo.materials import Mode, Override
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import Piece, file_text
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.prompt.pieces import Pieces, replaced_in_javascript, trimmed_pieces
from promptscope_engine.workspace import FileText, Workspace

from .found import Found, file_diagnostic


def find_override(
    inputs: Inputs, params: RooParams, slug: str, modes: Iterable[Mode], language: str, workspace: Workspace
) -> Found[Override]:
    """The override for the mode as it was asked for: an unknown slug counts here (1)."""
    values = {
        "workspace": (inputs.workspace, Origin("environment", name="cwd")),
        "mode": (slug, Origin("param", name="mode")),
        "language": (language, Origin("param", name="language")),
        "shell": _editor_shell(inputs, params),
        "operatingSystem": (inputs.environment.os_type or "", Origin("environment", name="os_type")),
    }
    file = workspace.read(override_path(inputs, slug))
    pieces = workspace.memo(("roo.override", file.path, *values.items()), lambda: _pieces(file.path, file, values))
    text = "".join(piece.text for piece in pieces)
    condition = _replaces(f".roo/system-prompt-{slug}", file, text)
    draft = file_row(file, "system-prompt-override", "conditional", condition, text)
    override = Override(file.path, condition, _generated(inputs, slug, condition, modes, workspace), pieces)
    return Found(override, (draft,), tuple(_diagnostics(inputs, workspace, file.path, file)))


def override_path(inputs: Inputs, slug: str) -> str:
    """Where the override of a mode lies."""
    return f"{inputs.workspace}/.roo/system-prompt-{slug}"


def _replaces(shown: str, file: FileText, text: str) -> Condition:
    no, remedy = f"there is no {shown}", f"create {shown}"
    if file.found and not text:
        no = f"nothing is left of {shown} once it is filled in" if js_trim(file.text) else f"{shown} is blank"
        remedy = f"write a prompt into {shown}"
    elif file.problem not in (None, "missing", "directory"):
        no, remedy = f"{shown} cannot be read", f"make {shown} readable ({file.detail})"
    elif file.problem == "directory":
        remedy = f"put a file in the place of the directory {shown}"
    yes = f"{shown} replaces the generated prompt"
    return Observed("file", shown, bool(text), yes, no, remedy=f"delete or empty {shown}" if text else remedy)


def _generated(
    inputs: Inputs, slug: str, condition: Condition, modes: Iterable[Mode], workspace: Workspace
) -> Condition:
    """No override replaces the generated prompt, in the mode at hand and in each other that has one."""
    slugs = [mode.slug for mode in modes]
    generated: Condition = ALWAYS
    if condition.holds(Facts()):
        known = slug in slugs
        inner = mode_is(slug) & condition if known else condition
        yes = f".roo/system-prompt-{slug} replaces the generated prompt"
        generated = ~Named("file", f".roo/system-prompt-{slug}", inner, yes)
    for other in slugs:
        file = workspace.read(override_path(inputs, other)) if other != slug else None
        if file is not None and js_trim(file.text):
            generated = generated & ~mode_is(other)
    return generated


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
        detail = "`.roo` is not a directory" if blocked else file.detail
        message = f"Roo cannot build its prompt: {path} cannot be read ({detail})"
        yield Diagnostic("error", "override-unreadable", message, path)


# --- substitution --------------------------------------------------------------------------------------------------


def _pieces(path: str, file: FileText, values: dict[str, tuple[str, Origin]]) -> tuple[Piece, ...]:
    pieces: Pieces = trimmed_pieces((file_text(path, file.text, 1),))
    for name, (value, origin) in values.items():
        pieces = replaced_in_javascript(pieces, "{{" + name + "}}", (Piece(value, origin),))
    return pieces
