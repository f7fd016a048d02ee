"""What Why says about a file, about a block of the request, and about a problem that was found."""

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import Caches, What
from promptscope_engine.agents.kit.built_in import NO_TEXT
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.agents_table import AgentFiles
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.insight.repeats import shared_lines
from promptscope_engine.prompt.model import Assembly, Lever, Section, SourceFile, Stretch
from promptscope_engine.workspace.repository import FileList
from promptscope_tui.session.snapshot import ApplyLevers, GoTo, OpenSource
from promptscope_tui.text.spans import Span, Tone
from promptscope_tui.text.words import copy_place, deeds, line_range, number, program_place, short_path, total
from promptscope_tui.views.subjects import (
    BlockSubject,
    Cursor,
    DiagnosticSubject,
    FileSubject,
    ProgramSubject,
    Subject,
    blocks,
)

from .page import Page, spans_of

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
        why = spans_of(page.shorten(theirs.why.because.removeprefix("not read: ")))
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
    page.line(*spans_of(file.why.text.partition(": ")[2]), indent=3)


def to_see(page: Page, rule: LazyRule, rules: LazyRules) -> None:
    """The read that loads it, to be simulated here or on a command line."""
    scenario = page.snapshot.scenario
    if (path := rules.example(rule, page.assembly.workspace)) is None:
        return
    page.block("To see it")
    read = Lever("reads", [*scenario.reads, path])
    page.link(["read ", Span(path, "file"), " here"], ApplyLevers((read,)))
    page.line(Span(f"promptscope show {Lever('reads', [path]).option}", "dim"), indent=3)


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
        page.line(Span("✗ ", "error"), page.shorten(lazy_rules.why(rule)), hang=2)
        to_see(page, rule, lazy_rules)
        loading(page, rule, lazy_rules.listing)
        page.block("Source")
        page.link([Span("open "), Span(path, "file")], OpenSource(path, 1))


_TONES: dict[str, Tone] = {"error": "error", "warning": "warn", "info": "dim"}
_WHOSE = {
    "system": "The system prompt is sent as blocks; the model reads them as one text.",
    "messages": "What the agent adds to the conversation before and around what the user types.",
    "tools": "A tool as the model sees it: name, description and input schema.",
}


def block_page(page: Page, block: BlockSubject) -> None:
    """A block of the request: what it is, whether it ends in a breakpoint, which sections it contains."""
    assembly = page.assembly
    sent = blocks(assembly.request).get(block)
    if sent is None:
        return
    name = {"system": "System block", "messages": "Message", "tools": "Tool"}[block.field]
    part = f", part {block.part + 1}" if block.part else ""
    page.heading(f"{name} {block.number + 1}{part}")
    page.line(Span(f"{len(sent.text):,} characters", "dim"))
    page.line(Span(_WHOSE[block.field], "dim"))
    _cache(page, sent.value)
    if block.field == "tools":
        return
    page.block("Contains")
    for section in _sections(block, assembly):
        page.place(section)


def _sections(block: BlockSubject, assembly: Assembly) -> list[Section]:
    """The sections in a block: a channel's sections joined in order are its blocks joined in order."""
    start = end = 0
    for each, sent in blocks(assembly.request).items():
        if each.field == block.field:
            start, end = end, end + len(sent.text)
            if each == block:
                break
    found, at = [], 0
    for section in assembly.sections:
        if not section.present or section.channel != block.field:
            continue
        length = sum(len(fragment.text) for fragment in section.fragments)
        if length and at < end and at + length > start:
            found.append(section)
        at += length
    return found


def _cache(page: Page, wire: dict[str, Json]) -> None:
    control = wire.get("cache_control")
    page.block("Cache")
    if not control:
        page.line(Span("no breakpoint here", "dim"))
        return
    page.line(Span("◆ ", "accent"), "everything up to here is cached", hang=2)
    for key, value in control.items():
        page.pair(str(key), str(value), "dim")


