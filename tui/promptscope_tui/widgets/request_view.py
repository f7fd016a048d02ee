"""What goes over the wire: system blocks with their cache breakpoints, messages, tools."""

from __future__ import annotations

import json
from collections.abc import Iterator

from promptscope_engine.agents import load_agent
from promptscope_engine.model import Assembly, Request
from promptscope_tui.spans import BLANK, Row, Span, paragraph, row

from .cache_marks import Marks
from .row_list import RowList

At = tuple[str | int, ...]
"""A block's channel and indices."""


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
    marks = Marks(assembly, load_agent(assembly.agent))
    rows = [*_part("system", _system(request), opened, marks), BLANK]
    rows += [*_part("messages", _messages(request), opened, marks), BLANK]
    return [*rows, *_part("tools", _tools(request), opened, marks), BLANK, *marks.events()]


def _part(
    name: str, blocks: Iterator[tuple[At, list[Span], str]], opened: frozenset[str], marks: Marks
) -> Iterator[Row]:
    found = list(blocks)
    words = "none" if not found else "1 block" if len(found) == 1 else f"{len(found)} blocks"
    yield row(Span(name.upper(), "title"), Span(f"  {words}", "faint"), *(marks.tools if name == "tools" else ()))
    for at, title, text in found:
        key = ".".join(map(str, at))
        is_open = key in opened
        size = Span(f"{len(text):,} chars", "dim")
        yield from marks.before(at)
        yield row(Span("▾ " if is_open else "▸ ", "dim"), *title, right=[*marks.cached(at), Span("  "), size], key=key)
        yield from marks.inside(at)
        if is_open:
            yield from (paragraph("  ", line, indent=2) for line in text.splitlines())


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "empty")[:100]


def _system(request: Request) -> Iterator[tuple[At, list[Span], str]]:
    for n, block in enumerate(request.system):
        text = str(block.get("text", ""))
        yield ("system", n), [Span(_first_line(text))], text


def _messages(request: Request) -> Iterator[tuple[At, list[Span], str]]:
    for n, message in enumerate(request.messages):
        for m, block in enumerate(message["content"]):
            text = str(block.get("text", json.dumps(block, ensure_ascii=False)))
            yield ("messages", n, m), [Span(f"{message['role']}  ", "param"), Span(_first_line(text))], text


def _tools(request: Request) -> Iterator[tuple[At, list[Span], str]]:
    for n, tool in enumerate(request.tools):
        name = str(tool.get("name", tool.get("type", "tool")))
        text = json.dumps(tool, indent=2, ensure_ascii=False)
        words = Span(f"  {_first_line(str(tool.get('description', '')))}", "dim")
        yield ("tools", n), [Span(name, "tool"), words], text
