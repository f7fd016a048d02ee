"""The left column: every switch of the agent, and the scenario as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
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

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.inputs.scenario import load_scenario
from promptscope_engine.prompt.conditions import show
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.inputs import AgentInputs, as_text
from promptscope_tui.session.models import models_of
from promptscope_tui.session.saving import named, pinned, question, save_scenario, scenario_path
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import signed
from promptscope_tui.text.words import home_short, only
from promptscope_tui.views.subjects import SwitchSubject
from promptscope_tui.widgets.line_input import LineInput, PromptLine
from promptscope_tui.widgets.messages import Noted
from promptscope_tui.widgets.picker import Option, Picker
from promptscope_tui.widgets.row_list import RowList

from .agent_options import agent_options
from .rows import SLOT, Editing, KeptRows, control_rows, same_rows


class Controls(Vertical):
    """A list of switches. A value of one line is edited in the list, a longer one below it."""

    BINDINGS = bindings("controls")

    switches = query_one("#switches", RowList)
    _line = query_one("#value-line", Input)
    _text = query_one("#value-text", TextArea)

    def __init__(self, session: Session, state_folder: Callable[[], Path], *, id: str | None = None) -> None:
        """`state_folder` tells where scenarios are saved."""
        super().__init__(id=id)
        self._session, self._state_folder = session, state_folder
        self.snapshot: Snapshot | None = None
        self.inputs: AgentInputs | None = None
        self._field: ParamField | None = None
        self._problem = ""
        self._kept_rows = KeptRows()
        self._confirmed: str | None = None
        """What was asked before saving; the same again is the answer yes."""

    def compose(self) -> ComposeResult:
        """The list; the editors follow with the first value that is edited, since inputs take long to style."""
        yield RowList(id="switches")

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
        """Show how the switches of a scenario are set, beside the effects that stand there now: those of another
        scenario are none yet, and to take all of them away takes longer than to draw the prompt. `show` does it."""
        shown, same = self.snapshot, self.inputs is not None and self.inputs.agent.id == inputs.agent.id
        self._show(replace(snapshot, effects=shown.effects) if shown and same else snapshot, inputs)

    def show(self, snapshot: Snapshot, inputs: AgentInputs) -> None:
        """Show the switches of a scenario, and what each of them would do."""
        self._show(snapshot, inputs)
        if self.switches.has_focus:
            self._prefetch(self.switches.key)

    def _show(self, snapshot: Snapshot, inputs: AgentInputs) -> None:
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
        editing = Editing(self._field.name, self._problem) if self._field and self.has_class("-line") else None
        self.switches.show(lambda width: control_rows(snapshot, inputs, width, editing, self._kept_rows))
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
        if (switch := self._switch(event.key)) is not None:
            self._set(*switch)
            return
        match event.key:
            case SwitchSubject("agent" | "mode" | "model" as param):
                await self.run_action(param)
            case SwitchSubject(param) if self.inputs and (field := self.inputs.field(param)):
                await self.edit(field)

    @on(RowList.Highlighted, "#switches")
    def _come_to(self, event: RowList.Highlighted) -> None:
        self._prefetch(event.key, passing=True)

    def _prefetch(self, key: Hashable, *, passing: bool = False) -> None:
        """A switch that is under the cursor, or the mouse, is likely to be set."""
        if (switch := self._switch(key)) is not None:
            self._session.prefetch(*switch, passing=passing)

    def _switch(self, key: Hashable) -> tuple[str, Json] | None:
        """The param that choosing a row sets at once, and to what; None where more is asked."""
        match key:
            case SwitchSubject(param, str(value)):
                return param, json.loads(value)
            case SwitchSubject(param) if self.inputs and (field := self.inputs.field(param)) and field.kind == "bool":
                return param, self.inputs.value(param) is not True
        return None

    def _set(self, param: str, value: Json) -> None:
        self._note(f"{param} is {self.inputs.label(param, value) if self.inputs else show(value)}")
        self._session.set(param, value)

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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
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
        self._set(self._field.name, value)
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

    # --- the scenario --------------------------------------------------------------------------------------------

    def _note(self, words: str) -> None:
        self.post_message(Noted(words))

    def action_agent(self) -> None:
        """Choose the agent and its version."""
        assembly = self._session.snapshot.assembly
        options = agent_options(self._session.snapshot)
        current = f"{assembly.agent} {assembly.agent_version}" if assembly else None
        self.app.push_screen(Picker("AGENT", options, current), self._take_agent)

    def _take_agent(self, chosen: str | None) -> None:
        if chosen is None:
            return
        agent, _, version = chosen.partition(" ")
        self._session.choose_agent(agent, version)
        self._note(f"the agent is {agent} {version}; u undoes it")

    def action_mode(self) -> None:
        """Choose the mode."""
        snapshot = self._session.snapshot
        assembly = snapshot.assembly
        if assembly is None:
            return
        options = []
        for mode in assembly.modes:
            effect = snapshot.effect("mode", mode.slug)
            right = signed(effect.tokens if effect else 0 if mode.slug == assembly.mode else None)
            limit = f"  edits {only(mode.edits_only)}" if mode.edits_only else ""
            options.append(Option(mode.slug, f"{mode.name}  {mode.source}{limit}", right))
        self.app.push_screen(Picker("MODE", options, assembly.mode, free=not options), partial(self._take, "mode"))

    def action_model(self) -> None:
        """Choose or type the model."""
        snapshot = self._session.snapshot
        current = snapshot.scenario.model
        known = models_of(snapshot.assembly)
        names = dict.fromkeys([*([current] if current else []), *known])
        options = [Option(name, known.get(name, "")) for name in names]
        self.app.push_screen(Picker("MODEL", options, current, free=True), partial(self._take, "model"))

    def _take(self, param: str, chosen: str | None) -> None:
        if chosen is not None:
            self._set(param, chosen)

    def action_undo(self) -> None:
        """Undo the last change of the scenario."""
        self._note("undone" if self._session.snapshot.can_undo else "nothing to undo")
        self._session.undo()

    def action_redo(self) -> None:
        """Redo it."""
        self._note("redone" if self._session.snapshot.can_redo else "nothing to redo")
        self._session.redo()

    def action_reset(self) -> None:
        """Back to the first scenario."""
        differs = self._session.snapshot.can_reset
        self._note("back to the scenario at startup; u undoes it" if differs else "nothing to reset")
        self._session.reset()

    def action_save(self) -> None:
        """Save the scenario."""
        self._confirmed = None
        self.app.push_screen(PromptLine("SAVE THE SCENARIO AS", str(scenario_path(self._state_folder())), self._save))

    def _save(self, path: str) -> str | None:
        folder, now = self._state_folder(), self._session.snapshot
        try:
            target = named(path, folder)
            asked = question(target, folder)
            if asked and asked != self._confirmed:
                self._confirmed = asked
                return asked
            save_scenario(pinned(now.scenario, now.assembly), target)
        except OSError as error:
            return f"{path}: {error.strerror}"
        except (ValueError, RuntimeError) as error:  # what no path can hold, a name that is not UTF-8, an unknown home
            return str(error)
        self._note(f"saved {self._shown(target)}")
        return None

    def _shown(self, path: Path) -> str:
        assembly = self._session.snapshot.assembly
        return home_short(str(path), assembly.home) if assembly else str(path)

    def action_load(self) -> None:
        """Load a scenario."""
        self.app.push_screen(PromptLine("LOAD A SCENARIO", str(scenario_path(self._state_folder())), self._load))

    def _load(self, path: str) -> str | None:
        try:
            target = named(path, self._state_folder())
            found = target if target.exists() else Path(path)
            self._session.replace(load_scenario(found))
        except (ScenarioError, RuntimeError) as error:
            return str(error)
        self._note(f"loaded {self._shown(found)}; u undoes it")
        return None
