"""What Why says about each kind of subject: pure functions from a snapshot to a page of rows."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from promptscope_engine.insight.comparison import SectionChange, changed_sections
from promptscope_engine.insight.quirks import quirks_of
from promptscope_engine.insight.rewriting import rewriters
from promptscope_engine.prompt.model import (
    AbsentFragment,
    Confidence,
    Fragment,
    Origin,
    Section,
    SourceFile,
    Tool,
    View,
)
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import ApplyLevers, GoTo, OpenSource, Snapshot
from promptscope_tui.text.reasons import by_hand
from promptscope_tui.text.spans import Row, Span, Tone, paragraph, row, signed
from promptscope_tui.text.totals import (
    GROUP,
    family_confidence,
    offer,
    own_text,
    parts,
    sections_sum,
    tool_parts,
    with_nested,
)
from promptscope_tui.text.words import (
    CONFIDENCE,
    MARKS,
    ORIGINS,
    difference,
    injected_of,
    is_users,
    lines_of,
    number,
    origins,
    percent,
    short_path,
    total,
)
from promptscope_tui.views.cache import cache_rows
from promptscope_tui.views.change_words import change_title, unlisted
from promptscope_tui.views.subjects import (
    BlockSubject,
    ChangeSubject,
    Cursor,
    DiagnosticSubject,
    FileSubject,
    FolderSubject,
    ProgramSubject,
    ServerSubject,
    Subject,
    SwitchSubject,
    ToolSubject,
    WindowSubject,
)

from .folder import folder_page
from .page import Page, learned_source, spans_of, text_source
from .parts import (
    around,
    block_page,
    diagnostic_page,
    file_behind,
    file_cache,
    file_of,
    lazy_page,
    loading,
    on_demand,
    program_page,
    section_cache,
    section_sizes,
    size_block,
    to_see,
)
from .switch import edits_block, switch_page, window_page

_ABSENT_LINES = 400
"""Of text that was left out: a file of megabytes may have been cut."""
_DIFF_LINES = 40
_DIFF_TONES: dict[str, Tone] = {"+": "good", "-": "error", "@": "faint"}


def why_page(subject: Subject | None, snapshot: Snapshot, inputs: AgentInputs, *, whole: bool = False) -> Page:
    """The page for a subject; a hint if there is none, or if it is gone. `whole`: reasons are shown as trees."""
    page = Page(snapshot, inputs, whole=whole)
    if snapshot.assembly is None:
        page.line(Span("There is no prompt yet.", "dim"))
    elif subject is None or subject == Cursor():
        page.line(Span("Select a section, a tool, a file or a switch to see why.", "dim"))
    else:
        _PAGES[type(subject)](page, subject)
    if not page.rows:
        page.line(Span("It is no longer in this prompt.", "dim"))
    return page


def _changes(page: Page, subject: ChangeSubject) -> None:
    for found in page.snapshot.changes[subject.index : subject.index + 1]:
        if found.cache:
            page.heading("Cache")
            page.rows += [*cache_rows(found.cache), paragraph()]
        for change in found.sections:
            page.heading(change.title)
            _diff(page, change)
            page.rows.append(paragraph())
        if not found.sections:
            page.heading("".join(change_title(found, page.assembly)))
            page.line(Span(unlisted(found) or f"{difference(found.tokens)} tok of tools, beside the prompt", "dim"))


def _cursor(page: Page, subject: Cursor) -> None:
    section = page.assembly.section(subject.section_id) if subject.section_id else None
    if subject.kind == "tools":
        _beside_page(page)
    elif section is None and subject.kind == "absent":
        _absent_parts(page)
    elif section is not None and subject.kind == "absent" and subject.fragment is not None:
        if subject.fragment < len(section.absent):
            _absent_page(page, section, section.absent[subject.fragment])
    elif section is not None:
        _section_page(page, section, subject)


# --- a section -------------------------------------------------------------------------------------------------------


def _absent_page(page: Page, section: Section, piece: AbsentFragment) -> None:
    """Text that the section could have and lacks."""
    page.heading(f"Not in {section.title}")
    page.reason(piece.why, "Why it is not here")
    page.change(piece.why, False)
    lines = piece.text.strip().splitlines()
    page.block(f"It would say, {lines_of(piece.origin)}" if lines_of(piece.origin) else "It would say")
    for line in lines[:_ABSENT_LINES]:
        page.line(Span(line, "dim"))
    if len(lines) > _ABSENT_LINES:
        page.line(Span(f"… {len(lines) - _ABSENT_LINES:,} more lines", "faint"))
    text_source(page, piece.origin.id)


def _absent_parts(page: Page) -> None:
    """The sections that are absent, each with its reason; choosing one leads to its place."""
    gone = [section for section in page.assembly.sections if section.parent is None and not section.present]
    page.heading(f"{len(gone):,} absent")
    page.line(Span("They have their places in the prompt: x shows them there.", "dim"))
    page.block("What they are")
    for section in gone:
        page.link([page.shorten(section.title)], GoTo("prompt", section.id))
        page.line(*spans_of(page.shorten(section.why.because)), indent=3)


def _section_page(page: Page, section: Section, subject: Cursor) -> None:
    """A section, or the part of it under the cursor."""
    assembly, fragment = page.assembly, subject.fragment
    page.heading(section.title)
    tool = next((t for t in assembly.tools if t.section == section.id), None)
    page.why(tool or section)
    if section.present or any(child.present for child in assembly.children(section.id)):
        _section_tokens(page, section)
    if fragment is not None and fragment < len(section.fragments):
        _fragment(page, section.fragments[fragment], section)
    page.change((tool or section).why, section.present, by_hand(section))
    if not section.present:
        return
    edits_block(page, subject)
    _views(page, (view for view in assembly.views if view.section == section.id))
    _sources(page, section)
    page.rewritten(rewriters(section, assembly), section)
    page.quirks(quirks_of(section, assembly) + (quirks_of(tool, assembly) if tool else ()))
    section_sizes(page, section)
    on_demand(page, section)
    _baseline(page, section)
    _neighbours(page, section)
    if file := file_behind(subject, assembly):
        around(page, file)
    _absent(page, section)
    section_cache(page, section)


def _beside_page(page: Page) -> None:
    """The tools that are sent beside the prompt."""
    tools = page.assembly.tools_beside
    page.heading("Tools, sent beside the prompt")
    page.line("They are not part of the system prompt: the request has its own field for them, sent each time.")
    page.block("Adding up")
    for line in sections_sum(page.assembly).lines():
        page.line(line)
    page.block(f"Tools: {len(tools)}")
    for tool in sorted(tools, key=lambda tool: -(tool.expected_tokens or 0)):
        words = [Span(tool.name, "tool"), Span(f"  {number(tool.expected_tokens)} tok", "dim")]
        page.link(words, GoTo("tools", ToolSubject(tool.name)))


def _views(page: Page, views: Iterable[View]) -> None:
    """Links to the prompts that this one tells about."""
    for at, view in enumerate(views):
        if not at:
            page.block("See also")
        page.link(["the prompt of ", Span(view.title, "param")], ApplyLevers((view.lever,)))


def _sizes(page: Page, tokens: int | None, confidence: Confidence) -> None:
    share = percent(tokens, page.assembly.tokens.expected)
    page.line(f"{MARKS[confidence]} {number(tokens)} tok", Span(f"  {CONFIDENCE[confidence]}  {share}".rstrip(), "dim"))


def _of_which(page: Page, *parts: tuple[int | None, str]) -> None:
    """What the tokens in the line above are made of."""
    for at, (tokens, words) in enumerate(parts):
        page.pair("" if at else "of which", f"{number(tokens)} tok  {words}", "dim")


def _section_tokens(page: Page, section: Section) -> None:
    """A section's tokens as its row shows them, of which its own text and what is nested in it, or your files."""
    assembly = page.assembly
    nested = [child for child in assembly.children(section.id) if child.present]
    whole = section.expected_tokens if section.present else 0
    files = own_text(section, assembly)
    parts: list[tuple[int | None, str]] = []
    if files is not None and whole is not None:
        parts = [(files, "your files"), (whole - files, "around them")]
    elif nested and whole:
        parts = [(whole, "its own text")]
    if nested:
        parts.append((total(with_nested(child, assembly) for child in nested), "nested in it"))
    _sizes(page, with_nested(section, assembly), family_confidence(section, assembly))
    if len(parts) > 1:
        _of_which(page, *parts)


