"""What the agent replies: every reply with inputs to try, and the end of a task, step by step."""

from collections.abc import Hashable, Iterator
from itertools import groupby

import yaml
from msgspec import Struct
from textual import on

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import YamlError, read_yaml
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import (
    Completion,
    Input,
    Reply,
    StepChoice,
    Turn,
    block_text,
    count_blocks,
    replies_of,
    running_totals,
)
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.spans import BLANK, Row, Span, pad, paragraph, row
from promptscope_tui.text.words import MARKS, number
from promptscope_tui.widgets.picker import PromptLine
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

    def __init__(self, agent: Describes, count: Count) -> None:
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
                yield row(
                    mark,
                    Span(reply.name, "tool"),
                    right=[Span(MARKS[reply.confidence] + number(tokens), "dim")],
                    key=reply.name,
                )

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
    size = f"  {MARKS[reply.confidence]}{number(tokens)} tok" + "  reworded" * (reply.confidence != "exact")
    rows += [BLANK, row(Span("TEXT", "title"), Span(size, "dim"))]
    return [*rows, *block_rows(blocks)]


class StepKey(Struct, frozen=True):
    """The key of a step: its index among the choices, and the variant of its value."""

    choice: int
    variant: int = 0


class CompletionScreen(SplitView):
    """Steps at the left, the conversation at the right."""

    pane = "completion"
    BINDINGS = bindings("completion")

    def __init__(self, agent: Describes, machine: Completion, count: Count, system: str) -> None:
        """`system` is that of the scenario's machine, as in `sys.platform`."""
        super().__init__()
        self._system = system
        self.title_words = f"COMPLETION   how a task in {agent.name} ends   reworded"
        self.machine = machine
        self.steps: list[Json] = []
        self._count = count
        self._values: dict[StepKey, Json] = {
            StepKey(place, variant): value
            for place, choice in enumerate(machine.choices)
            for variant, value in enumerate(_variants(choice))
        }

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What the steps did."""
        return self.machine.play(self.steps, self._system)

    def action_copy(self) -> None:
        """Copy the conversation as text."""
        messages = [message for turn in self.turns for message in turn.messages]
        self.copy("\n\n".join(f"{m.role}:\n" + "\n".join(map(block_text, m.blocks)) for m in messages))

    def on_mount(self) -> None:
        """Start before the first step."""
        self.show_all()

    def show_all(self) -> None:
        """Show the possible steps, and the conversation, scrolled to its end."""
        self.choices.show(lambda _: list(self._choice_rows()))
        turns = self.turns
        self.shown.show(lambda _: conversation_rows(turns, self._count))
        self.call_after_refresh(self.shown.scroll_end, animate=False)

    def _choice_rows(self) -> Iterator[Row]:
        before = -1
        for taken, value in self._values.items():
            choice = self.machine.choices[taken.choice]
            if taken.choice != before:
                before = taken.choice
                yield row(Span(choice.name.upper(), "title"), Span(f"  {choice.help}", "faint"))
            possible = self._problem({choice.name: value}) is None
            words = Span(_short(value), "text" if possible else "faint")
            yield paragraph(Span("› " if possible else "  ", "accent"), words, indent=2, key=taken)

    def _problem(self, step: Json) -> str | None:
        try:
            self.machine.play([*self.steps, step], self._system)
        except ScenarioError as error:
            return error.message
        return None

    def take(self, step: Json) -> None:
        """Take a step; if it is impossible now, say why."""
        problem = self._problem(step)
        if problem is not None:
            self.note(f"✗ {problem}", error=True)
            return
        self.steps.append(step)
        turn = self.turns[-1]
        self.note(turn.note or turn.title)
        self.show_all()

    def chosen(self, key: Hashable) -> None:
        """Take the step of the row."""
        if isinstance(key, StepKey):
            self.take({self.machine.choices[key.choice].name: self._values[key]})

    def highlighted(self, key: Hashable) -> None:
        """Say what the step is, or why it is impossible now."""
        if isinstance(key, StepKey):
            choice = self.machine.choices[key.choice]
            problem = self._problem({choice.name: self._values[key]})
            self.note(f"✗ {problem}" if problem else f"{choice.name}: {choice.help}")

    def action_edit(self) -> None:
        """Edit a step, then take it."""
        taken = self.choices.key
        if not isinstance(taken, StepKey):
            return
        name = self.machine.choices[taken.choice].name

        def attempt(typed: str) -> str | None:
            try:
                value = read_yaml(typed).value
            except YamlError as error:
                return error.message
            problem = self._problem({name: value})
            if problem is None:
                self._values[taken] = value
                self.take({name: value})
            return problem

        self.app.push_screen(PromptLine(f"{name.upper()}   as YAML", _short(self._values[taken]), attempt))

    def action_undo(self) -> None:
        """Undo the last step."""
        if self.steps:
            self.steps.pop()
        self.note("undone" if self.turns else "before the first step")
        self.show_all()

    def action_restart(self) -> None:
        """Before the first step."""
        self.steps.clear()
        self.note("before the first step")
        self.show_all()


def _variants(choice: StepChoice) -> list[Json]:
    """The values to offer: both values of a switch, or of each of several switches, else the example."""
    match choice.example:
        case bool():
            return [True, False]
        case dict() as switches if all(isinstance(value, bool) for value in switches.values()):
            return [{name: value} for name in switches for value in (True, False)]
        case example:
            return [example]


def _short(value: Json) -> str:
    """A step's value on one line, as YAML; a switch as yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000)
    return str(text).removesuffix("...\n").strip()


def conversation_rows(turns: tuple[Turn, ...], count: Count) -> list[Row]:
    """The rows of what happened so far."""
    if not turns:
        return [BLANK, paragraph(Span("The task is running. Choose what happens next.", "dim"))]
    rows: list[Row] = []
    sizes = running_totals(turns, count)
    for place, (turn, (size, total)) in enumerate(zip(turns, sizes, strict=True), start=1):
        added = Span(f"+{size:,}", "more") if size else Span("·", "faint")
        mistakes = [Span(f"  {turn.mistakes} failed in a row", "warn")] if turn.mistakes else []
        rows.append(
            row(
                Span(f"{'  ' * turn.depth}{place}. {turn.title}", "strong"),
                *mistakes,
                right=[added, Span(f"  {total:,} tok", "dim")],
            )
        )
        if turn.note:
            rows.append(paragraph(Span(f"   {turn.note}", "dim"), indent=3))
        rows += [paragraph(Span("   ! ", "warn"), Span(remark, "warn"), indent=5) for remark in turn.remarks]
        rows += [paragraph(Span("   · ", "faint"), *_event(event), indent=5) for event in turn.events]
        for message in turn.messages:
            place_words = f", goes to {message.to}" if message.to else ""
            rows.append(row(Span(f"   {message.role}{place_words}", "param" if message.role == "user" else "tool")))
            rows += [Row((Span("   "), *each.left), wrap=True, indent=4) for each in block_rows(message.blocks)]
        rows.append(BLANK)
    return rows


def _event(event: tuple[object, ...]) -> Iterator[Span]:
    kind, *members = event
    yield Span(str(kind), "accent")
    for member in members:
        if member is not None:
            yield Span(f" {member!r}", "dim")
