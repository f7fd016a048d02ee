"""The file of GEMINI_SYSTEM_MD, which stands in place of the built-in prompt (specs/gemini.md 12)."""

from __future__ import annotations

from promptscope_engine.agents.gemini.materials import Override
from promptscope_engine.agents.gemini.variables import OFF_WORDS, ON_WORDS, SYSTEM_MD
from promptscope_engine.agents.kit.rows import file_row, followed
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft, file_text
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import Workspace

from .places import Places

_KIND = "system-prompt-override"


@frozen
class FoundOverride:
    """The override, whether it is switched on, and whether its file is there: without it the client does not start."""

    override: Override
    on: Condition
    there: Condition
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


def override_path(value: str, places: Places) -> str | None:
    """The file that the variable names; None while it is off."""
    word = js_trim(value).lower()
    if not word or word in OFF_WORDS:
        return None
    return f"{places.project}/system.md" if word in ON_WORDS else places.absolute(js_trim(value))


def find_override(variable: Known[str], places: Places, workspace: Workspace, *, follow: bool) -> FoundOverride:
    """What the variable comes to; the default file has a row while it is off, too."""
    path = override_path(variable.value, places)
    usual = f"{places.project}/system.md"
    shown = path or usual
    if path and path != usual and variable.source.path is None:
        workspace.allow([path])  # the scenario names it
    file = workspace.read(shown)
    on = Setting(
        variable.source,
        variable.value if path else "",
        "given",
        True,
        f"`{SYSTEM_MD}` replaces the built-in prompt",
        f"`{SYSTEM_MD}` names no file",
        on=Lever(f"env.{SYSTEM_MD}", "1"),
        off=Lever(f"env.{SYSTEM_MD}", "0"),
    )
    no = "there is no such file" if file.problem == "missing" else f"it cannot be read: {file.problem}"
    found: Condition = Observed("file", shown, file.found, "the file was found", no, remedy=f"create {shown}")
    reached = followed(workspace, shown, follow)
    notes: tuple[Diagnostic, ...] = ()
    if path and file.problem == "outside":
        found = ALWAYS
        text = f"a link that leads to {file.real_path} is not followed, so the text in place of the prompt is missing"
        notes = (Diagnostic("warning", "outside", text, shown),)
    files: tuple[FileDraft, ...] = ()
    if path or file.problem != "missing":
        row = file_row(file, _KIND, "always", on & reached & found, js_trim(file.text), shown=shown)
        files = (row,)
    pieces = (file_text(shown, file.text, 1),) if file.text else ()
    return FoundOverride(Override(shown, pieces), on, ~on | found, files, notes)