def _fragment(page: Page, fragment: Fragment, section: Section) -> None:
    origin = fragment.origin
    page.block("Under the cursor")
    name = origin.id or origin.name or ""
    page.line(Span(ORIGINS[origin.kind].why), Span(f"  {name}", "faint" if origin.id else "param"))
    if origin.id and origin.name:
        page.line(Span(origin.name, "dim"))
    if origin.kind == "file":
        _source(page, origin)
    elif origin.kind == "learned":
        learned_source(page, section.id, origin)
    elif origin.kind in ("builtin", "label"):
        text_source(page, origin.id)
    if fragment.why is not None and fragment.why.condition is not None:
        page.reason(fragment.why, "Why it is here")
        page.change(fragment.why, True)
        page.block(f"All of {page.shorten(section.title)}")


def _sources(page: Page, section: Section) -> None:
    """The files behind the section and its children, each with its lines."""
    parts = [section, *page.assembly.children(section.id)]
    files = [origin for origin in origins(f for part in parts for f in part.fragments) if origin.path]
    if files:
        page.block("Sources")
    for origin in files:
        _source(page, origin)


def _source(page: Page, origin: Origin) -> None:
    assert origin.path is not None
    file = file_of(origin.path, page.assembly)
    note = f"{file.kind}, {injected_of(file)}" if file else ""
    page.source(
        short_path(origin.path, page.assembly),
        file.real_path if file else origin.path,
        origin.start_line,
        origin.end_line,
        note,
    )
    if file and file.truncated:
        page.line(Span("truncated", "warn"), indent=3)


