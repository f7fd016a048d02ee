"""What is under the cursor: what `y` copies of it, what `e` opens, where enter leads."""

import json
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Section, Tool, to_json
from promptscope_engine.wire.request import WireBlock
from promptscope_engine.workspace.paths import path_in
from promptscope_tui.session.snapshot import Change, GoTo, OpenSource, Snapshot
from promptscope_tui.text.words import difference, number
from promptscope_tui.views.change_words import change_title
from promptscope_tui.views.why.page import learned_place, text_place
from promptscope_tui.views.why.parts import file_of

from .subjects import (
    BlockSubject,
    ChangeSubject,
    Cursor,
    DiagnosticSubject,
    FileSubject,
    ProgramSubject,
    Subject,
    ToolSubject,
    blocks,
)

Read = Callable[[str], str | None]
"""The text of a file by its real path; None where it cannot be read."""


class CopyText(Struct, frozen=True):
    """A text to copy, and what it is."""

    name: str
    text: str


def part_of(subject: Subject | None, assembly: Assembly | None) -> Section | Tool | None:
    """The section or the tool that is meant."""
    match subject:
        case Cursor(section_id=str(section_id)) if assembly:
            return assembly.section(section_id)
        case ToolSubject(name) if assembly:
            return next((tool for tool in assembly.tools if tool.name == name), None)
    return None


def copy_text(subject: Subject | None, snapshot: Snapshot, read: Read) -> CopyText | None:
    """What copying takes; None if there is nothing."""
    assembly = snapshot.assembly
    if assembly is None:
        return None
    found: CopyText | None = None
    match subject:
        case ToolSubject(name):
            tool = next((t for t in assembly.tools if t.name == name), None)
            found = CopyText(name, tool_text(tool)) if tool else None
        case FileSubject(path):
            text = read(on_disk(path, assembly))
            found = None if text is None else CopyText(path, text)
        case BlockSubject():
            block = blocks(assembly.request).get(subject)
            found = None if block is None else CopyText("the block", block.text)
        case ChangeSubject(index):
            changes = snapshot.changes[index : index + 1]
            found = CopyText("the change", change_text(changes[0], assembly)) if changes else None
        case ProgramSubject(index) if index < len(assembly.programs):
            found = CopyText("the program", assembly.programs[index].name)
        case DiagnosticSubject(index):
            told = assembly.diagnostics[index]
            place = f"{told.path}:{told.line or 1}: " if told.path else ""  # as editors and linters read it
            found = CopyText("the message", f"{place}{told.message} ({told.code})")
        case Cursor():
            section = assembly.section(subject.section_id) if subject.section_id else None
            found = CopyText(section.title, whole_text(section, assembly)) if section and section.present else None
    return found


