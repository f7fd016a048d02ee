"""What Why says about each kind of subject: pure functions from a snapshot to a page of rows."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from promptscope_engine.insight.comparison import SectionChange, changed_sections
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.prompt.model import (
    AbsentFragment,
    Assembly,
    Confidence,
    Fragment,
    Origin,
    Section,
    SourceFile,
    Tool,
    View,
)
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.intents import ApplyLevers, GoTo, OpenSource
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Row, Span, Tone, paragraph, signed
from promptscope_tui.text.totals import family_confidence, own_text, sections_sum, with_nested
from promptscope_tui.text.words import (
    MARKS,
    ORIGINS,
    injected_of,
    lines_of,
    number,
    origins,
    percent,
    short_path,
    short_text,
    total,
)
from promptscope_tui.views.subjects import (
    BlockSubject,
    ChangeSubject,
    Cursor,
    DiagnosticSubject,
    FileSubject,
    Subject,
    SwitchSubject,
    ToolSubject,
    WindowSubject,
)

from .files import around, file_behind, file_of, lazy_page, loading, on_demand, section_sizes, size_block
from .page import Page, sentence, text_source
from .request import block_page, diagnostic_page, file_cache, section_cache
from .switch import edits_block, switch_page, window_page

CONFIDENCE: dict[Confidence, str] = {
    "exact": "exact: the agent's own text and a known tokenizer",
    "stand-in": "stand-in: our own wording, scaled to the agent's measured size",
    "estimated": "estimate: the model's tokenizer is not public",
}

_ABSENT_LINES = 400
"""Of text that was left out: a file of megabytes may have been cut."""
_DIFF_LINES = 40
_DIFF_TONES: dict[str, Tone] = {"+": "good", "-": "error", "@": "faint"}


def why_page(subject: Subject | None, snapshot: Snapshot, inputs: AgentInputs) -> Page:
    """The page for a subject; a hint if there is none, or if it is gone."""
    assembly = snapshot.assembly
    page = Page(lambda text: short_text(text, assembly)) if assembly else Page()
    if assembly is None:
        page.line(Span("There is no prompt yet.", "dim"))
        return page
    if subject is None or subject == Cursor():
        page.line(Span("Select a section, a tool, a file or a switch to see why.", "dim"))
    else:
        _PAGES[type(subject)](page, subject, snapshot, inputs)
    if not page.rows:
        page.line(Span("It is no longer in this prompt.", "dim"))
    return page


def _window(page: Page, _: WindowSubject, snapshot: Snapshot, __: AgentInputs) -> None:
    window_page(page, shown_in(snapshot))


def _switch(page: Page, subject: SwitchSubject, snapshot: Snapshot, inputs: AgentInputs) -> None:
    switch_page(page, subject, snapshot, shown_in(snapshot), inputs)
    edits_block(page, subject, snapshot)


def _tool(page: Page, subject: ToolSubject, snapshot: Snapshot, inputs: AgentInputs) -> None:
    tool = next((each for each in shown_in(snapshot).tools if each.name == subject.name), None)
    if tool:
        tool_page(page, tool, snapshot, inputs)


def _file(page: Page, subject: FileSubject, snapshot: Snapshot, inputs: AgentInputs) -> None:
    assembly = shown_in(snapshot)
    file = next((each for each in assembly.files if each.path == subject.path), None)
    if file:
        file_page(page, file, assembly, inputs, snapshot.lazy_rules)
        around(page, file, snapshot)
    elif snapshot.lazy_rules:
        lazy_page(page, subject.path, snapshot.lazy_rules, assembly)


def _block(page: Page, subject: BlockSubject, snapshot: Snapshot, _: AgentInputs) -> None:
    block_page(page, subject, shown_in(snapshot))


def _diagnostic(page: Page, subject: DiagnosticSubject, snapshot: Snapshot, _: AgentInputs) -> None:
    for found in shown_in(snapshot).diagnostics[subject.index : subject.index + 1]:
        diagnostic_page(page, found)


def _changes(page: Page, subject: ChangeSubject, snapshot: Snapshot, _: AgentInputs) -> None:
    for found in snapshot.changes[subject.index : subject.index + 1]:
        for change in found.sections:
            _change(page, change)


def _cursor(page: Page, subject: Cursor, snapshot: Snapshot, inputs: AgentInputs) -> None:
    assembly = shown_in(snapshot)
    section = assembly.section(subject.section_id) if subject.section_id else None
    if subject.kind == "tools":
        _beside_page(page, assembly)
    elif section is not None and subject.kind == "absent" and subject.fragment is not None:
        if subject.fragment < len(section.absent):
            absent_page(page, section, section.absent[subject.fragment], inputs)
    elif section is not None:
        section_page(page, section, subject, snapshot, inputs)


_PAGES: Mapping[type, Callable[[Page, Any, Snapshot, AgentInputs], None]] = {
    BlockSubject: _block,
    ChangeSubject: _changes,
    Cursor: _cursor,
    DiagnosticSubject: _diagnostic,
    FileSubject: _file,
    SwitchSubject: _switch,
    ToolSubject: _tool,
    WindowSubject: _window,
}
"""What makes the page of each kind of subject."""


def shown_in(snapshot: Snapshot) -> Assembly:
    """The assembly of a snapshot that has one."""
    assert snapshot.assembly is not None
    return snapshot.assembly


# --- a section -------------------------------------------------------------------------------------------------------


def absent_page(page: Page, section: Section, piece: AbsentFragment, inputs: AgentInputs) -> None:
    """Text that the section could have and lacks."""
    page.heading(f"Not in {section.title}")
    page.reason(piece.why, False, inputs)
    lines = piece.text.strip().splitlines()
    page.block(f"It would say, {lines_of(piece.origin)}" if lines_of(piece.origin) else "It would say")
    for line in lines[:_ABSENT_LINES]:
        page.line(Span(line, "dim"))
    if len(lines) > _ABSENT_LINES:
        page.line(Span(f"… {len(lines) - _ABSENT_LINES:,} more lines", "faint"))
    text_source(page, inputs.agent, piece.origin.id)


def section_page(page: Page, section: Section, subject: Cursor, snapshot: Snapshot, inputs: AgentInputs) -> None:
    """A section, or the part of it under the cursor."""
    assembly, fragment = shown_in(snapshot), subject.fragment
    page.heading(section.title)
    tool = next((t for t in assembly.tools if t.section == section.id), None)
    if section.present or any(child.present for child in assembly.children(section.id)):
        _section_tokens(page, section, assembly)
    if fragment is not None and fragment < len(section.fragments):
        _fragment(page, section.fragments[fragment], section, assembly, inputs)
    page.reason(tool.why if tool else section.why, section.present, inputs)
    if not section.present:
        return
    edits_block(page, subject, snapshot)
    _views(page, (view for view in assembly.views if view.section == section.id))
    _sources(page, section, assembly)
    section_sizes(page, section, assembly)
    on_demand(page, section, assembly)
    _baseline(page, section, snapshot)
    _neighbours(page, section, assembly)
    if file := file_behind(subject, assembly):
        around(page, file, snapshot)
    _absent(page, section, inputs)
    page.block("Measure")
    page.pair("our text", f"{number(section.tokens)} tok, {section.chars:,} characters")
    page.pair("real agent", "not measured" if section.reference_tokens is None else f"{section.reference_tokens:,} tok")
    page.pair(
        "changes", {"static": "never", "session": "with each session", "turn": "with each turn"}[section.stability]
    )
    page.line(Span(CONFIDENCE[section.confidence], "faint"))
    section_cache(page, section, assembly, inputs.agent)


def _beside_page(page: Page, assembly: Assembly) -> None:
    """The tools that are sent beside the prompt."""
    tools = assembly.tools_beside
    page.heading("Tools, sent beside the prompt")
    page.line("They are not part of the system prompt: the request has its own field for them, sent each time.")
    page.block("Adding up")
    for line in sections_sum(assembly).lines():
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


def _sizes(page: Page, tokens: int | None, confidence: Confidence, assembly: Assembly) -> None:
    share = percent(tokens, assembly.tokens.expected)
    page.line(f"{MARKS[confidence]} {number(tokens)} tok", Span(f"  {confidence}  {share}".rstrip(), "dim"))


def _section_tokens(page: Page, section: Section, assembly: Assembly) -> None:
    """A section's tokens as its row shows them: with what is nested in it, its own text apart."""
    nested = [child for child in assembly.children(section.id) if child.present]
    if not nested:
        _sizes(page, section.expected_tokens, section.confidence, assembly)
    else:
        _sizes(page, with_nested(section, assembly), family_confidence(section, assembly), assembly)
        page.pair("own text", f"{number(section.expected_tokens if section.present else 0)} tok", "dim")
        page.pair("nested", f"{number(total(with_nested(child, assembly) for child in nested))} tok", "dim")
    own = own_text(section, assembly)
    if own is not None and section.expected_tokens is not None:
        page.pair("your files", f"{own:,} tok, own text as injected", "dim")
        page.pair("around it", f"{section.expected_tokens - own:,} tok, headings and wording", "dim")


