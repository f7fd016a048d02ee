"""Texts of the user's own in place of or beside the fixed ones (specs/codex.md 3, 9)."""

from __future__ import annotations

from dataclasses import replace

from promptscope_engine.agents.kit.paths import from_home
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, computed, file_text, param_value, trimmed_file
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .lossy import is_utf8, trimmed
from .settings import Settings, refusal

FILE_KEY = "model_instructions_file"


@frozen
class Text:
    """A text and the condition under which it is sent."""

    pieces: tuple[Piece, ...]
    when: Condition = ALWAYS


def value_pieces(known: Known[str | None], workspace: Workspace) -> tuple[Piece, ...]:
    """A setting's text; where its file holds it as it is, with the lines."""
    text, source = known.value or "", known.source
    if not text:
        return ()
    if source.path is None:
        return (param_value(source.overlay or source.key, text),)
    if source.line is not None:
        lines = workspace.read(source.path).text.split("\n")
        before, found, _ = "\n".join(lines[source.line - 1 :]).partition(text)
        if found:
            return (file_text(source.path, text, source.line + before.count("\n")),)
    return (computed(source.key, text),)


def own_base(
    settings: Settings, home: str, cwd: str, workspace: Workspace, files: list[FileDraft]
) -> tuple[Text, Diagnostic | None]:
    """A base of the user's own: the file, else the key; and why Codex does not start, if the file is empty or missing.

    A relative path starts at the settings file that names it (3.1).
    """
    named = settings.text(FILE_KEY)
    key = settings.text("instructions")
    by_file = named.is_given("", "", yes=f"`{FILE_KEY}` names a file", no=f"`{FILE_KEY}` is not set")
    # An empty text does not bring the base back, and no switch takes a key out of a file.
    switched = replace(key, source=replace(key.source, overlay=None)) if key.value and key.source.path else key
    by_key = switched.is_given(
        "Work with care.", None, yes="`instructions` takes its place", no="`instructions` is not set"
    )
    if not named.value:
        if key.value == "":  # takes the base away [0.169.0]
            by_key = key.is_("", unset=None, yes="`instructions` is empty", no="`instructions` is not empty")
        return Text(value_pieces(key, workspace), by_key), None
    path = from_home(named.value, home)
    if not path.startswith("/"):
        path = f"{settings.base_of(FILE_KEY, cwd=cwd)}/{path}"
    file = workspace.read(path)
    whole = is_utf8(file.data)
    text = trimmed(file.text) if whole else ""
    read = Observed(
        "file", path, bool(text), "it is read", "it is empty or missing", remedy=f"write a text into {path}"
    )
    files.append(file_row(file, "instructions", "always", read, text))
    if not text:
        problem = "cannot be read" if not file.found else "is empty" if whole else "is not UTF-8"
        message = f"{path}, which `{FILE_KEY}` names, {problem}"
        return Text((), by_file), refusal(message, named.source.path, named.source.line)
    return Text((trimmed_file(path, file.text, text),), by_file), None


def developer_text(settings: Settings, workspace: Workspace) -> Text:
    """`developer_instructions`, exactly as written; a blank text is sent, an empty one not (3.2)."""
    known = settings.text("developer_instructions")
    when = known.is_given("Answer in French.", "", no="`developer_instructions` is not set")
    return Text(value_pieces(known, workspace), when)


def memory(
    codex_home: str, switched_on: Condition, settings: Settings, workspace: Workspace, files: list[FileDraft]
) -> Text:
    """What earlier sessions learned, if the feature is on and there is a summary (9)."""
    path = f"{codex_home}/memories/memory_summary.md"
    file = workspace.read(path)
    whole = is_utf8(file.data)
    text = trimmed(file.text) if whole else ""
    no = "there is no summary of memories" if not file.found else "it is blank" if whole else "it is not UTF-8"
    there = Observed(
        "file", path, bool(text), "there is a summary of memories", no, remedy=f"write a summary into {path}"
    )
    used = settings.flag("memories", "use_memories", default=True)  # [source]
    when = switched_on & there & used.is_(True, unset=False, yes="memories are used", no="`use_memories` is off")
    if file.problem != "missing":
        files.append(file_row(file, "memory", "conditional", when, text))
    return Text((trimmed_file(path, file.text, text),) if text else (), when)
