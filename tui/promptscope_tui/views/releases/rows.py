"""The versions of an agent as rows: what each sends, how it is known, and what it has more than the one before."""

from collections.abc import Container, Hashable, Iterator

from msgspec import Struct

from promptscope_engine.learned.model import LearnedVersion
from promptscope_tui.session.releases import Release, with_earlier
from promptscope_tui.text.spans import BLANK, Row, Span, pad, paragraph, row, signed
from promptscope_tui.text.tables import COLUMNS, table
from promptscope_tui.text.words import many

_HINT = "enter compares a version with the one that is shown, or two that are marked"


class FoundReleases(Struct, frozen=True):
    """The versions of an agent, by its `name`, oldest first; `shown` is one of them, `installed` "" without a client.

    `learned` are those that were asked for their own words.
    """

    name: str
    releases: tuple[Release, ...]
    shown: str
    installed: str = ""
    learned: tuple[LearnedVersion, ...] = ()

    def release(self, version: Hashable) -> Release | None:
        """The version of this name."""
        return next((each for each in self.releases if each.version == version), None)


def release_rows(found: FoundReleases, marked: Container[str], width: int) -> list[Row]:
    """The table, the newest version first; the rows' keys are the versions."""
    if not found.releases:
        return [paragraph(Span(f"No version of {found.name} is known.", "dim"))]
    records = [_record(each, before, found, marked) for each, before in with_earlier(found.releases)]
    return [*table(COLUMNS["releases"], records[::-1], width), BLANK, paragraph(Span(_HINT, "faint"))]


def _record(each: Release, before: Release | None, found: FoundReleases, marked: Container[str]) -> Row:
    is_shown = each.version == found.shown
    mark = Span("✓", "accent") if each.version in marked else Span("●" if is_shown else "", "good")
    parts = (Span(f"{size:,}", "dim") for size in (each.system, each.messages, each.tools, each.tool_count))
    return row(
        mark,
        Span(each.version, "strong" if is_shown else "text"),
        Span(f"{each.total:,}"),
        signed(each.total - before.total) if before else Span(""),
        *parts,
        Span(", ".join(_ways(each, found)), "dim"),
        key=each.version,
    )


def _ways(each: Release, found: FoundReleases) -> Iterator[str]:
    """How it is known, and whether it is the one that is shown or installed."""
    if each.version == found.shown:
        yield "shown"
    if each.version == found.installed:
        yield "installed"
    if each.is_imported:
        yield each.known
    for way, when in (("modelled", each.modelled), ("learned", each.learned)):
        if way in each.known:
            yield f"{way} {when[:10]}".rstrip()


def version_rows(found: FoundReleases, version: Hashable) -> Iterator[Row]:
    """What one version sends, by part, and how it is known."""
    for each, before in with_earlier(found.releases):
        if each.version != version:
            continue
        ways = ", ".join(_ways(each, found))
        yield paragraph(Span(f"{found.name} {each.version}", "strong"), Span(f"  {ways}", "dim"))
        yield BLANK
        yield from _parts(each, before)
        yield BLANK
        yield from _known(each, found)
        if before:
            yield paragraph(Span(f"± {before.version}, the one before in the same words", "faint"))


def _parts(each: Release, before: Release | None) -> Iterator[Row]:
    for name in ("system", "messages", "tools"):
        size: int = getattr(each, name)
        more = signed(size - getattr(before, name)) if before else Span("")
        count = f"  {many(each.tool_count, 'tool')}" if name == "tools" else ""
        yield row(Span(pad(name, 10), "dim"), Span(f"{size:>9,}  "), more, Span(count, "dim"))


def _known(each: Release, found: FoundReleases) -> Iterator[Row]:
    if each.is_imported:
        yield paragraph(Span("Imported from an archive of recordings: its sizes alone are known.", "warn"))
    known = next((own for own in found.learned if own.agent_version == each.version), None)
    if known is not None:
        texts = len({wording.key for wording in known.wordings if not wording.is_of_lines})
        base = f", with the parts of {known.base}" if known.base not in ("", each.version) else ""
        yield paragraph(f"{many(texts, 'text')} in its own words, from {many(len(known.runs), 'run')}{base}")
    elif not each.is_imported:
        yield paragraph(Span("Not learned: reworded, at measured sizes.", "dim"))
    if each.version == found.installed and known is None:
        yield paragraph(Span("It is the client that is installed here: L learns its own words.", "accent"))
