"""What a prompt would save: every switch, file, section, tool and repeated passage by the tokens that would go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Section

from .effects import Effect
from .repeats import Repeat

Kind = Literal["switch", "file", "section", "tool", "passage"]


class Saving(Struct, frozen=True):
    """Something that could go, and what that saves in expected tokens.

    `id`: a switch's `NAME=VALUE`, a file's path, a section's id, a tool's name, the id of the section where a passage
    stands first. `line` is the passage's in its section, from 0. Savings overlap: a file stands in a section.
    """

    kind: Kind
    id: str
    title: str
    tokens: int
    detail: str = ""
    param: str = ""
    value: Json = None
    line: int | None = None


def savings(assembly: Assembly, effects: Iterable[Effect], repeats: Sequence[Repeat]) -> tuple[Saving, ...]:
    """All of them that save something, the largest first; of equal ones in the order of the prompt."""
    found = [*_switches(effects), *_files(assembly), *_sections(assembly), *_tools(assembly), *_passages(repeats)]
    return tuple(sorted((each for each in found if each.tokens > 0), key=lambda each: -each.tokens))


def _switches(effects: Iterable[Effect]) -> Iterator[Saving]:
    for each in effects:
        if each.error is None:
            gone = (*each.sections_removed, *each.tools_removed)
            name = f"{each.param}={each.label or each.value}"
            detail = f"without {_named(gone)}" if gone else ""
            yield Saving("switch", name, name, -each.tokens, detail, each.param, each.value)


def _named(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(name.removeprefix("tools.") for name in names))
    return ", ".join(shown[:3]) + (f" and {len(shown) - 3} more" if len(shown) > 3 else "")


def _files(assembly: Assembly) -> Iterator[Saving]:
    for file in assembly.files:
        if file.present and file.tokens:
            imported = f"imported by {file.imported_by}" if file.imported_by else file.kind
            yield Saving("file", file.path, file.path, file.tokens, imported)


def _sections(assembly: Assembly) -> Iterator[Saving]:
    for section in assembly.sections:
        if section.present:
            tokens, below = _with_children(section, assembly.children)
            yield Saving("section", section.id, section.title, tokens, f"with {below} below it" if below else "")


def _tools(assembly: Assembly) -> Iterator[Saving]:
    """The tools that are sent beside the prompt: the others are sections of it."""
    for tool in assembly.tools_beside:
        yield Saving("tool", tool.name, tool.name, tool.expected_tokens or 0, tool.group)


def _with_children(section: Section, children: Callable[[str], Iterable[Section]]) -> tuple[int, int]:
    """Tokens of a section and all below it, and how many those are."""
    tokens, count = section.expected_tokens or 0, 0
    for child in children(section.id):
        if child.present:
            more, below = _with_children(child, children)
            tokens, count = tokens + more, count + 1 + below
    return tokens, count


def _passages(repeats: Sequence[Repeat]) -> Iterator[Saving]:
    for each in repeats:
        first = each.copies[0]
        places = ", ".join(dict.fromkeys(copy.title for copy in each.copies))
        how = f"{len(each.copies)} times" if each.kind == "same words" else f"{len(each.copies)} times in other words"
        detail = f"{how}: {places}"
        yield Saving("passage", first.section, _head(each), each.tokens or 0, detail, line=first.line)


def _head(repeat: Repeat) -> str:
    """The passage in a line."""
    words = " ".join(repeat.text.split()).lstrip("-*•# ").replace("**", "")
    return f"{repeat.about}: {words}" if repeat.about else words
