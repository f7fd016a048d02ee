"""Where words are: in the prompt, in a part that is absent, or in a file that the agent looks at and leaves out."""

import json
import re
from collections.abc import Iterable, Iterator
from posixpath import dirname, join

from msgspec import Struct

from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.prompt.model import Assembly, Reason, Section, SourceFile
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import home_short

MOST = 4
"""Places that are answered."""
_MOST_FILES = 300


Patterns = list[re.Pattern[str]]
"""The words as what a list has an entry of, as whole words, as any part; the first that is found counts."""


def _found(patterns: Patterns, text: str) -> re.Match[str] | None:
    return next(filter(None, (each.search(text) for each in patterns)), None)


class Mention(Struct, frozen=True):
    """A place that has the words: `where` is a section, a tool or a file, `path` and `line` where the text is from."""

    words: str
    present: bool
    where: str
    text: str
    why: Reason | None
    path: str | None = None
    line: int | None = None


class Meant(Struct, frozen=True):
    """An `@path` in the prompt that almost names a file: what is written, and the path that the agent takes it for."""

    says: str
    means: str
    path: str | None
    line: int | None


def meant(path: str, assembly: Assembly, home: str) -> Iterator[Meant]:
    """Where the prompt has `@` before the file's path or a part of it, and means another one: at a blank it ends."""
    parts = path.split("/")
    endings = {"/".join(parts[at:]) for at in range(len(parts))} | {home_short(path, home)}
    for section in assembly.sections if path else ():
        for each in section.fragments if section.present else ():
            for found in _AT.finditer(each.text):
                if any(each.text.startswith(ending, found.start(1)) for ending in endings if ending):
                    folder = dirname(each.origin.path) if each.origin.path else assembly.workspace
                    means = absolute(found[1], join(assembly.workspace, folder), home)
                    first = each.origin.start_line
                    line = first + each.text.count("\n", 0, found.start()) if first else None
                    yield Meant(found[0].strip(), means, each.origin.path, line)


_AT = re.compile(r"(?<!\S)@(\S+)")


def mentions(
    words: str, assembly: Assembly, workspace: Workspace, more: Iterable[SourceFile] = ()
) -> tuple[Mention, ...]:
    """The places with these words in the prompt, else those outside of it; blanks and line breaks are alike.

    `more` are files that have no row.
    """
    parts = words.split()
    if not parts or len(words) < _SHORTEST:
        return ()
    said = r"\s+".join(map(re.escape, parts))
    pattern = [re.compile(form.format(said), re.MULTILINE) for form in (r"^\W*{}\W*:", r"(?<!\w){}(?!\w)", "{}")]
    found = list[Mention]()
    for each in (
        *_in_prompt(words, pattern, assembly),
        *_left_out(words, pattern, (*assembly.files, *more), workspace),
    ):
        if (each.path, each.line) not in {(one.path, one.line) for one in found if one.path}:
            found.append(each)
    return tuple([each for each in found if each.present][:MOST] or found[:MOST])


_SHORTEST = 3


def _in_prompt(words: str, pattern: Patterns, assembly: Assembly) -> Iterator[Mention]:
    for section in assembly.sections:
        yield from _in_section(words, pattern, section)
    for tool in assembly.tools:
        schema = json.dumps(tool.input_schema, ensure_ascii=False) if tool.input_schema else ""
        if place := next(filter(None, (_found(pattern, each) for each in (tool.description, schema))), None):
            yield Mention(words, tool.present, f"the tool {tool.name}", _line_of(place), tool.why)


def _in_section(words: str, pattern: Patterns, section: Section) -> Iterator[Mention]:
    text = "".join(each.text for each in section.fragments)
    place, title = _found(pattern, text), f"the section {section.id} ({section.title})"
    if place is None:
        for part in section.absent:
            if place := _found(pattern, part.text):
                yield Mention(words, False, title, _line_of(place), part.why, part.origin.path, part.origin.start_line)
        return
    at = 0
    for each in section.fragments:
        if at <= place.start() < at + len(each.text):
            first = each.origin.start_line
            line = first + text.count("\n", at, place.start()) if first else None
            why = section.why if not section.present else each.why
            yield Mention(words, section.present, title, _line_of(place), why, each.origin.path, line)
        at += len(each.text)


def _left_out(words: str, pattern: Patterns, files: Iterable[SourceFile], workspace: Workspace) -> Iterator[Mention]:
    copy = workspace.snapshot()
    for file in [*files][:_MOST_FILES]:
        source = copy.read(file.real_path)
        if source.found and (place := _found(pattern, source.text)):
            line = source.text.count("\n", 0, place.start()) + 1
            yield Mention(words, False, "a file", _line_of(place), file.why, file.path, line)


def _line_of(place: re.Match[str]) -> str:
    """The line of the words, of a long one what is around them."""
    text = place.string
    start, end = text.rfind("\n", 0, place.start()) + 1, text.find("\n", place.end())
    start, end = max(start, place.start() - _AROUND), min(end if end >= 0 else len(text), place.end() + _AROUND)
    return text[start:end].replace("\\n", " ").strip()


_AROUND = 60
