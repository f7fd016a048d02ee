"""Where a thing stands in the app's other tabs: what enter and the links of Why lead to."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.intents import GoTo
from promptscope_tui.session.snapshot import Snapshot

from .request import wire_blocks
from .subjects import ChangeSubject, DiagnosticSubject, FileSubject, ToolSubject
from .why.file import file_of


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
    """The panel of the section that describes a tool, else its block of the request; None for an absent one that no
    section would describe."""
    tool = next((tool for tool in assembly.tools if tool.name == name), None)
    if tool is None:
        return None
    if tool.section is not None:
        return GoTo("prompt", tool.section)
    blocks = ((subject, block) for subject, block in wire_blocks(assembly.request).items() if subject.field == "tools")
    found = next((subject for subject, block in blocks if name in _names(block)), None)
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
    match key:
        case GoTo():
            return key
        case FileSubject(path):
            return of_file(path, assembly)
        case ToolSubject(name):
            return of_tool(name, assembly)
        case DiagnosticSubject(index) if index < len(assembly.diagnostics):
            place = assembly.diagnostics[index].path
            return of_file(place, assembly) if place else None
        case ChangeSubject(index) if index < len(snapshot.changes):
            sections = snapshot.changes[index].sections
            return GoTo("prompt", sections[0].id) if sections else None
    return None
