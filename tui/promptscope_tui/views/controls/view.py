"""The left column: every switch of the agent, and the scenario as a whole."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Offset
from textual.getters import query_one
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static, TextArea

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.inputs import AgentInputs, as_text
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot, as_json
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row
from promptscope_tui.views.subjects import SwitchSubject
from promptscope_tui.widgets.messages import Noted, ask
from promptscope_tui.widgets.picker import LineInput, Option, Picker
from promptscope_tui.widgets.row_list import ChoiceList, RowList

from .rows import SLOT, VARIABLES, Looking, control_rows, cost, is_set, is_switch, next_value, same_rows
from .scenario import ScenarioActions


class SwitchList(ChoiceList):
    """The list of switches, which is filtered by what is said of them elsewhere, too."""

    filters_text = False


class Controls(ScenarioActions):
    """A list of switches. A value of one line is edited in the list, a longer one below it."""

    BINDINGS = bindings("controls")

    switches = query_one("#switches", SwitchList)
    _line = query_one("#value-line", Input)
    _text = query_one("#value-text", TextArea)

    def __init__(self, session: Session, state_folder: Callable[[], Path], *, id: str | None = None) -> None:
        """`state_folder` tells where scenarios are saved."""
        super().__init__(session, state_folder, id=id)
        self.snapshot: Snapshot | None = None
        self._field: ParamField | None = None
        self._problem = ""
        self._variables = False
        """Whether the environment variables are unfolded."""

    def compose(self) -> ComposeResult:
        """The list; the editors follow with the first value that is edited, since inputs take long to style."""
        yield SwitchList(id="switches")

    async def _mount_editors(self) -> None:
        """The line over the list, the text below it."""
        if not self.query(Input):
            text = TextArea(id="value-text", compact=True)
            title, error = (Static("", id=f"value-{name}", markup=False) for name in ("title", "error"))
            await self.mount(
                LineInput(id="value-line", entered=lambda _: self.action_accept()),
                Vertical(title, text, error, id="editor"),
            )

    def on_mount(self) -> None:
        """The line moves with its row."""
        for moved in ("scroll_y", "virtual_size", "size"):
            self.watch(self.switches, moved, self._place_line, init=False)

    def show_switches(self, snapshot: Snapshot, inputs: AgentInputs) -> None:
        """Show how the switches of a scenario are set, beside the effects that are shown now.

        Effects of the new scenario are not known yet, and clearing them all takes longer than drawing the prompt.
        `show` clears them.
        """
        shown, same = self.snapshot, self.inputs is not None and self.inputs.agent.id == inputs.agent.id
        self.show(replace(snapshot, effects=shown.effects) if shown and same else snapshot, inputs)

    def show(self, snapshot: Snapshot, inputs: AgentInputs) -> None:
        """Show the switches of a scenario, and what each of them would do."""
        alike = self.inputs is not None and self.snapshot is not None and same_rows(self.snapshot, snapshot)
        self.snapshot, self.inputs = snapshot, inputs
        if alike:
            return
        if self._field is not None and inputs.field(self._field.name) is None:
            self._leave()  # the other agent has no such value
        self._draw()

    def _draw(self) -> None:
        snapshot, inputs = self.snapshot, self.inputs
        if snapshot is None or inputs is None:
            return
        param = self._field.name if self._field and self.has_class("-line") else ""
        variables, problem, switches = self._variables, self._problem, self.switches

        def rows(width: int) -> list[Row]:
            return control_rows(snapshot, inputs, width, Looking(param, problem, variables, switches.needle))

        switches.show(rows)
        self._place_line()

    def _place_line(self) -> None:
        if not self.has_class("-line"):
            return
        at = self.switches.line_of(SLOT)
        region = self.switches.scrollable_content_region
        # Scrolled out of the list, the line is hidden and keeps the keys.
        y = at - round(self.switches.scroll_y) if at >= 0 else -2
        self._line.styles.offset = Offset(3, y if 0 <= y < region.height else -2)
        self._line.styles.width = max(region.width - 2, 8)

    @on(RowList.Chosen, "#switches")
    async def choose(self, event: RowList.Chosen) -> None:
        """Flip, set, edit or open a picker."""
        event.stop()
        match event.key:
            case str(key) if key == VARIABLES:
                self._variables = not self._variables
                self._draw()
            case SwitchSubject(param, str(value)):
                self.set(param, json.loads(value))
            case SwitchSubject("agent" | "mode" | "model" as param):
                await self.run_action(param)
            case SwitchSubject(param) if self.inputs and (field := self.inputs.field(param)):
                if is_switch(field):
                    self.set(param, next_value(field, self.inputs))
                elif field.is_flag and is_set(field, self.inputs):
                    self._offer_choices(field)
                elif self.inputs.known.get(param) and isinstance(self.inputs.value(param), str | list | None):
                    self._offer(field, self.inputs.known[param])
                else:
                    await self.edit(field)

    def _offer_choices(self, field: ParamField) -> None:
        """Choose one of the values, each with what it costs; others can be typed where there may be others."""
        assert self.inputs is not None
        assert self.snapshot is not None
        inputs, snapshot, values = self.inputs, self.snapshot, dict(field.choices)
        keys = {label: SwitchSubject(field.name, as_json(value)) for label, value in values.items()}
        options = [Option(label, right=cost(snapshot.effects, key)) for label, key in keys.items()]
        current = inputs.label(field.name, inputs.value(field.name))

        def take(label: str) -> None:
            try:
                value = values[label] if label in values else inputs.parse(field, label, snapshot.scenario)
            except ScenarioError as error:
                self.post_message(Noted(str(error), error=True))
            else:
                self.set(field.name, value)

        ask(self.app, Picker(f"{field.title.upper()}   {field.help}", options, current, free=field.free), take)

    def _offer(self, field: ParamField, known: Sequence[str]) -> None:
        """Choose one of the names that the agent found, or type another; of a list, put it in or take it out."""
        assert self.inputs is not None
        value = self.inputs.value(field.name)
        listed = [str(each) for each in value] if isinstance(value, list) else []
        options = [Option(name, "in the list: enter takes it out" if name in listed else "") for name in known]
        is_list = field.kind == "object"
        if value is not None and not is_list:
            options.insert(0, Option("", label="not set"))

        def take(name: str) -> None:
            if is_list:
                self.set(field.name, [n for n in listed if n != name] if name in listed else [*listed, name])
            else:
                self.set(field.name, name or None)

        current = value if isinstance(value, str) else None
        ask(self.app, Picker(f"{field.title.upper()}   {field.help}", options, current, free=True), take)

    # --- editing a value ----------------------------------------------------------------------------------------

    async def edit(self, field: ParamField) -> None:
        """Open the editor of a field that is not a switch."""
        assert self.inputs is not None
        await self._mount_editors()
        self._leave()
        self._field = field
        value = as_text(field, self.inputs.value(field.name))
        if field.kind == "object" or "\n" in value:
            kind = "as YAML, " if field.kind == "object" else ""
            title = f"{field.title}: {field.help}\n{kind}^s sets it, esc cancels"
            self.query_one("#value-title", Static).update(title)
            self._text.text = value
            self.add_class("-text")
            self._text.focus()
            self._draw()
            self.call_after_refresh(self.switches.reveal)
        else:
            # common values are suggested while typing; → accepts
            usual = [str(choice) for _, choice in field.choices if choice is not None]
            self._line.suggester = SuggestFromList(usual) if usual else None
            self._line.value = value
            self.add_class("-line")
            self._draw()
            self.switches.go_to(SLOT)
            self._line.focus()
        self._complain("")

    def go_to(self, param: str) -> None:
        """Bring a param's row into view."""
        if param.startswith("env.") and not self._variables:
            self._variables = True
            self._draw()
        keys = [each.key for each in self.switches.rows if isinstance(each.key, SwitchSubject)]
        if key := next((key for key in keys if key.param == param), None):
            self.switches.once_laid_out(partial(self.switches.go_to, key))

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Without an editor its keys go on to the screen."""
        return action not in ("accept", "cancel") or self._field is not None

    def action_accept(self) -> None:
        """Set the value, or say why it cannot be set."""
        if self._field is None or self.inputs is None or self.snapshot is None:
            return
        typed = self._line.value if self.has_class("-line") else self._text.text
        try:
            value = self.inputs.parse(self._field, typed, self.snapshot.scenario)
        except ScenarioError as error:
            self._complain(visible(f"✗ {error.message if (error.where or '').endswith(self._field.name) else error}"))
            return
        self.set(self._field.name, value)
        self.action_cancel()

    def action_cancel(self) -> None:
        """Close the editor without a change."""
        assert self._field is not None
        param = self._field.name
        self._leave()
        self._draw()
        self.switches.go_to(SwitchSubject(param))
        self.screen.set_focus(self.switches)  # at once: the next key is meant for it

    def _leave(self) -> None:
        self._field, self._problem = None, ""
        self.remove_class("-line", "-text")

    def _complain(self, words: str) -> None:
        error = self.query_one("#value-error", Static)
        error.update(words)
        error.display = bool(words)
        if words != self._problem:
            self._problem = words
            self._draw()
            self.switches.reveal()