def _fragment(page: Page, fragment: Fragment, section: Section, assembly: Assembly, inputs: AgentInputs) -> None:
    origin = fragment.origin
    page.block("Under the cursor")
    name = origin.name or origin.id or ""
    page.line(Span(ORIGINS[origin.kind].why), Span(f"  {name}", "param" if origin.name else "faint"))
    if origin.kind == "file":
        _source(page, origin, assembly)
    elif origin.kind in ("builtin", "label", "learned"):
        text_source(page, inputs.agent, origin.id)
    if fragment.why is not None and fragment.why.condition is not None:
        page.reason(fragment.why, True, inputs)
        page.block(f"All of {page.shorten(section.title)}")


def _sources(page: Page, section: Section, assembly: Assembly) -> None:
    """The files behind the section and its children, each with its lines."""
    parts = [section, *assembly.children(section.id)]
    files = [origin for origin in origins(f for part in parts for f in part.fragments) if origin.path]
    if files:
        page.block("Sources")
    for origin in files:
        _source(page, origin, assembly)


def _source(page: Page, origin: Origin, assembly: Assembly) -> None:
    assert origin.path is not None
    file = file_of(origin.path, assembly)
    note = f"{file.kind}, {injected_of(file)}" if file else ""
    page.source(
        short_path(origin.path, assembly),
        file.real_path if file else origin.path,
        origin.start_line,
        origin.end_line,
        note,
    )
    if file and file.truncated:
        page.line(Span("truncated", "warn"), indent=3)


