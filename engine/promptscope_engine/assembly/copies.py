"""How often a prompt has the text of each file, where a file's row counts it once."""

from collections.abc import Iterable, Mapping

from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import FileDraft, SectionDraft
from promptscope_engine.prompt.sendings import Sending, sendings


def copies(sections: Iterable[SectionDraft], files: Iterable[FileDraft], facts: Facts) -> Mapping[str, int]:
    """The files whose text is in these sections more than once, by the path in its origins, and how often it is.

    Not counted is a copy that the row of the importing file has in its own text.
    """
    found: dict[str, list[Sending]] = {}
    present = (
        (each.id, [s for s in each.spans if s.origin.kind == "file" and s.when.holds(facts)]) for each in sections
    )
    for sending in sendings(present):
        found.setdefault(sending.path, []).append(sending)
    several = {path: there for path, there in found.items() if len(there) > 1}
    if not several:
        return {}
    rows = {path: file for file in files for path in (file.real_path, file.path)}
    counts = ((path, _count(there, rows[path], rows)) for path, there in several.items() if path in rows)
    return {path: count for path, count in counts if count > 1}


def _count(there: list[Sending], file: FileDraft, rows: Mapping[str, FileDraft]) -> int:
    text = there[0].text
    if len(text) * 2 <= len(file.injected):  # a name, or a few lines of what is injected
        return 1
    importers = [rows.get(each.before or "") for each in there if each.text == text]
    return sum(importer is None or text not in importer.injected for importer in importers)
