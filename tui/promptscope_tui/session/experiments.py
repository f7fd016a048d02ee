"""Edits as a person makes them on what is shown: the next list of the scenario's edits, or why there is none."""

from collections.abc import Sequence

from msgspec import Struct

from promptscope_engine.inputs.edits import Edit
from promptscope_engine.prompt.model import Assembly, Section, Tool
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import difference

from .snapshot import Snapshot

MOST = 200_000
"""Characters of a text that is edited in the app."""

Target = Section | Tool


class Experiment(Struct, frozen=True):
    """The edits with one more, and the note about it; without edits, the note says why there are none."""

    words: str
    edits: tuple[Edit, ...] | None = None


def named(target: Target) -> str:
    """The id or name by which an edit calls it."""
    return target.id if isinstance(target, Section) else target.name


def dropped(edits: Sequence[Edit], target: Target) -> Experiment:
    """Without the section or tool; one that an edit dropped comes back."""
    name = named(target)
    kind = "drop" if isinstance(target, Section) else "drop_tool"
    kept = tuple(edit for edit in edits if not (edit.kind == kind and edit.target == name))
    if len(kept) < len(edits):
        return Experiment(f"{name} is back", kept)
    if not target.present:
        return Experiment(f"{name} is absent already")
    return Experiment(f"{name} is dropped; u undoes it", (*edits, Edit.model_validate({kind: name})))


def moved(edits: Sequence[Edit], assembly: Assembly, target: Target, step: int) -> Experiment:
    """One place up (-1) or down (1) among the present ones beside it."""
    name = named(target)
    if not target.present:
        return Experiment(f"{name} is absent: it has no place to leave")
    beside = _siblings(assembly, target)
    at = beside.index(name) + step
    if not 0 <= at < len(beside):
        return Experiment(f"{name} is the {'first' if step < 0 else 'last'} here already")
    edit = Edit.model_validate({"move": name, "before" if step < 0 else "after": beside[at]})
    words = f"{name} is {'before' if step < 0 else 'after'} {beside[at]}; u undoes it"
    return Experiment(words, (*_unless(edits, edit), edit))


def replaced(edits: Sequence[Edit], target: Target, text: str) -> Experiment:
    """With another text."""
    edit = Edit.model_validate({"replace": named(target), "text": text})
    return Experiment(f"{named(target)} has your text; u undoes it, no file changed", (*_unless(edits, edit), edit))


def editable(target: Target, text: str | None) -> str | None:
    """Why a text cannot be edited in the app; None if it can."""
    if text is None or not target.present:
        return f"{named(target)} is absent: there is no text to edit"
    if len(text) > MOST:
        return f"{named(target)} has {len(text):,} characters: replace it by a `file` in a scenario's edits"
    if any(visible(line) != line for line in text.replace("\t", " ").split("\n")):
        return f"{named(target)} holds characters that no editor here can show: replace it by a `file`"
    return None


def edited_words(snapshot: Snapshot) -> str:
    """`edited, −1,204`; nothing without edits. The number is what they change of the prompt's tokens."""
    assembly = snapshot.assembly
    if assembly is None or not assembly.edited:
        return ""
    now, before = assembly.tokens.expected, snapshot.unedited
    if now is None or before is None:
        return "edited"
    return f"edited, {difference(now - before)}"


def _siblings(assembly: Assembly, target: Target) -> list[str]:
    if isinstance(target, Tool):
        return [tool.name for tool in assembly.tools if tool.present]
    alike = (target.parent, target.channel)
    return [each.id for each in assembly.sections if each.present and (each.parent, each.channel) == alike]


def _unless(edits: Sequence[Edit], edit: Edit) -> tuple[Edit, ...]:
    """The edits without the last one, if that did the same to the same thing: a second move takes its place."""
    again = bool(edits) and (edits[-1].kind, edits[-1].target) == (edit.kind, edit.target)
    return tuple(edits[:-1] if again else edits)
