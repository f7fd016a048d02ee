"""What Why says about a file: who else reads it, duplicate lines, sizes and cuts, what loads it."""

from promptscope_engine.insight.agents_table import AgentFiles
from promptscope_engine.insight.lazy_rules import LazyRule
from promptscope_engine.insight.repeats import shared_lines
from promptscope_engine.prompt.model import Assembly, Section, SourceFile, Stretch
from promptscope_engine.workspace.repository import FileList
from promptscope_tui.session.snapshot import GoTo, OpenSource
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import copy_place, line_range, number, short_path, total
from promptscope_tui.views.subjects import Cursor, FileSubject, Subject

from .page import Page, sentence

_MOST = 6  # duplicates that are listed
_NAME = 12  # the column of the agents' names


def file_behind(subject: Subject | None, assembly: Assembly) -> SourceFile | None:
    """The file that a subject is about: itself, the one under the cursor, or the only one that its section holds."""
    match subject:
        case FileSubject(path):
            paths = {path}
        case Cursor(section_id=str(section_id), path=path):
            section = assembly.section(section_id)
            here = {f.origin.path for f in section.fragments if f.origin.path} if section else set()
            paths = {path} if path else here
        case _:
            return None
    return file_of(paths.pop(), assembly) if len(paths) == 1 else None


def file_of(path: str, assembly: Assembly) -> SourceFile | None:
    """The file with this path, as the agent shows it or on disk."""
    return next((f for f in assembly.files if path in (f.path, f.real_path)), None)


def around(page: Page, file: SourceFile) -> None:
    """The blocks "Also read by" and "Duplicates"."""
    snapshot = page.snapshot
    page.block("Also read by")
    if snapshot.other_agents is None:
        page.line(Span("… computing", "dim"))
    for other in snapshot.other_agents or ():
        _reader(page, other, file)
    if not file.present:
        return
    shared = shared_lines(snapshot.repeats or ())
    found = shared.get(file.path) or shared.get(file.real_path) or ()
    if found:
        page.block("Duplicates")
    for lines in found[:_MOST]:
        copy = lines.copy
        place = Span(copy_place(copy, page.assembly), "file" if copy.path else "text")
        there = OpenSource(copy.path, copy.file_line or 1) if copy.path else GoTo("prompt", copy.section, copy.line + 1)
        page.link([f"{line_range(lines.start, lines.end)}, also in ", place], there)
        page.line(Span(f"{number(lines.tokens)} tok duplicated", "more"), indent=3)
    if len(found) > _MOST:
        rest = [lines.tokens for lines in found[_MOST:]]
        page.line(Span(f"… {len(rest)} more, {number(total(rest))} tok", "dim"))


def _reader(page: Page, other: AgentFiles, file: SourceFile) -> None:
    name = Span(f"{other.name:<{_NAME}} ", "dim")
    theirs = other.files.get(file.real_path)
    if other.error:
        page.line(name, Span("unknown: ", "warn"), other.error, hang=_NAME + 1)
    elif theirs is None:
        page.line(name, Span("no", "faint"))
    elif theirs.present:
        page.line(name, Span("✓ yes", "good"), Span(f"  {theirs.kind}, {theirs.load}", "dim"), hang=_NAME + 1)
    else:
        why = sentence(page.shorten(theirs.why.text.removeprefix("absent: ").removeprefix("not read: ")))
        page.line(name, Span("✗ no: ", "error"), *why, hang=_NAME + 1)


_LISTED = 80
"""Files that a page names; a folder may hold thousands."""


def size_block(page: Page, file: SourceFile) -> None:
    """Raw and injected sizes, and what was cut, part by part."""
    page.block("Size")
    page.pair("on disk", f"{file.bytes:,} bytes, {file.raw_chars:,} characters")
    page.pair("injected", f"{file.injected_chars:,} characters, {number(file.tokens)} tok")
    for limit in file.limits:
        over = limit.wanted > limit.allowed
        wanted = Span(f" {limit.wanted:,} wanted", "warn" if over else "dim")
        page.line(Span(f"{'✗' if over else '✓'} ", "error" if over else "good"), limit.name, hang=2)
        page.line(f"{limit.allowed:,} allowed,", wanted, indent=3)
    if file.truncated:
        page.line(Span("truncated", "warn"))
    for stretch in file.stretches:
        _stretch(page, stretch)


