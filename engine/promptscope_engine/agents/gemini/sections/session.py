"""What lists decide of the session context, the first part of the first content (specs/gemini.md 4, 5.4, 8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from promptscope_engine.agents.gemini.materials import ContextFile, Materials, McpServer
from promptscope_engine.agents.gemini.scope import text
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Later, Piece, SectionDraft, computed, label

from .memory import entries


def tree_sections(m: Materials) -> Iterator[SectionDraft]:
    """The structure of each folder."""
    for number, tree in enumerate(m.trees, 1):
        lines = f"{tree.folder.rstrip('/')}/\n" + "\n".join(tree.lines)
        pieces = text(m, "tree", tree={"is_cut": tree.is_cut, "lines": computed("tree", lines)})
        gap = () if number == len(m.trees) else (label("\n"),)
        yield _section(f"session.tree:{tree.folder}", f"Structure of {tree.folder}", (*pieces, *gap), m.gates["tree"])


def _section(section_id: str, title: str, pieces: Iterable[Piece], when: Condition) -> SectionDraft:
    place = FOLDER.place("session")
    return SectionDraft(section_id, title, Later(pieces), None, when, place, "session", parent="session")


def loaded_sections(m: Materials) -> Iterator[SectionDraft]:
    """Extensions' files, the project's, and servers' instructions, in their tags (5.4)."""
    groups = (
        ("extension_context", m.placed("extension"), ()),
        ("project_context", m.placed("project"), tuple(s for s in m.servers if s.instructions)),
    )
    present = [(tag, files, servers) for tag, files, servers in groups if files or servers]
    there = _any(m, bool(present))
    opening = f"\n<loaded_context>\n<{present[0][0]}>\n" if present else "\n<loaded_context>\n"
    yield _section("memory.open", "Loaded context", (label(opening),), there)
    for number, (tag, files, servers) in enumerate(present):
        if number:
            title = tag.replace("_", " ").capitalize()
            yield _section(f"memory.open:{tag}", title, (label(f"\n</{present[number - 1][0]}>\n<{tag}>\n"),), there)
        for at, file in enumerate(files):
            yield _file(file, "\n\n" if at else "")
        for at, server in enumerate(servers):
            yield _instructions(server, "\n\n" if at or files else "")
    closing = f"\n</{present[-1][0]}>\n</loaded_context>" if present else "\n</loaded_context>"
    yield _section("memory.close", "End of the loaded context", (label(closing),), there)


def _any(m: Materials, ok: bool) -> Condition:
    remedy = f"write something into {m.inputs.workspace.rstrip('/')}/{m.names[0]}, in a trusted folder"
    yes, no = "context files are loaded", "there is no context file of the project or of an extension"
    return Observed("file", "loaded context", ok, yes, no, remedy=remedy)


def _file(file: ContextFile, gap: str) -> SectionDraft:
    pieces = (*((label(gap),) if gap else ()), *entries((file,)))
    remedy = f"empty or remove {file.path}"
    when = Observed("file", file.path, True, "the file was found", "", remedy=remedy)
    return _section(f"memory.{file.place}:{file.path}", file.path, pieces, when)


def _instructions(server: McpServer, gap: str) -> SectionDraft:
    pieces = (
        label(f"{gap}The following are instructions provided by the tool server '"),
        computed("mcp.server", server.name),
        label("':\n---[start of server instructions]---\n"),
        computed("mcp.instructions", server.instructions),
        label("\n---[end of server instructions]---"),
    )
    remedy = f"disconnect {server.name}"
    when = Observed("mcp", server.name, True, f"{server.name} sent instructions", "", remedy=remedy)
    return _section(f"mcp_instructions:{server.name}", f"Instructions of {server.name}", pieces, when)
