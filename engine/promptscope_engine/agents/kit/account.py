"""`context` for an agent that prints no account of its window by parts: `[account]` of agent.toml says which there are.

Its `rows` stand in the order of the account. `sections` are ids, or what ids begin with up to a dot or colon; a section
below one of them belongs to it as well, and `channel` takes what is left of a channel, `messages` of all. `server_tool`
is how the names of servers' tools look, among the group MCP.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Protocol

from promptscope_engine.agents.features import Category, ContextReport
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Section, Tool

from .folder import Folder
from .sources import Table


class Accounted(Protocol):
    """A subclass has the folder."""

    @property
    def folder(self) -> Folder: ...

    def context(self, assembly: Assembly, _params: Mapping[str, Json]) -> ContextReport:
        """Where the tokens of the first request go, and where the conversation is compressed."""
        table, window = self.folder.agent["account"], assembly.tokens
        tokens = dict.fromkeys((row["name"] for row in table["rows"]), 0)
        for name, part in _parts(assembly, table):
            tokens[name] += part.expected_tokens or 0
        rows = [Category(row["name"], tokens[row["name"]], kind=row["kind"]) for row in table["rows"]]
        free = max(window.window - window.reserve - sum(tokens.values()), 0)
        rows.append(Category("Free space", free, used=False, kind="free"))
        return ContextReport(
            tuple(row for row in rows if row.tokens), window.window, window.reserve, window.compact_at,
            remark=table.get("remark", ""), compaction=window.compaction,
        )  # fmt: skip


def _parts(assembly: Assembly, table: Table) -> Iterator[tuple[str, Section | Tool]]:
    """The sections and tools that are sent by themselves, each with its row."""
    of_server = re.compile(table["server_tool"])
    yield from ((_row(each, table), each) for each in assembly.sections if each.present)
    for tool in assembly.tools:
        if tool.present and tool.section is None:
            yield "MCP tools" if tool.group == "MCP" and of_server.search(tool.name) else "Tools", tool


def _row(section: Section, table: Table) -> str:
    for name in (section.id, section.parent or ""):
        for row in table["rows"]:
            if any(name.startswith(own) if own[-1] in ".:" else name == own for own in row.get("sections", ())):
                return str(row["name"])
    return next(str(row["name"]) for row in table["rows"] if row.get("channel") in (section.channel, "messages"))
