"""Every reply of the agent: its text, its tokens, when it is sent, and inputs to try."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import groupby

from msgspec import Struct
from textual import on

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import Input, Reply, block_text, count_blocks, replies_of
from promptscope_tui.text.spans import BLANK, Row, Span, pad, paragraph, row
from promptscope_tui.text.words import number
from promptscope_tui.widgets.line_input import PromptLine
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import Count, SplitView, block_rows

_ROOMY = 80
"""Cells from which on there is room for what an input means."""


class EditInput(Struct, frozen=True):
    """The key of a row that edits an input."""

    name: str


class ResponsesScreen(SplitView):
    """The catalogue at the left, one reply at the right."""

    pane = "responses"

    def __init__(self, agent: Agent, count: Count) -> None:
        super().__init__()
        self.title_words = f"RESPONSES   what {agent.name} replies to a tool call"
        self.replies = replies_of(agent)
        self._count = count
        self._given: dict[str, dict[str, Json]] = {reply.name: {} for reply in self.replies}
        self.reply = self.replies[0]

    def action_copy(self) -> None:
        """Copy the text of the reply."""
        self.copy("\n".join(map(block_text, self.reply.blocks(self._given[self.reply.name]))))

    def on_mount(self) -> None:
        """Start with the first reply."""
        self.show_replies(keep=False)

    def show_replies(self, *, keep: bool) -> None:
        """Show the catalogue, each reply with its tokens as its inputs are now, and the one that was chosen."""
        self.choices.show(lambda _: list(self._choice_rows()))
        self.show_detail(keep=keep)

    def _choice_rows(self) -> Iterator[Row]:
        for group, members in groupby(self.replies, key=lambda reply: reply.group):
            yield row(Span(group.upper(), "title"))
            for reply in members:
                tokens = count_blocks(reply.blocks(self._given[reply.name]), self._count)
                mark = Span("● " if self._given[reply.name] else "  ", "param")
                yield row(mark, Span(reply.name, "tool"), right=[Span(number(tokens), "dim")], key=reply.name)

    def detail(self, _: Hashable, width: int) -> list[Row]:
        """The reply with its inputs as they are now."""
        return reply_rows(self.reply, self._given[self.reply.name], self._count, width)

    def highlighted(self, key: Hashable) -> None:
        """Another reply."""
        found = next((reply for reply in self.replies if reply.name == key), None)
        if found is not None and found is not self.reply:
            self.reply = found
            self.show_detail()
            self.note("")

    @on(RowList.Chosen, "#shown")
    def edit(self, event: RowList.Chosen) -> None:
        """Edit an input."""
        event.stop()
        found = next((i for i in self.reply.inputs if event.key == EditInput(i.name)), None)
        if found is not None:
            self._edit(found)

    def _edit(self, edited: Input) -> None:
        value = self.reply.values(self._given[self.reply.name])[edited.name]
        if edited.kind == "switch":
            self._set(edited.name, not value)
            return

        def attempt(typed: str) -> str | None:
            try:
                parsed = edited.parse(typed)
                self.reply.blocks({**self._given[self.reply.name], edited.name: parsed})
            except ScenarioError as error:
                return error.message
            self._set(edited.name, parsed)
            return None

        hint = "null: not given" if edited.optional else "YAML" if edited.kind == "list" else edited.kind
        self.app.push_screen(
            PromptLine(f"{edited.name.upper()}   {edited.help} ({hint})", edited.shown(value), attempt)
        )

    def _set(self, name: str, value: Json) -> None:
        self._given[self.reply.name][name] = value
        self.show_replies(keep=True)
        self.note(f"{name} is set")


def reply_rows(reply: Reply, given: dict[str, Json], count: Count, width: int) -> list[Row]:
    """The rows of one reply in `width` cells."""
    blocks = reply.blocks(given)
    rows = [paragraph(Span(reply.name, "strong"), Span(f"  {reply.purpose}", "dim"))]
    rows += [BLANK, row(Span("SENT WHEN", "title")), paragraph(" ", reply.when, indent=1)]
    if reply.inputs:
        rows += [BLANK, row(Span("INPUTS", "title"))]
    names = max((len(each.name) for each in reply.inputs), default=0) + 2
    for each in reply.inputs:
        value = reply.values(given)[each.name]
        shown = ("[x]" if value else "[ ]") if each.kind == "switch" else each.shown(value)
        help_words = Span(f"  {each.help}", "dim") if width >= _ROOMY else Span("")
        name = Span(pad(each.name, names), "text" if each.name in given else "dim")
        rows.append(paragraph(" ", name, Span(shown, "param"), help_words, indent=names + 1, key=EditInput(each.name)))
    tokens = count_blocks(blocks, count)
    rows += [BLANK, row(Span("TEXT", "title"), Span(f"  {number(tokens)} tok", "dim"))]
    return [*rows, *block_rows(blocks)]