def _baseline(page: Page, section: Section) -> None:
    if page.snapshot.compared is None:
        return
    found = [c for c in changed_sections(page.snapshot.compared, page.assembly) if c.id == section.id]
    if found:
        page.block("Since the baseline" if page.snapshot.pinned else "Since the last change")
        _diff(page, found[0])


def _diff(page: Page, change: SectionChange) -> None:
    page.rows.append(paragraph(Span(f" {change.change} ", "dim"), signed(change.tokens), Span(" tok", "dim")))
    page.rows += diff_rows(change)


def diff_rows(change: SectionChange, most: int = _DIFF_LINES, indent: int = 3) -> Iterator[Row]:
    """The first lines of a section's unified diff, each with its mark and its colour saying the same."""
    lines, margin = change.unified(), " " * (indent - 2)
    for line in lines[:most]:
        yield paragraph(Span(margin + line, _DIFF_TONES.get(line[:1], "dim")), indent=indent)
    if len(lines) > most:
        yield row(Span(f"{margin}… {len(lines) - most:,} more lines", "faint"))


def _neighbours(page: Page, section: Section) -> None:
    assembly = page.assembly
    siblings = [s for s in assembly.sections if s.parent == section.parent and s.present]
    at = next(n for n, each in enumerate(siblings) if each is section)
    parent = assembly.section(section.parent) if section.parent else None
    page.block("Where")
    page.line(f"part {at + 1} of {len(siblings)} in ", Span(parent.title if parent else "the prompt"))
    if at > 0:
        page.pair("before it", siblings[at - 1].title, "dim")
    if at + 1 < len(siblings):
        page.pair("after it", siblings[at + 1].title, "dim")


def _absent(page: Page, section: Section) -> None:
    found = [piece for piece in section.absent if is_users(piece.origin)]
    if not found:
        return
    page.block(f"Left out: {len(found)}")
    for piece in found:
        if lines := lines_of(piece.origin):
            page.line(Span("✂ ", "more"), Span(lines), hang=2)
        else:
            first = next((line for line in piece.text.splitlines() if line.strip()), piece.text)
            page.line(Span("✗ ", "error"), Span(first.strip()[:120], "dim"), hang=2)
        page.line(*spans_of(page.shorten(piece.why.text)), indent=3)
        for lever in page.inputs.folded(piece.why.levers)[:1]:
            page.line(Span(f"{lever.param} → {page.inputs.label(lever.param, lever.value)}", "faint"), indent=3)


# --- tools and files -----------------------------------------------------------------------------------------------


def _tool(page: Page, subject: ToolSubject) -> None:
    """A tool with its description and parameters."""
    tool = next((each for each in page.assembly.tools if each.name == subject.name), None)
    if tool is None:
        return
    page.heading(tool.name)
    page.why(tool)
    if tool.present:
        _tool_tokens(page, tool)
    if tool.tokens.loaded is not None:
        page.line(Span(f"{difference(tool.tokens.loaded)} tok once the agent loads it", "dim"))
    page.line(Span(tool.group, "tool"), Span(f"  {tool.variant}" if tool.variant else "", "dim"))
    page.change(tool.why, tool.present)
    if tool.waits:
        page.reason(tool.waits, "Why it is only named")
        page.change(tool.waits, False, title="To send it right away")
    edits_block(page, subject)
    page.rewritten(rewriters(tool, page.assembly), tool)
    page.quirks(quirks_of(tool, page.assembly))
    _parameters(page, tool)
    if tool.description:
        page.block("Description")
        _tool_source(page, tool)
        for line in tool.description.strip().splitlines():
            page.line(line)
    if tool.input_schema is not None:
        page.block("Schema")
        for line in json.dumps(tool.input_schema, indent=2, ensure_ascii=False).splitlines():
            page.line(Span(line, "dim"))


