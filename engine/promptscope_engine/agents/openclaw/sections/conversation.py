"""The messages: those of the session before, then the drafted one."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.gates import DRAFTED, HISTORY
from promptscope_engine.agents.openclaw.materials import Materials, Said
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, label, param_value
from promptscope_engine.prompt.model import Origin

_TITLE = 48


def conversation(materials: Materials) -> Iterator[SectionDraft]:
    """A section for each message; two rows that say why there is none."""
    said = materials.history
    if not said:
        yield SectionDraft("history", "History", (), when=HISTORY, place=Place("history", 0), stability="turn")
    for number, each in enumerate(said):
        place = Place(f"history.{number}", number, each.role)
        yield SectionDraft(
            f"history.{number + 1}",
            _title(each),
            tuple(_pieces(each, materials.session_file)),
            when=HISTORY,
            place=place,
            stability="turn",
        )
    # [recorded] the words go as they are typed, without a clock or a sender before them
    words = (param_value("task", materials.message),)
    place = Place("message", len(said))
    yield SectionDraft("user.task", "The user's message", words, when=DRAFTED, place=place, stability="turn")


def _pieces(said: Said, path: str) -> Iterator[Piece]:
    """A line of the file holds a message as JSON: each line of its text is from that one."""
    if said.kind == "summary":
        yield builtin("history.summary", "What was said before this was compacted. Its summary:")
        yield label("\n\n<summary>\n")
    origin = Origin("file", path=path, start_line=said.line, end_line=said.line)
    for line in said.text.splitlines(keepends=True):
        yield Piece(line, origin)
    if said.kind == "summary":
        yield label("\n</summary>")


def _title(said: Said) -> str:
    begins = " ".join(said.text[: 4 * _TITLE].split())
    begins = begins if len(begins) <= _TITLE else f"{begins[: _TITLE - 1]}…"
    return f"{said.kind or said.role}: {begins}"