def _baseline(page: Page, section: Section, snapshot: Snapshot) -> None:
    if snapshot.compared is None or snapshot.assembly is None:
        return
    found = [c for c in changed_sections(snapshot.compared, snapshot.assembly) if c.id == section.id]
    if found:
        page.block("Since the baseline" if snapshot.pinned else "Since the last change")
        _diff(page, found[0])


def _change(page: Page, change: SectionChange) -> None:
    page.heading(change.title)
    _diff(page, change)
    page.rows.append(paragraph())


def _diff(page: Page, change: SectionChange) -> None:
    page.rows.append(paragraph(Span(f" {change.change} ", "dim"), signed(change.tokens), Span(" tok", "dim")))
    lines = change.unified()
    page.rows += [diff_row(line) for line in lines[:_DIFF_LINES]]
    if len(lines) > _DIFF_LINES:
        page.line(Span(f"… {len(lines) - _DIFF_LINES} more lines", "faint"))


def diff_row(line: str, indent: int = 3) -> Row:
    """A line of a unified diff, its mark and its colour saying the same."""
    tone: Tone = _DIFF_TONES.get(line[:1], "dim")
    return paragraph(Span(" " * (indent - 2) + line, tone), indent=indent)


def _neighbours(page: Page, section: Section, assembly: Assembly) -> None:
    siblings = [s for s in assembly.sections if s.parent == section.parent and s.present]
    at = next(n for n, each in enumerate(siblings) if each is section)
    parent = assembly.section(section.parent) if section.parent else None
    page.block("Where")
    page.line(f"part {at + 1} of {len(siblings)} in ", Span(parent.title if parent else "the prompt"))
    if at > 0:
        page.pair("before it", siblings[at - 1].title, "dim")
    if at + 1 < len(siblings):
        page.pair("after it", siblings[at + 1].title, "dim")


