"""The first block of the user's first message: the task and what its mentions bring in (roo-user-messages.md 1, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from promptscope_engine.agents.roo.gates import DRAFTED
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Place, SectionDraft, label
from promptscope_engine.prompt.pieces import Pieces

if TYPE_CHECKING:
    from promptscope_engine.agents.roo.mentions.expand import Appended

TASK = Place("task", 0)


def task(materials: Materials) -> Iterator[SectionDraft]:
    """The words, then a section for each mention and command."""
    drafted = materials.task
    heading = "<feedback>" if materials.params.editor.laterTurn else "<task>"
    yield _section("user.task", "Task", drafted.words if drafted else (), heading=heading)
    for number, each in enumerate(drafted.appended if drafted else (), start=1):
        yield from _mention(f"user.mention.{number}", each)


def _mention(name: str, each: Appended) -> Iterator[SectionDraft]:
    title = f"{'/' if each.kind == 'command' else '@'}{each.mention}"
    held_back = each.held_back or ALWAYS
    if not each.pieces:
        yield _section(name, title, (), held_back, parent="user.task")
        return
    pieces = (label("\n\n"), *each.pieces[:-1], *each.rest, each.pieces[-1])
    yield _section(name, title, pieces, parent="user.task")
    if each.held_back is not None:
        yield _section(f"{name}.content", f"what {title} stands for", (), held_back, parent=name)


def _section(
    name: str,
    title: str,
    pieces: Pieces,
    when: Condition = ALWAYS,
    *,
    heading: str | None = None,
    parent: str | None = None,
) -> SectionDraft:
    return SectionDraft(name, title, pieces, heading, DRAFTED & when, TASK, "turn", parent)