def _parameters(page: Page, tool: Tool) -> None:
    if tool.parameters:
        page.block("Parameters")
    for parameter in tool.parameters:
        words: list[Span | str] = [Span(parameter.name, "text" if parameter.present else "faint")]
        words.append(Span("  required" if parameter.required else "  optional", "dim"))
        if not parameter.present and parameter.why:
            words += ["  ", *spans_of(parameter.why.text)]
        page.line(Span("· " if parameter.present else "✗ ", "faint"), *words, hang=2)


def _tool_tokens(page: Page, tool: Tool) -> None:
    """Its tokens, and what they are made of."""
    parts = tool_parts(tool)
    _sizes(page, tool.expected_tokens, tool.confidence)
    if parts.schema:
        _of_which(page, (parts.description, "description"), (parts.schema, "schema"))


def _tool_source(page: Page, tool: Tool) -> None:
    """Where its text is, and of a learned one in how many runs it was seen."""
    name, origin = f"tools.{tool.name}", tool.learned_from
    if origin is None:
        text_source(page, name)
        return
    page.line(Span(ORIGINS["learned"].why), Span(f"  {origin.name}" if origin.name else "", "dim"))
    learned_source(page, name, origin)


def _server(page: Page, subject: ServerSubject) -> None:
    """An MCP server: what it takes, how that is known, its tools."""
    server = page.assembly.server(subject.name)
    if server is None:
        return
    page.heading(server.name)
    page.why(server)
    page.line(Span(GROUP, "tool"), Span(f"  {offer(server)}", "dim"))
    page.change(server.why, server.present)
    if server.known:
        page.block("Cost")
        page.pair("in all", f"{number(server.tokens.expected)} tok", "strong")
        page.line(parts(server))
        page.pair("known", server.known)
    own = [tool for tool in page.assembly.tools if tool.server == server.name]
    if own:
        page.block("Tools")
    for tool in own:
        state = "" if tool.present else tool.variant or "not sent"
        words: list[Span | str] = [
            tool.name,
            Span(f"  {number(tool.expected_tokens)} tok", "dim"),
            Span(f"  {state}", "faint"),
        ]
        page.link(words, GoTo("tools", ToolSubject(tool.name)))


def _file(page: Page, subject: FileSubject) -> None:
    file = next((each for each in page.assembly.files if each.path == subject.path), None)
    if file:
        _file_page(page, file)
        around(page, file)
    else:
        lazy_page(page, subject.path)


def _file_page(page: Page, file: SourceFile) -> None:
    """A file that was looked for."""
    assembly, lazy_rules = page.assembly, page.snapshot.lazy_rules
    rule = lazy_rules.of(file.path) if lazy_rules else None
    page.heading(file.path)
    page.why(file, lazy_rules.why(rule) if lazy_rules and rule and not file.present else "")
    _kind(page, file)
    if lazy_rules and rule and not file.present:
        to_see(page, rule, lazy_rules)
    else:
        page.change(file.why, file.present, by_hand(file))
    _views(page, (view for view in assembly.views if view.path == file.path))
    if lazy_rules and rule:
        loading(page, rule, lazy_rules.listing)
    if file.bytes or file.present:
        size_block(page, file)
        page.block("Source")
        page.link([Span("open ", "text"), Span(page.shorten(file.path), "file")], OpenSource(file.real_path, 1))
    page.rewritten(rewriters(file, assembly), file)
    page.quirks(quirks_of(file, assembly))
    if file.imported_by:
        page.pair("imported by", file.imported_by)
    users = [s for s in assembly.sections if any(f.origin.path in (file.path, file.real_path) for f in s.fragments)]
    if users:
        page.block("Used in")
        for section in users:
            page.place(section)
        page.line(Span("whole sections, with headings and wording around the file's own text", "faint"))
    if file.present:
        file_cache(page, file)
    for found in assembly.diagnostics:
        if found.path in (file.path, file.real_path):
            page.block("Diagnostic")
            line = f"line {found.line}: " if found.line else ""
            page.line(Span(f"⚠ {line}{found.message}", "warn"), Span(f"  {found.code}", "faint"), hang=2)


def _kind(page: Page, file: SourceFile) -> None:
    """What a file is, and how the agent reads those of its kind."""
    page.line(Span(file.kind, "file"), Span(f"  {file.load}"))
    if sequence := page.inputs.agent.sequence(file.kind):
        page.line(Span(f"read {sequence}", "dim"))


_PAGES: Mapping[type, Callable[[Page, Any], None]] = {
    BlockSubject: block_page,
    ChangeSubject: _changes,
    Cursor: _cursor,
    DiagnosticSubject: diagnostic_page,
    FileSubject: _file,
    FolderSubject: folder_page,
    ProgramSubject: program_page,
    ServerSubject: _server,
    SwitchSubject: switch_page,
    ToolSubject: _tool,
    WindowSubject: window_page,
}
"""What makes the page of each kind of subject."""
