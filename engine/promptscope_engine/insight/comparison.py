"""The difference of two assemblies: sections, tools, files and diagnostics that came, went, changed or moved."""

import json
import posixpath
from collections.abc import Hashable, Iterable, Mapping, Sequence
from difflib import unified_diff
from itertools import compress
from operator import is_not
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.ids import path_in_id
from promptscope_engine.prompt.model import Assembly, Diagnostic, Section, Severity, SourceFile, Tool, to_json

from .text_difference import rising

SCHEMA = "promptscope.diff.v1"

IGNORED = "ignored-file"
"""The code of the diagnostic on a file that git ignores, where a revision is assembled."""

Change = Literal["added", "removed", "changed", "moved"]
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SectionChange(Struct, frozen=True):
    """A section that differs. `tokens` is the difference of its expected tokens, None if one is not counted yet.

    `moved`: it is elsewhere among the others; a section of which that is all there is has `change` "moved".
    `by`: the mods that changed it, in a comparison of the prompt before mods with the one as run.
    """

    id: str
    title: str
    change: Change
    tokens: int | None
    before: str
    after: str
    moved: bool
    tokens_before: int | None
    tokens_after: int | None
    by: tuple[str, ...] = ()

    def unified(self) -> tuple[str, ...]:
        """The lines of a unified diff, without its file headers."""
        return unified(self.before, self.after, 2)


class ToolChange(Struct, frozen=True):
    """A tool that came, went or is told otherwise. `before` and `after` are its description and its schema.

    `section`: the section that describes it, if one does; then its tokens are among those of that section.
    """

    name: str
    change: Change
    tokens: int | None
    before: str
    after: str
    section: str | None
    tokens_before: int | None
    tokens_after: int | None


class FileChange(Struct, frozen=True):
    """A file that came into the prompt, left it, or gives it another text.

    `path` is relative to the workspace, `~/…` below home, absolute elsewhere. `why` is the reason on the side that
    lacks it, "" if the file was not looked for there.
    """

    path: str
    change: Change
    tokens: int | None
    why: str
    tokens_before: int | None
    tokens_after: int | None


class ProblemChange(Struct, frozen=True):
    """A diagnostic that came or went."""

    change: Change
    severity: Severity
    code: str
    message: str
    path: str | None = None
    line: int | None = None


class Compared(Struct, frozen=True):
    """What one side is: its name in the comparison, whose prompt it is, and the expected tokens of the whole."""

    name: str
    agent: str
    agent_version: str
    mode: str | None
    model: str | None
    tokens: int | None
    window: int


class Comparison(Struct, frozen=True):
    """Everything that differs between two assemblies, in the order of the second one."""

    before: Compared
    after: Compared
    tokens: int | None
    sections: tuple[SectionChange, ...] = ()
    tools: tuple[ToolChange, ...] = ()
    files: tuple[FileChange, ...] = ()
    problems: tuple[ProblemChange, ...] = ()
    question: str = ""
    """Which question it answers, where revisions are compared."""
    ignored: tuple[str, ...] = ()
    """Present files that git ignores: a revision is assembled with them too."""
    schema: str = SCHEMA

    @property
    def differs(self) -> bool:
        """Whether anything does."""
        return bool(self.sections or self.tools or self.files or self.problems)

    def to_dict(self) -> dict[str, Json]:
        """The comparison as JSON values (`promptscope schema diff`)."""
        plain = to_json(self)
        return {"schema": plain.pop("schema"), "differs": self.differs, **plain}


def compare(
    before: Assembly, after: Assembly, names: tuple[str, str] = ("before", "after"), question: str = ""
) -> Comparison:
    """All that differs between two assemblies; `names` are what the sides are called."""
    return Comparison(
        question=question,
        before=_compared(names[0], before),
        after=_compared(names[1], after),
        tokens=_difference(before.tokens.expected, after.tokens.expected),
        sections=tuple(
            replace(each, title=(after if each.change != "removed" else before).shortened(each.title))
            for each in changed_sections(before, after)
        ),
        tools=tuple(_changed_tools(before, after)),
        files=tuple(_changed_files(before, after)),
        problems=tuple(_changed_problems(before, after)),
        ignored=tuple(dict.fromkeys(_ignored(before) + _ignored(after))),
    )


