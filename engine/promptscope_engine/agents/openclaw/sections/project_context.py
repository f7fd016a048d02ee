"""Project Context (specs/openclaw.md 1 part 23, and 4): the injected files, their headings not escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from promptscope_engine.agents.openclaw.materials import Context, Materials, Part
from promptscope_engine.agents.openclaw.texts import ANY_MODE
from promptscope_engine.javascript.text import js_trim, splits_pair, utf16_slice
from promptscope_engine.prompt.conditions import Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import (
    Piece,
    SectionDraft,
    computed,
    file_text,
    guarded,
    label,
    param_value,
)


def injected_files(materials: Materials) -> list[SectionDraft]:
    """A section for each file."""
    passed = materials.prompt.value("contextFiles") is not None
    return list(_passed(materials) if passed else _gathered(materials))


def any_file(files: list[SectionDraft]) -> Condition:
    """There is a file to inject."""
    yes, no = "there are files to inject", "no file is injected"
    if not files:
        return Observed(
            "file", "context", False, yes, no, remedy="leave `bootstrapFiles` and `promptParams.contextFiles` out"
        )
    return Named("any", "context", Any(tuple(file.when for file in files)), yes)


def any_soul(files: list[SectionDraft]) -> Condition:
    """There is a SOUL.md among them: in any case and behind either slash, missing or not (4)."""
    paths = {str(file.heading).removeprefix("## "): file.when for file in files}
    souls = [when for path, when in paths.items() if path.replace("\\", "/").rpartition("/")[2].lower() == "soul.md"]
    if not souls:
        return Observed("file", "SOUL.md", False, "", "there is no SOUL.md", remedy="add a SOUL.md to the files")
    return Named("file", "SOUL.md", Any(tuple(souls)), "there is a SOUL.md")


def _gathered(materials: Materials) -> Iterator[SectionDraft]:
    names: dict[str, int] = {}
    for context in materials.contexts:
        name = context.entry.name
        names[name] = names.get(name, 0) + 1
        suffix = f".{names[name]}" if names[name] > 1 else ""
        yield _file(f"project_context.{name}{suffix}", context)


def _file(section_id: str, context: Context) -> SectionDraft:
    path = context.entry.path
    # what became of the file is the sentence; the mode and the session stay in the tree below it
    when = Named("file", path, ANY_MODE & context.why, context.amount)
    # a part of its own reads `\n## <path>`: one label, so that the heading is told from one inside a file
    content = _content(context) if context.injection.parts else ()
    return _section(section_id, context.entry.name, path, content, when)


def _section(section_id: str, title: str, path: str, content: Iterable[Piece], when: Condition) -> SectionDraft:
    """A file under its path; without content the heading stands alone."""
    lines = list(content)
    pieces = (label(f"\n## {path}"), *([label("\n"), *lines] if lines else ()))
    return SectionDraft(section_id, title, pieces, heading=f"## {path}", when=when, parent="project_context")


def _content(context: Context) -> Iterator[Piece]:
    whole = context.entry.content or ""
    for part_, lost in context.stretches:
        match part_:
            case Part(text=text, start=int(start), end=int(end)):
                stretch: Iterable[Piece] = [param_value("bootstrapFiles", text)]
                if context.entry.source is not None:
                    stretch = _stretch(context.entry.source, whole, text, start, end)
                yield from stretch if lost is None else guarded(stretch, lost)
            case _:
                yield label(part_.text)


def _stretch(path: str, whole: str, text: str, start: int, end: int) -> Iterator[Piece]:
    """Lines of the file; half a surrogate pair at either end is not in the file as it stands."""
    first = 1 + utf16_slice(whole, 0, start).count("\n")
    head, tail = splits_pair(whole, start), splits_pair(whole, end)
    inner = text[int(head) : len(text) - int(tail)]
    if head:
        yield computed("half a surrogate pair", "\ufffd")
    if inner:
        yield file_text(path, inner, first)
    if tail:
        yield computed("half a surrogate pair", "\ufffd")


def _passed(materials: Materials) -> Iterator[SectionDraft]:
    """The scenario's own files: one with a blank path is dropped, an empty one leaves just its heading."""
    files = [file for file in materials.prompt.value("contextFiles") if js_trim(file.get("path") or "")]
    for number, file in enumerate(files, 1):
        path, content = file["path"], file.get("content") or ""
        lines = [param_value("promptParams.contextFiles", content)] if content else []
        when = ANY_MODE & materials.prompt.cause("contextFiles")
        yield _section(f"project_context.given.{number}", path, path, lines, when)