def diagnostic_page(page: Page, subject: DiagnosticSubject) -> None:
    """A problem that was found, and where."""
    if subject.index >= len(page.assembly.diagnostics):
        return
    found = page.assembly.diagnostics[subject.index]
    page.heading(found.message)
    page.line(Span(found.severity, _TONES[found.severity]), Span(f"  {found.code}", "faint"))
    if found.path:
        page.block("Where")
        line = f":{found.line}" if found.line else ""
        page.link([Span(page.shorten(found.path), "file"), Span(line, "dim")], OpenSource(found.path, found.line or 1))


def program_page(page: Page, subject: ProgramSubject) -> None:
    """A hook or a mod: whether it takes part, on what it acts, what it may do to the prompt, and where it is."""
    if subject.index >= len(page.assembly.programs):
        return
    found = page.assembly.programs[subject.index]
    page.heading(found.name)
    page.why(found)
    page.pair(found.kind, found.source)
    page.pair("on", ", ".join(filter(None, (found.event, found.matcher, *found.events))) or "nothing")
    if found.kind == "hook":
        page.pair("into the prompt", found.adds or "nothing")
    if found.order:
        page.pair("from the outermost", f"{found.order}")
    for each in deeds(found, page.assembly):
        page.line(Span("~ ", "warn"), *spans_of(each), hang=2)
    if found.path:
        page.block("Where")
        place = Span(program_place(found, page.assembly), "file")
        page.link([Span("open ", "text"), place], OpenSource(found.path, found.line or 1))


EFFECTS: dict[What, tuple[str, Tone, str]] = {
    "kept": ("=", "good", "kept"),
    "computed": ("↻", "warn", "recomputed"),
    "dropped": ("✗", "error", "dropped"),
    "lost": ("○", "more", "lost until loaded again"),
    "unknown": ("?", "dim", "unknown"),
}
"""What an event does to a section: its glyph, its tone, its word."""


def no_cache(agent: Describes) -> Span:
    """The line for an agent whose caching is not modelled."""
    return Span(f"caching is not modelled for {agent.name}", "faint")


_CHANGES = {"static": "never", "session": "with each session", "turn": "with each turn"}


def section_cache(page: Page, section: Section) -> None:
    """How often a section's text changes, and what each event does to it."""
    agent = page.inputs.agent
    page.block("Cache")
    page.pair("changes", _CHANGES[section.stability])
    if not isinstance(agent, Caches):
        page.line(no_cache(agent))
        return
    if not section.present:
        return
    for event, words in agent.events.items():
        effect = agent.cache_effect(page.assembly, section, event)
        glyph, tone, word = EFFECTS[effect.what]
        page.line(Span(f"{glyph} ", tone), Span(f"{words}: "), Span(word, tone), hang=2)
        page.line(Span(effect.why, "faint"), indent=3)


def file_cache(page: Page, file: SourceFile) -> None:
    """How many leading tokens stay cached if a file changes."""
    agent, assembly = page.inputs.agent, page.assembly
    page.block("If it changes")
    if not isinstance(agent, Caches):
        page.line(no_cache(agent))
        return
    found = agent.forecast(assembly, file.path)
    if found.section is None:
        page.line(NO_TEXT if found.note == NO_TEXT else "the request does not change and stays cached")
        return
    section = assembly.section(found.section)
    page.pair("from", section.title if section else found.section)
    page.pair("before it", f"≈{found.unchanged:,} of {found.total:,} tok", "dim")
    share = f"  {found.cached / found.total:.0%}" if found.total else ""
    page.pair("cached", f"≈{found.cached:,} tok{share}", "good" if found.cached else "warn")
    page.line(Span(found.note, "faint"))
    if section and section.present:
        effect = agent.cache_effect(assembly, section, next(iter(agent.events)))
        page.line(Span(f"in the current session: {effect.why}", "faint"))
