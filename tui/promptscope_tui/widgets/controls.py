"""The left column: every switch of the agent, and the place where values are edited."""

from __future__ import annotations

import json
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static, TextArea

from promptscope_engine.errors import ScenarioError
from promptscope_engine.params import ParamField
from promptscope_tui.agent_inputs import AgentInputs, as_text
from promptscope_tui.messages import DoAction, SetParam
from promptscope_tui.state import Snapshot

from .control_rows import Choice, Choose, Edit, Toggle, control_rows
from .row_list import RowList


class Controls(Vertical):
    """A list of switches, and under it, while a value is edited, its editor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("ctrl+s", "accept", show=False),
    ]

    DEFAULT_CSS = """
    Controls {
        background: $surface;
        & > RowList { height: 1fr; padding: 0 1; background: $surface; }
        & > #editor { display: none; height: auto; max-height: 60%; padding: 0 1; background: $panel; }
        &.-editing > #editor { display: block; }
        & #value-error { color: $error; height: auto; }
        & #value-title { color: $tone-dim; height: auto; }
        & #value-line, & #value-text { border: none; background: $boost; padding: 0 1; }
        & #value-line { height: 1; }
        & #value-text { height: 8; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.snapshot: Snapshot | None = None
        self.inputs: AgentInputs | None = None
        self._field: ParamField | None = None

    def compose(self) -> ComposeResult:
        """The list, then the editor."""
        yield RowList(id="switches")
        with Vertical(id="editor"):
            yield Static("", id="value-title", markup=False)
            yield Input(id="value-line", compact=True)
            yield TextArea(id="value-text", compact=True)
            yield Static("", id="value-error", markup=False)

    @property
    def switches(self) -> RowList:
        """The list of switches."""
        return self.query_one("#switches", RowList)

    def show(self, snapshot: Snapshot, inputs: AgentInputs) -> None:
        """Show the switches of a scenario."""
        self.snapshot, self.inputs = snapshot, inputs
        self.switches.show(lambda width: control_rows(snapshot, inputs, width))

    @on(RowList.Chosen, "#switches")
    def choose(self, event: RowList.Chosen) -> None:
        """Flip, set, edit or open a picker."""
        event.stop()
        match event.key:
            case Toggle(param) if self.inputs:
                self.post_message(SetParam(param, self.inputs.value(param) is not True))
            case Choice(param, value):
                self.post_message(SetParam(param, json.loads(value)))
            case Choose(action):
                self.post_message(DoAction(action))
            case Edit(param) if self.inputs and (field := self.inputs.field(param)):
                self.edit(field)

    # --- editing a value ----------------------------------------------------------------------------------------

    def edit(self, field: ParamField) -> None:
        """Open the editor of a field that is no flag."""
        assert self.inputs is not None
        self._field = field
        many = field.kind == "object" or (field.kind == "text" and "\n" in str(self.inputs.value(field.name) or ""))
        line, text = self.query_one("#value-line", Input), self.query_one("#value-text", TextArea)
        line.display, text.display = not many, many
        keys = "^s sets it" if many else "enter sets it"
        if field.free:
            keys = f"→ takes what is proposed, {keys}"
        kind = "as YAML, " if field.kind == "object" else ""
        self.query_one("#value-title", Static).update(f"{field.title}: {field.help}\n{kind}{keys}, esc leaves it")
        value = as_text(field, self.inputs.value(field.name))
        if many:
            text.text = value
        else:
            # what is usual is offered while one types; → takes it
            usual = [str(choice) for _, choice in field.choices if choice is not None]
            line.suggester = SuggestFromList(usual) if usual else None
            line.value = value
        self._complain("")
        self.add_class("-editing")
        (text if many else line).focus()
        self.call_after_refresh(self.switches.reveal)

    @property
    def editing(self) -> ParamField | None:
        """The field that is being edited."""
        return self._field

    @on(Input.Submitted, "#value-line")
    def submit(self, event: Input.Submitted) -> None:
        """Enter in the line sets the value."""
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """Set the value, or say why it cannot be set."""
        if self._field is None or self.inputs is None or self.snapshot is None:
            return
        line, text = self.query_one("#value-line", Input), self.query_one("#value-text", TextArea)
        typed = line.value if line.display else text.text
        try:
            value = self.inputs.parse(self._field, typed, self.snapshot.scenario)
        except ScenarioError as error:
            self._complain(f"✗ {error}")
            return
        self.post_message(SetParam(self._field.name, value))
        self.action_cancel()

    def action_cancel(self) -> None:
        """Leave the editor; without one, the key goes on to the screen."""
        if self._field is None:
            self.post_message(DoAction("back"))
            return
        self._field = None
        self.remove_class("-editing")
        self.switches.focus()

    def _complain(self, words: str) -> None:
        error = self.query_one("#value-error", Static)
        error.update(words)
        error.display = bool(words)
