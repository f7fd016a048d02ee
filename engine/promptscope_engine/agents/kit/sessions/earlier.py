"""The conversation before a drafted message: its file, and a section for each message."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Fact, Test
from promptscope_engine.prompt.drafts import FileDraft, Place, SectionDraft, Span
from promptscope_engine.prompt.leaves import EXAMPLE, given
from promptscope_engine.prompt.model import Diagnostic, Lever, Origin
from promptscope_engine.workspace import FileText, Workspace

_TITLE = 48


class Said(Struct, frozen=True):
    """A message, or one text of it. `kind` says what it is besides words: `summary`, `result of exec`.

    `line` is where it is in the file, as JSON; `message` the number of the message that it is of; `around` what
    the agent puts before and behind it.
    """

    role: Literal["user", "assistant"]
    text: str
    line: int
    message: int
    kind: str = ""
    around: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())


def named(param: str, what: str, or_else: str = "") -> Condition:
    """A file of earlier messages is named by the param. `or_else` is what a person may do instead."""
    named = _given(param, None, f"{what} is named")
    return replace(named, remedy=f"name {what}: `--set {param}=PATH`{or_else}")


def drafted(what: str) -> Condition:
    """A message is drafted, which is `a task` or whatever the agent calls it."""
    return replace(_given("task", "", f"{what} is drafted"), example=EXAMPLE)


def _given(param: str, off: Json, fact: str) -> Test:
    return Test("flag", param, "given", True, fact, f"no {fact.partition(' ')[2]}", off=(Lever(param, off),))


def opened(path: str, what: str, code: str, workspace: Workspace) -> tuple[FileText | None, tuple[Diagnostic, ...]]:
    """The file, None with a note where it is not read."""
    file = workspace.read(path)
    if file.found:
        return file, ()
    text = f"{what} is not read: {file.problem} {file.detail}".rstrip()
    return None, (Diagnostic("warning", code, text, path),)


def row(file: FileText, param: str, said: Iterable[Said]) -> FileDraft:
    """The file's row."""
    return file_row(file, "session", "always", given(param), "".join(each.text for each in said))


def sections(said: Sequence[Said], path: str, when: Condition) -> Iterator[SectionDraft]:
    """A section for each text, in the messages before number 0; a row that says why there is none."""
    if not said:
        remedy = "name a file that holds messages"
        holds = Fact("file", path, False, "", f"{path} holds no message that is sent", remedy=remedy)
        yield SectionDraft(
            "history", "History", (), when=when & holds if path else when, place=Place("history", -1), stability="turn"
        )
    behind = said[-1].message + 1 if said else 0
    for number, each in enumerate(said, 1):
        place = Place(f"history.{number}", each.message - behind, each.role)
        spans = (*each.around[0], *_spans(each, path), *each.around[1])
        title = f"{each.kind or each.role}: {begins(each.text)}"
        yield SectionDraft(f"history.{number}", title, spans, when=when, place=place, stability="turn")


def _spans(said: Said, path: str) -> Iterator[Span]:
    """A line of the file holds a message as JSON: each line of its text is from that one."""
    origin = Origin("file", path=path, start_line=said.line, end_line=said.line)
    return (Span(line, origin) for line in said.text.splitlines(keepends=True))


def begins(text: str) -> str:
    """How a text begins, as a title has it."""
    beginning = " ".join(text[: 4 * _TITLE].split())
    return beginning if len(beginning) <= _TITLE else f"{beginning[: _TITLE - 1]}…"