def changed_sections(before: Assembly, after: Assembly) -> tuple[SectionChange, ...]:
    """The sections that differ, in the order of `after`, removed ones where they was in `before`."""
    pairs = _other_pairs(before.sections, after.sections)
    if pairs is not None:
        both = [(a if a.present else None, b if b.present else None) for a, b in pairs]
        return tuple(_section(a, b, same=False, moved=False) for a, b in both if (a and a.text) != (b and b.text))
    old = {s.id: s for s in before.sections if s.present}
    new = {s.id: s for s in after.sections if s.present}
    renamed = _renamed(old.values(), new.values())
    old = {renamed.get(name, name): section for name, section in old.items()}
    moved = _moved(old, new)
    order = list(dict.fromkeys([s.id for s in after.sections] + [renamed.get(s.id, s.id) for s in before.sections]))
    changes = []
    for section_id in order:
        a, b = old.get(section_id), new.get(section_id)
        same = a is b or (a and b and a.text == b.text)  # reasons are not compared: they would all be put into words
        if not same or section_id in moved:
            changes.append(_section(a, b, same=bool(same), moved=section_id in moved))
    return tuple(changes)


def _renamed(old: Iterable[Section], new: Iterable[Section]) -> dict[str, str]:
    """The ids that sections of the first side have on the other one, where the client has one name for both."""
    sides = [{section.id: section for section in side} for side in (old, new)]
    one, other = ([s for s in mine.values() if s.names and s.id not in its] for mine, its in (sides, sides[::-1]))
    ids = {name: section.id for section in other for name in section.names}
    return {section.id: ids[name] for section in one for name in section.names[:1] if name in ids}


def _other_pairs(before: Sequence[Section], after: Sequence[Section]) -> Sequence[tuple[Section, Section]] | None:
    """The pairs that are not one section, for two rows of the same ids, as after a save among thousands.

    None if the ids are others.
    """
    if len(before) != len(after):
        return None
    pairs = list(compress(zip(before, after, strict=True), map(is_not, before, after)))
    return pairs if all(a.id == b.id for a, b in pairs) else None


def unified(before: str, after: str, context: int) -> tuple[str, ...]:
    """The lines of a unified diff of two texts, without its file headers."""
    lines = unified_diff(before.splitlines(), after.splitlines(), n=context, lineterm="")
    return tuple(lines)[2:]


def _compared(name: str, of: Assembly) -> Compared:
    tokens = of.tokens
    return Compared(name, of.agent, of.shown_version, of.mode, of.model, tokens.expected, tokens.window)


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _moved(old: Iterable[str], new: Iterable[str]) -> frozenset[str]:
    """The ids that are elsewhere: of those on both sides, as few as explain the other order."""
    places = {each: at for at, each in enumerate(new)}
    common = [each for each in old if each in places]
    numbers = [places[each] for each in common]
    if numbers == sorted(numbers):
        return frozenset()
    kept = {common[at] for at in rising(numbers)}
    return frozenset(common) - kept


def _kind(before: object, after: object) -> Change:
    return "added" if before is None else "removed" if after is None else "changed"


def _section(a: Section | None, b: Section | None, *, same: bool, moved: bool) -> SectionChange:
    shown = b or a
    assert shown is not None
    old, new = (0 if s is None else s.expected_tokens for s in (a, b))
    kind = "moved" if same else _kind(a, b)
    before, after = (s.text if s else "" for s in (a, b))
    return SectionChange(shown.id, shown.title, kind, _difference(old, new), before, after, moved, old, new)


# --- tools -----------------------------------------------------------------------------------------------------------


