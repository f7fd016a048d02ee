"""A long text as sections, one for each of its headings."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from promptscope_engine.prompt.drafts import SectionDraft, Span, label


def by_headings(spans: Iterable[Span], gap: str = "") -> Iterator[SectionDraft]:
    """The sections of a text, one for each id in it: its first line is its heading, or it is an introduction.

    What is below a heading of the first level belongs to its section. The text has the `gap` at the end of each
    section, where its place puts one as well.
    """
    parts: dict[str, list[Span]] = {}
    part = ""
    for span in spans:
        part = span.origin.id or part
        parts.setdefault(part, []).append(span)
    above = None
    for part, (*before, last) in parts.items():
        first, *rest = *before, replace(last, text=last.text.removesuffix(gap))
        line = first.text.partition("\n")[0]
        if not line.startswith("#"):
            yield SectionDraft(part, "Introduction", (first, *rest), stability="static")
            continue
        above = None if line.startswith("# ") else above
        spans = (label(f"{line}\n"), replace(first, text=first.text[len(line) + 1 :]), *rest)
        yield SectionDraft(part, line.lstrip("# "), spans, line, stability="static", parent=above)
        above = part if line.startswith("# ") else above