def _absent(page: Page, section: Section, inputs: AgentInputs) -> None:
    if not section.absent:
        return
    page.block(f"Left out: {len(section.absent)}")
    for piece in section.absent:
        if lines := lines_of(piece.origin):
            page.line(Span("✂ ", "more"), Span(lines), hang=2)
        else:
            first = next((line for line in piece.text.splitlines() if line.strip()), piece.text)
            page.line(Span("✗ ", "error"), Span(first.strip()[:120], "dim"), hang=2)
        page.line(*sentence(page.shorten(piece.why.text)), indent=3)
        for lever in inputs.folded(piece.why.levers)[:1]:
            page.line(Span(f"{lever.param} → {inputs.label(lever.param, lever.value)}", "faint"), indent=3)


# --- tools and files -----------------------------------------------------------------------------------------------


def tool_page(page: Page, tool: Tool, snapshot: Snapshot, inputs: AgentInputs) -> None:
    """A tool with its description and parameters."""
    assembly = shown_in(snapshot)
    page.heading(tool.name)
    if tool.present:
        _sizes(page, tool.expected_tokens, tool.confidence, assembly)
    page.line(Span(tool.group, "tool"), Span(f"  {tool.variant}" if tool.variant else "", "dim"))
    page.reason(tool.why, tool.present, inputs)
    edits_block(page, ToolSubject(tool.name), snapshot)
    if tool.parameters:
        page.block("Parameters")
    for parameter in tool.parameters:
        words: list[Span | str] = [Span(parameter.name, "text" if parameter.present else "faint")]
        words.append(Span("  required" if parameter.required else "  optional", "dim"))
        if not parameter.present and parameter.why:
            words += ["  ", *sentence(parameter.why.text)]
        page.line(Span("· " if parameter.present else "✗ ", "faint"), *words, hang=2)
    page.block("Cost of our text")
    page.pair("prompt", f"{number(tool.tokens.prompt)} tok")
    page.pair("schema", f"{number(tool.tokens.schema)} tok")
    page.pair("real agent", "not measured" if tool.reference_tokens is None else f"{tool.reference_tokens:,} tok")
    if tool.description:
        page.block("Description")
        text_source(page, inputs.agent, f"tools.{tool.name}")
        for line in tool.description.strip().splitlines():
            page.line(line)
    if tool.input_schema is not None:
        page.block("Schema")
        for line in json.dumps(tool.input_schema, indent=2, ensure_ascii=False).splitlines():
            page.line(Span(line, "dim"))


def file_page(
    page: Page, file: SourceFile, assembly: Assembly, inputs: AgentInputs, lazy_rules: LazyRules | None = None
) -> None:
    """A file that was looked for."""
    page.heading(file.path)
    page.line(Span(file.kind, "file"), Span(f"  {file.load}"))
    page.reason(file.why, file.present, inputs)
    _views(page, (view for view in assembly.views if view.path == file.path))
    if lazy_rules and (rule := lazy_rules.of(file.path)):
        loading(page, rule, lazy_rules, assembly)
    if file.bytes or file.present:
        size_block(page, file)
        page.block("Source")
        page.link([Span("open ", "text"), Span(page.shorten(file.path), "file")], OpenSource(file.real_path, 1))
    if file.imported_by:
        page.pair("imported by", file.imported_by)
    users = [s for s in assembly.sections if any(f.origin.path in (file.path, file.real_path) for f in s.fragments)]
    if users:
        page.block("Used in")
        for section in users:
            page.place(section)
        page.line(Span("whole sections, with headings and wording around the file's own text", "faint"))
    if file.present:
        file_cache(page, file, assembly, inputs.agent)
    for found in assembly.diagnostics:
        if found.path in (file.path, file.real_path):
            page.block("Diagnostic")
            line = f"line {found.line}: " if found.line else ""
            page.line(Span(f"⚠ {line}{found.message}", "warn"), Span(f"  {found.code}", "faint"), hang=2)
