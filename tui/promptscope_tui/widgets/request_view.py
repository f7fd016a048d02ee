"""What goes over the wire: system blocks with their cache breakpoints, messages, tools."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from promptscope_engine.model import Assembly, Json, Request
from promptscope_tui.spans import BLANK, Row, Span, paragraph, row

from .row_list import RowList


class RequestView(RowList):
    """The request as blocks; enter opens and closes one."""

    DEFAULT_CSS = "RequestView { padding: 0 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.assembly: Assembly | None = None
        self.opened: set[str] = set()

    def show_assembly(self, assembly: Assembly) -> None:
        """Show an assembly's request."""
        self.assembly = assembly
        self.show(lambda _: request_rows(assembly, frozenset(self.opened)))

    def action_choose(self) -> None:
        """Open or close the block under the cursor."""
        if isinstance(self.key, str) and self.assembly:
            self.opened ^= {self.key}
            self.show_assembly(self.assembly)


def request_rows(assembly: Assembly, opened: frozenset[str]) -> list[Row]:
    """The rows of a request in which the blocks with these keys are open."""
    request = assembly.request
    rows = [*_part("system", _system(request), opened), BLANK, *_part("messages", _messages(request), opened)]
    return [*rows, BLANK, *_part("tools", _tools(request), opened)]


def _part(name: str, blocks: Iterator[tuple[str, list[Span], str]], opened: frozenset[str]) -> Iterator[Row]:
    found = list(blocks)
    words = "none" if not found else "1 block" if len(found) == 1 else f"{len(found)} blocks"
    yield row(Span(name.upper(), "title"), Span(f"  {words}", "faint"))
    for key, title, text in found:
        is_open = key in opened
        yield row(Span("▾ " if is_open else "▸ ", "dim"), *title, right=[Span(f"{len(text):,} chars", "dim")], key=key)
        if is_open:
            yield from (paragraph("  ", line, indent=2) for line in text.splitlines())


def _cache(block: Mapping[str, Json]) -> list[Span]:
    control = block.get("cache_control")
    if not control:
        return []
    words = ", ".join(str(v) for k, v in control.items() if k != "type")
    return [Span("  ◆ cache breakpoint", "accent"), Span(f" {words}" if words else "", "dim")]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "empty")[:100]


def _system(request: Request) -> Iterator[tuple[str, list[Span], str]]:
    for n, block in enumerate(request.system):
        text = str(block.get("text", ""))
        yield f"system.{n}", [Span(_first_line(text)), *_cache(block)], text


def _messages(request: Request) -> Iterator[tuple[str, list[Span], str]]:
    for n, message in enumerate(request.messages):
        for m, block in enumerate(message["content"]):
            text = str(block.get("text", json.dumps(block, ensure_ascii=False)))
            title = [Span(f"{message['role']}  ", "param"), Span(_first_line(text)), *_cache(block)]
            yield f"messages.{n}.{m}", title, text


def _tools(request: Request) -> Iterator[tuple[str, list[Span], str]]:
    for n, tool in enumerate(request.tools):
        name = str(tool.get("name", tool.get("type", "tool")))
        text = json.dumps(tool, indent=2, ensure_ascii=False)
        words = Span(f"  {_first_line(str(tool.get('description', '')))}", "dim")
        yield f"tools.{n}", [Span(name, "tool"), words, *_cache(tool)], text