def _changed_tools(before: Assembly, after: Assembly) -> Iterable[ToolChange]:
    old = {tool.name: tool for tool in before.tools if tool.present}
    new = {tool.name: tool for tool in after.tools if tool.present}
    for name, (a, b) in _both(old, new).items():
        before_text, after_text = (_told(tool) if tool else "" for tool in (a, b))
        described = b.section if b else a.section if a else None
        if before_text == after_text or (a and b and described):  # a section that describes it says what changed
            continue
        one, other = (0 if tool is None else tool.expected_tokens for tool in (a, b))
        kind, tokens = _kind(a, b), _difference(one, other)
        yield ToolChange(name, kind, tokens, before_text, after_text, described, one, other)


def _told(tool: Tool) -> str:
    """What the model is told about a tool."""
    schema = tool.input_schema
    written = "" if schema is None else "\n\n" + json.dumps(schema, indent=2, ensure_ascii=False)
    return f"{tool.description}{written}" or tool.name


# --- files -----------------------------------------------------------------------------------------------------------


def _changed_files(before: Assembly, after: Assembly) -> Iterable[FileChange]:
    old, new = _by_path(before), _by_path(after)
    texts = [_texts(each) for each in (before, after)]
    for path, (a, b) in _both(old, new).items():
        there = [file is not None and file.present for file in (a, b)]
        if there == [False, False]:
            continue
        if all(there) and texts[0].get(path) == texts[1].get(path):
            continue
        kind: Change = "changed" if all(there) else "added" if there[1] else "removed"
        lacks = a if kind == "added" else b if kind == "removed" else None
        one, other = (file.tokens if file and file.present else 0 for file in (a, b))
        yield FileChange(path, kind, _difference(one, other), lacks.why.text if lacks else "", one, other)


def _by_path(assembly: Assembly) -> dict[str, SourceFile]:
    """The files by their short paths; of several entries for one file, one that counts."""
    found: dict[str, SourceFile] = {}
    for file in assembly.files:
        path = short_path(file.path, assembly)
        if path not in found or (file.present and not found[path].present):
            found[path] = file
    return found


def _texts(assembly: Assembly) -> dict[str, list[object]]:
    """What is in the prompt, by file; by its size for one whose text no fragment has."""
    found: dict[str, list[object]] = {}
    for section in assembly.sections:
        for fragment in section.fragments if section.present else ():
            if fragment.origin.path:
                found.setdefault(short_path(fragment.origin.path, assembly), []).append(fragment.text)
    for file in assembly.files:
        sizes = (file.bytes, file.injected_chars, file.tokens)
        found.setdefault(short_path(file.path, assembly), list(sizes))
    return found


def short_path(path: str, assembly: Assembly) -> str:
    """A path as it is on every machine: relative to the workspace, `~/…` below home, absolute elsewhere."""
    whole = path if path.startswith(("/", "~")) else f"{assembly.workspace}/{path}"
    return path_in_id(posixpath.normpath(whole), assembly.workspace, assembly.home)


# --- diagnostics -----------------------------------------------------------------------------------------------------


def _changed_problems(before: Assembly, after: Assembly) -> Iterable[ProblemChange]:
    sides = (before, after)
    old, new = ({_problem(d, each): d for d in each.diagnostics if d.code != IGNORED} for each in sides)
    for a, b in _both(old, new).values():
        if (a is None) is not (b is None):
            found = b or a
            assert found is not None
            whole = after if b else before
            path, message = found.path and short_path(found.path, whole), whole.shortened(found.message)
            yield ProblemChange(_kind(a, b), found.severity, found.code, message, path, found.line)


def _ignored(assembly: Assembly) -> list[str]:
    return [short_path(each.path, assembly) for each in assembly.diagnostics if each.code == IGNORED and each.path]


def _problem(found: Diagnostic, assembly: Assembly) -> Hashable:
    """What makes two diagnostics one: a line may have another number."""
    return found.code, found.message, found.path and short_path(found.path, assembly)


def _both(old: Mapping[K, V], new: Mapping[K, V]) -> dict[K, tuple[V | None, V | None]]:
    """What either has, the new ones in their order first."""
    return {key: (old.get(key), new.get(key)) for key in dict.fromkeys([*new, *old])}
