"""What the mentions of the prompt bring along: the calls for files and folders, and notes on the rest (2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import LazyLoaded, Materials, Mention
from promptscope_engine.agents.claude_code.scope import text
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, computed, file_text, label

from .places import MENTIONS, PROMPT, reminder
from .user_context import entry_pieces

_OPEN, _CLOSE = "<system-reminder>\n", "\n</system-reminder>"


def mention_sections(m: Materials) -> Iterator[SectionDraft]:
    """Two reminders per file. The first call is a message of its own, all else begins the prompt's (recorded 2.1.332).

    In 2.1.100 all of them stand in the message before.
    """
    made: dict[str, int] = {}
    for number, mention in enumerate(m.mentions.read):
        made[mention.path] = again = made.get(mention.path, 0) + 1
        name = mention.path if again == 1 else f"{mention.path} ({again})"
        parts = (("call", tuple(_call(m, mention))), ("result", tuple(_result(m, mention))))
        for part, pieces in parts:
            section_id = f"mention.{part}:{name}"
            alone = m.version == V100 or (number == 0 and part == "call")
            place = Place(section_id, MENTIONS) if alone else _place(m, section_id)
            yield SectionDraft(section_id, f"{name}, {part}", _wrapped(pieces), None, m.mentions.when, place, "turn")


def woken_sections(m: Materials) -> Iterator[SectionDraft]:
    """The instruction files that the mentions load."""
    for loaded in m.woken:
        section_id = f"mention.woken:{loaded.file.shown}"
        pieces = _wrapped(tuple(_woken(loaded)))
        title = f"Loaded by a mention: {loaded.file.shown}"
        yield SectionDraft(section_id, title, pieces, None, m.mentions.when, _place(m, section_id), "turn")


def note_sections(m: Materials) -> Iterator[SectionDraft]:
    """Files that are too large, and agents that are wanted: each a part of what is said beside the prompt."""
    for mention in m.mentions.large:
        yield _note(m, f"mention.large:{mention.path}", mention.path, tuple(_large(m, mention)))
    for agent in m.mentions.agents:
        yield _note(m, f"mention.agent:{agent}", f"The agent {agent} is wanted", tuple(_wanted(m, agent)))


def _note(m: Materials, section_id: str, title: str, pieces: tuple[Piece, ...]) -> SectionDraft:
    return SectionDraft(section_id, title, pieces, None, m.mentions.when, Place(section_id, PROMPT), "turn")


def _place(m: Materials, section_id: str) -> Place:
    """Where the harness speaks in messages of its own, these are of a kind apart from the other reminders."""
    if m.message_layout == "B":
        return Place(section_id, PROMPT, run="mentions", between="\n")
    return reminder(section_id)


def _wrapped(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return (label(_OPEN), *pieces, label(_CLOSE))


def _call(m: Materials, mention: Mention) -> Iterator[Piece]:
    called = computed("mention.input", mention.input)
    return text(m, "messages.mention_call", folder=mention.kind == "folder", input=called)


def _result(m: Materials, mention: Mention) -> Iterator[Piece]:
    yield from text(m, "messages.mention_result", folder=mention.kind == "folder")
    if mention.kind == "image":
        yield computed("mention.image", "\n[the picture]")
    elif mention.kind == "empty":
        yield from _warning("mention.empty", "There is such a file, and nothing is in it.")
    elif mention.kind == "beyond":
        first, count = mention.asked
        words = f"There is such a file, but it ends before line {first}: it has {count} lines."
        yield from _warning("mention.beyond", words)
    if mention.kind == "folder" and not mention.lines:
        yield label("\n")
    for number, line in mention.lines:
        if number is None:
            yield computed("mention.answer", f"\n{line}")
        else:
            yield label(f"\n{number}\t")
            yield file_text(mention.path, line, number)


def _warning(fragment: str, text: str) -> Iterator[Piece]:
    yield label(f"\n{_OPEN.strip()}")
    yield builtin(fragment, text)
    yield label(_CLOSE.strip())


def _woken(loaded: LazyLoaded) -> Iterator[Piece]:
    if loaded.file.kind == "agents-md":
        yield label("prompt.mention hook additional context: ")
    yield from entry_pieces(loaded.file, labelled=False)


def _large(m: Materials, mention: Mention) -> Iterator[Piece]:
    return text(m, "messages.mention_large", path=computed("mention.path", mention.path), size=label(mention.input))


def _wanted(m: Materials, agent: str) -> Iterator[Piece]:
    return text(m, "messages.mention_agent", agent=computed("mention.agent", agent))
