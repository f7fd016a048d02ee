"""Files whose whole text a prompt has more than once: by themselves and as an import, or by two names."""

from collections.abc import Callable, Iterator

from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.prompt.sendings import Sending, sendings

from .repeats import Copy, Repeat, but_one

LEAST = 25
"""Characters of a line, of which one has to be so long: equal texts are no coincidence then."""


def whole_files(assembly: Assembly, count: Callable[[str], int | None]) -> Iterator[Repeat]:
    """One repeat for each text that is sent more than once, with all places where it is."""
    sections = {section.id: section for section in assembly.sections if section.present}
    importers = {file.path: file.imported_by for file in assembly.files}
    found: dict[str, list[Sending]] = {}
    for sending in sendings((section.id, section.fragments) for section in sections.values()):
        if any(_has_line(text) for text in sending.texts):
            found.setdefault(sending.text, []).append(sending)
    for text, there in found.items():
        if len(there) > 1:
            tokens = count(text)
            copies = tuple(_copy(each, sections[each.section], tokens, importers.get(each.path)) for each in there)
            yield Repeat("whole file", text, copies, but_one(copies))


def _has_line(text: str) -> bool:
    """Whether a line of it is a sentence, or a part of one."""
    return any(len(line.strip()) >= LEAST and any(map(str.isalpha, line)) for line in text.split("\n"))


def _copy(sending: Sending, section: Section, tokens: int | None, importer: str | None) -> Copy:
    line = 0
    for fragment in section.fragments:
        if fragment.text is sending.texts[0]:
            break
        line += fragment.text.count("\n")
    lines = sending.start, sending.end
    inside = sending.before if sending.before in (sending.behind, importer) else None
    return Copy(section.id, section.title, line, section.expected_of(tokens), sending.path, *lines, inside=inside)