def section_sizes(page: Page, section: Section) -> None:
    """The sizes of the section's file, if it is a single one with limits."""
    paths = {f.origin.path for f in section.fragments if f.origin.kind == "file"}
    files = [file for file in page.assembly.files if file.limits and {file.path, file.real_path} & paths]
    if len(files) == 1:
        size_block(page, files[0])


def _stretch(page: Page, stretch: Stretch) -> None:
    split = [stretch.start_line] * stretch.partial_start + [stretch.end_line] * stretch.partial_end
    parts = " and ".join(map(str, dict.fromkeys(split)))
    mark = Span("┃ kept ", "file") if stretch.kept else Span("✂ cut  ", "more")
    words = Span(f"  {stretch.chars:,} characters" + (f", {parts} partly" if parts else ""), "dim")
    page.line(mark, line_range(stretch.start_line, stretch.end_line), words, hang=7)


def on_demand(page: Page, section: Section) -> None:
    """Of a section that lists files to read on demand: the last one listed, and the ones left out, with the reason."""
    paths = {fragment.origin.path for fragment in section.fragments}
    kinds = {f.kind for f in page.assembly.files if f.load == "on-demand" and {f.path, f.real_path} & paths}
    files = [file for file in page.assembly.files if file.kind in kinds]
    listed, left = [f for f in files if f.present], [f for f in files if not f.present]
    if not listed:
        return
    page.block(f"Listed: {len(listed)} of {len(files)}")
    _listed(page, listed[-1])
    for file in left[:_LISTED]:
        _listed(page, file)
    if len(left) > _LISTED:
        page.line(Span(f"… {len(left) - _LISTED:,} more, see Files", "faint"))


def _listed(page: Page, file: SourceFile) -> None:
    mark = Span("○ ", "file") if file.present else Span("✗ ", "error")
    page.line(mark, Span(short_path(file.path, page.assembly), "text" if file.present else "dim"), hang=2)
    page.line(*sentence(file.why.text.partition(": ")[2]), indent=3)


def loading(page: Page, rule: LazyRule, listing: FileList) -> None:
    """What loads it, or why nothing ever does."""
    lazy, assembly = rule.file, page.assembly
    if rule.unmatched:
        page.block("It never loads")
        page.line(Span("⊘ ", "warn"), lazy.never or "no file of the repository matches", hang=2)
    else:
        page.block("What loads it")
    if not lazy.patterns:
        page.line("reading any file below ", Span(short_path(lazy.base, assembly), "file"))
        return
    page.pair("patterns", ", ".join(lazy.patterns), "param")
    base = "where the agent starts" if lazy.base == assembly.workspace else short_path(lazy.base, assembly)
    page.pair("below", base, "dim")
    source = "listed by git" if listing.source == "git" else "found without git"
    page.pair("checked", f"{len(listing.files):,} files, {source}" + ("" if listing.complete else "; cut off"), "dim")
    for name in rule.files[:_LISTED]:
        page.line(Span("· ", "faint"), Span(name, "file"), hang=2)
    if rule.count > _LISTED:
        page.line(Span(f"… {rule.count - _LISTED:,} more", "faint"))


def lazy_page(page: Page, path: str) -> None:
    """The page of a file that is not loaded yet."""
    lazy_rules = page.snapshot.lazy_rules
    if lazy_rules and (rule := lazy_rules.of(path)):
        page.heading(short_path(path, page.assembly))
        loading(page, rule, lazy_rules.listing)
        page.block("Source")
        page.link([Span("open "), Span(path, "file")], OpenSource(path, 1))