def tool_text(tool: Tool) -> str:
    """A tool as the model sees it: its description, and its schema if it has one."""
    if tool.input_schema is None:
        return tool.description
    wire = {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    return json.dumps(wire, indent=2, ensure_ascii=False)


def whole_text(section: Section, assembly: Assembly) -> str:
    """A section with what is nested in it."""
    return "".join(each.text for each in assembly.family(section))


def change_text(change: Change, assembly: Assembly) -> str:
    """A change as a unified diff by sections, below what it is called."""
    parts = ["".join(change_title(change, assembly)) + f"  {difference(change.tokens)} tokens\n"]
    parts += [f"{c.title} ({c.change})\n" + "".join(f"{line}\n" for line in c.unified()) for c in change.sections]
    return "\n".join(parts)


def place(subject: Subject | None, snapshot: Snapshot) -> OpenSource | None:
    """The file and line that the editor opens; None if there is no source file."""
    assembly = snapshot.assembly
    if assembly is None:
        return None
    found: OpenSource | None = None
    match subject:
        case FileSubject(path):
            found = OpenSource(path)
        case DiagnosticSubject(index) if index < len(assembly.diagnostics):
            problem = assembly.diagnostics[index]
            found = OpenSource(problem.path, problem.line or 1) if problem.path else None
        case ProgramSubject(index) if index < len(assembly.programs):
            program = assembly.programs[index]
            found = OpenSource(program.path, program.line or 1) if program.path else None
        case ChangeSubject(index) if index < len(snapshot.changes):
            found = _changed_place(snapshot.changes[index], assembly)
        case Cursor(path=str(path), line=line):
            found = OpenSource(path, line or 1)
        case ToolSubject(name):
            found = _tool_place(name, assembly)
        case Cursor(section_id=str()):
            found = next(_wording_under(subject, assembly), None)
    return found


def _wording_under(cursor: Cursor, assembly: Assembly) -> Iterator[OpenSource]:
    """Where the agent's wording under the cursor is among its texts, or the first one of the section."""
    section, agent = assembly.section(str(cursor.section_id)), load_agent(assembly.agent)
    if section is None:
        return
    parts = section.absent if cursor.kind == "absent" else section.fragments
    at = cursor.fragment or 0
    origins = [part.origin for part in (*parts[at : at + 1], *(parts if cursor.fragment is None else ()))]
    for origin in origins:
        learned = learned_place(assembly, section.id, origin)
        if found := learned or (text_place(agent, origin.id) if origin.id else None):
            yield found
    tool = next((tool.name for tool in assembly.tools if tool.section == section.id), None)
    for name in (section.id, f"tools.{tool}"):
        if found := text_place(agent, name):
            yield found


def _tool_place(name: str, assembly: Assembly) -> OpenSource | None:
    """Where a tool's text is among the learned ones, or else among the agent's."""
    part = f"tools.{name}"
    origin = next((tool.learned_from for tool in assembly.tools if tool.name == name), None)
    return learned_place(assembly, part, origin) or text_place(load_agent(assembly.agent), part)


def _changed_place(change: Change, assembly: Assembly) -> OpenSource | None:
    """The first changed line that is still in the prompt and comes from a file; else the file's first line."""
    for part in change.sections:
        section = assembly.section(part.id)
        if section is None or section.text != part.after:
            continue
        alike = zip(part.before, part.after, strict=False)
        offset = next((n for n, (was, now) in enumerate(alike) if was != now), min(len(part.before), len(part.after)))
        for fragment in section.fragments:
            if offset < len(fragment.text) and fragment.origin.path:
                line = (fragment.origin.start_line or 1) + fragment.text.count("\n", 0, offset)
                return OpenSource(fragment.origin.path, line)
            offset -= len(fragment.text)
            if offset < 0:
                break
    return OpenSource(change.paths[0]) if change.paths else None


def on_disk(path: str, assembly: Assembly | None) -> str:
    """A file's real path: one that the agent shows is looked up among the files of the assembly."""
    if assembly is None:
        return path
    real = next((f.real_path for f in assembly.files if path in (f.path, f.real_path)), path)
    return path_in(assembly.workspace, real)


def of_file(path: str, assembly: Assembly) -> GoTo | None:
    """The first line of the prompt that comes from a file; None if none does."""
    file = file_of(path, assembly)
    paths = {path} if file is None else {file.path, file.real_path}
    for section in assembly.sections:
        before = 0
        for fragment in section.fragments if section.present else ():
            if fragment.origin.kind == "file" and fragment.origin.path in paths:
                return GoTo("prompt", section.id, section.text.count("\n", 0, before) + 1)
            before += len(fragment.text)
    return None


def of_tool(name: str, assembly: Assembly) -> GoTo | None:
    """The panel of the section that describes a tool, else its block of the request.

    None for an absent tool that no section would describe.
    """
    tool = next((tool for tool in assembly.tools if tool.name == name), None)
    if tool is None:
        return None
    if tool.section is not None:
        return GoTo("prompt", tool.section)
    tools = ((subject, block) for subject, block in blocks(assembly.request).items() if block.field == "tools")
    found = next((subject for subject, block in tools if name in _names(block.value)), None)
    return None if found is None else GoTo("request", found)


def _names(block: Mapping[str, Json]) -> set[str]:
    """The names of the tools in a block: one, or those of a namespace with its name in front."""
    name, inner = str(block.get("name", block.get("type", ""))), block.get("tools")
    tools = [tool for tool in inner if isinstance(tool, dict)] if isinstance(inner, list) else []
    return {name, *(f"{name}.{tool.get('name', '')}" for tool in tools)}


def of_row(key: object, snapshot: Snapshot) -> GoTo | None:
    """Where enter on a table's row leads; None if nowhere."""
    assembly = snapshot.assembly
    if assembly is None:
        return None
    found: GoTo | None = None
    match key:
        case GoTo():
            found = key
        case FileSubject(path):
            found = of_file(path, assembly)
        case ToolSubject(name):
            found = of_tool(name, assembly)
        case DiagnosticSubject(index) if index < len(assembly.diagnostics):
            place = assembly.diagnostics[index].path
            found = of_file(place, assembly) if place else None
        case ChangeSubject(index) if index < len(snapshot.changes):
            sections = snapshot.changes[index].sections
            found = GoTo("prompt", sections[0].id if sections else None)
    return found


class Copying(Struct, frozen=True):
    """A way to copy: what it takes in words, and how it is made."""

    detail: str
    make: Callable[[Assembly], CopyText]


def system_prompt(assembly: Assembly) -> CopyText:
    """The system prompt, and how much of the request it is."""
    tokens = assembly.tokens
    part = f"the system prompt ({number(tokens.by_channel.get('system'))} of {number(tokens.total)} tok)"
    return CopyText(part, assembly.system_text)


def request_text(assembly: Assembly) -> CopyText:
    """The whole request as text: each block under a line that says what it is."""
    parts = []
    for subject, block in blocks(assembly.request).items():
        ending = "" if block.text.endswith("\n") else "\n"
        parts.append(f"=== {_name(subject, block)} ===\n{block.text}{ending}")
    return CopyText(f"the whole request ({number(assembly.tokens.total)} tok) as text", "\n".join(parts))


def request_json(assembly: Assembly) -> CopyText:
    """The whole request as JSON, as it is sent but for line breaks."""
    body = to_json(assembly.request)
    assert isinstance(body, dict)
    fields = {name: value for name, value in body.items() if name != "protocol"}
    text = json.dumps(fields, indent=2, ensure_ascii=False) + "\n"
    return CopyText(f"the whole request ({number(assembly.tokens.total)} tok) as JSON", text)


COPIES: Mapping[str, Copying] = {
    "System prompt": Copying("what the agent says first", system_prompt),
    "Whole request as text": Copying("system, messages and tools", request_text),
    "Whole request as JSON": Copying("system, messages and tools", request_json),
}
"""What is offered, by its name."""


def _name(at: BlockSubject, block: WireBlock) -> str:
    if at.field == "tools":
        return f"tool {block.value.get('name', block.value.get('type', ''))}"
    part = f", part {at.part + 1}" if at.part else ""
    role = f", {block.role}" if block.role else ""
    return f"{'system' if at.field == 'system' else 'message'} {at.number + 1}{part}{role}"
