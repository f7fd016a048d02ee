"""Capturing what an agent sends: the exact command first, then its requests as they arrive."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.getters import query_one
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, Static

from promptscope_engine.captures.model import Recorded
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.captures.recipes import agent_name, recipe_for, typed_prompt, without_env
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.wire.request import wire_json
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.capturing import store
from promptscope_tui.capturing.plan import TIMEOUT, Plan, free_port, nothing_came, overlay_of
from promptscope_tui.learning.clients import version_of
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import home_short, many
from promptscope_tui.widgets.clipboard import copy
from promptscope_tui.widgets.picker import LineInput
from promptscope_tui.widgets.row_list import RowList

from .rows import log_rows, plan_rows, request_rows

if TYPE_CHECKING:
    from promptscope_tui.capturing.recording import Background, Recording

_LOOK = 0.5
"""Seconds between two looks at what the command has printed, while it runs."""
_MAX_LOG = 1 << 20

_KEYS = {
    "asking": "enter run it   esc leave",
    "running": "esc end the run   tab list   y copy what it printed   ? keys",
    "ended": "r once more   tab list   y copy what it printed   esc leave",
}


class CaptureScreen(Screen[str | None]):
    """Gives the path of the capture, or None. Nothing is run before enter; while it runs all keys are answered."""

    AUTO_FOCUS = "#capture-command"
    CSS_PATH = "screen.tcss"
    BINDINGS = bindings("capture")

    rows = query_one("#capture-rows", RowList)
    log_list = query_one("#capture-log", RowList)

    def __init__(
        self, agent: str, name: str, folder: str, command: Sequence[str] = (), programs: tuple[str, ...] = ()
    ) -> None:
        """`agent` is the id of the agent in front, `name` what its makers call it, `folder` where it is run.

        `command` is what is offered, by default that of the agent's recipe. `programs` are the hooks and mods that this
        agent runs, in words.
        """
        super().__init__()
        self._agent, self._name, self._folder, self._programs = agent, name, folder, programs
        self._offered = shlex.join(command) or recipe_for(agent, ()).example
        self._port = free_port()
        self.state: Literal["asking", "running", "ended"] = "asking"
        self._plan: Plan | None = None
        self._recorder: Background | None = None
        self._requests: list[Recorded] = []
        self._tokens: dict[int, int] = {}
        self._looking: Timer | None = None
        self._printed = ""
        self._cancelled = False

    def compose(self) -> ComposeResult:
        """The command, what will happen or has, what was printed, the keys."""
        folder = home_short(self._folder)
        yield Static(visible(f"CAPTURE   {self._name}   {folder}"), id="capture-title", markup=False)
        with Horizontal(id="capture-line"):
            yield Static("command ")
            yield LineInput(self._offered, entered=self._enter, placeholder="claude -p hi", id="capture-command")
        yield Static("", id="capture-problem", markup=False)
        yield RowList(id="capture-rows")
        yield Static("", id="capture-printed", markup=False)
        yield RowList(id="capture-log")
        yield Static("", id="capture-foot", markup=False)

    def on_mount(self) -> None:
        """Show what would be run."""
        self._ask()

    def on_unmount(self) -> None:
        """Anyone who quits leaves nothing running."""
        if self._recorder is not None:
            self._recorder.stop()

    # --- before --------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        self._turn("asking")
        line = self.query_one(Input)
        line.disabled = False
        line.focus()
        self._show_plan(line.value)

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """The command with every letter."""
        if self.state == "asking":
            self._show_plan(event.value)

    def _show_plan(self, typed: str) -> None:
        plan = self._planned(typed)
        if isinstance(plan, str):
            self._say(plan)
            self.rows.show(lambda _: [], keep=False)
            return
        self._say("")
        place = home_short(str(store.folder()))
        self.rows.show(lambda _: list(plan_rows(plan, f"http://127.0.0.1:{self._port}", place)), keep=False)

    def _planned(self, typed: str) -> Plan | str:
        """What would be recorded, or why nothing can be."""
        try:
            command, env = without_env(shlex.split(typed), os.environ)
        except ValueError as error:
            return f"the command is not complete: {str(error).lower()}"
        if not command:
            return f"there is no command known for {self._name}: type one"
        named = str(Path(self._folder, command[0])) if "/" in command[0] else command[0]
        if shutil.which(named) is None:
            return f"no such command: {command[0]}"
        # What the command's name does not tell, the agent in front does.
        recipe = recipe_for(None, command)
        agent = None if recipe.programs else self._agent
        recipe = recipe if agent is None else recipe_for(agent, command)
        try:
            overlay = overlay_of(recipe, command, self._folder)
        except ValueError as error:
            return str(error)
        return Plan(
            agent=agent,
            recipe=recipe,
            command=command,
            env=env,
            port=self._port,
            timeout=TIMEOUT,
            overlay=overlay,
            cwd=self._folder,
            log=store.log_path(),
            version=version_of(agent_name(agent, command), command),
            programs=self._programs if agent_name(agent, command) == self._agent else (),
        )

    # --- the run -------------------------------------------------------------------------------------------------

    def _enter(self, typed: str) -> None:
        plan = self._planned(typed)
        if isinstance(plan, str):
            self._say(plan)
            return
        from promptscope_tui.capturing.recording import Background  # 200 ms: aiohttp

        self._plan, self._cancelled, self._printed = plan, False, ""
        self._requests.clear()
        self._tokens.clear()
        self._recorder = Background(
            plan,
            seen=partial(self.call_later, self._arrived),
            full=partial(
                self.call_later, self._say, "the size limit is reached: further requests are answered, and not recorded"
            ),
            done=partial(self.call_later, self._ended),
        )
        self._say("")
        self._turn("running")
        self._show_requests()
        self.log_list.show(lambda _: [], keep=False)
        self.query_one(Input).disabled = True
        self.rows.focus()
        self._looking = self.set_interval(_LOOK, self._look)
        self._recorder.start()

    def _arrived(self, request: Recorded) -> None:
        """One more request was answered; its tokens are counted in a thread."""
        self._requests.append(request)
        self._show_requests()
        self.run_worker(partial(self._count, len(self._requests) - 1, request), thread=True)

    def _count(self, at: int, request: Recorded) -> None:
        if request.protocol is None or request.body is None:
            return
        content = content_of(request.protocol, request.path, request.body)
        texts = [block.text for block in content.blocks()]
        for tool in content.tools:
            texts += [tool.name, tool.description, wire_json(tool.schema) if tool.schema is not None else ""]
        counter = counter_for(content.model)
        self.call_later(self._counted, at, sum(map(counter.count, texts)))

    def _counted(self, at: int, tokens: int) -> None:
        self._tokens[at] = tokens
        self._show_requests()

    def _show_requests(self) -> None:
        plan = self._plan
        assert plan is not None
        found = request_rows(self._requests, typed_prompt(plan.recipe, plan.command), self._tokens)
        self.rows.show(lambda _: found, keep=False)
        self._foot()

    def _look(self) -> None:
        """Show what the command has printed since."""
        try:
            with store.log_path().open("rb") as file:
                file.seek(max(file.seek(0, os.SEEK_END) - _MAX_LOG, 0))
                printed = file.read().decode("utf-8", "replace")
        except OSError:
            return
        if printed != self._printed:
            self._printed = printed
            self.log_list.show(lambda _: log_rows(printed), keep=False)
            self.log_list.scroll_end(animate=False)

    def _ended(self, found: Recording | str) -> None:
        """The run is over: keep what came of it, or say why there was none."""
        if self._looking is not None:
            self._looking.stop()
        self._look()
        self._recorder = None
        if (words := found if isinstance(found, str) else self._kept(found)) is not None:
            self._turn("ended")
            self._say(words)

    def _kept(self, found: Recording) -> str | None:
        """Save the capture and leave; else the words that say why there is none."""
        plan, capture = self._plan, found.capture
        assert plan is not None
        if self._cancelled:
            return "the run was ended, with all that it had started; nothing was kept"
        late = f"no end after {plan.timeout:g} seconds: the command was ended. " if found.ended == "time-out" else ""
        refused = ", ".join(sorted(capture.end.refused))
        more = f"; refused: {refused}" if refused else ""
        if not capture.requests:
            return f"{late}{nothing_came(plan, capture)}{more}"
        if capture.main is None:
            return f"{late}no request to a model was among them{more}"
        path = store.new_path(capture.header.agent, datetime.now())
        try:
            store.save(capture, path)
        except OSError as error:
            return f"cannot write {path}: {error.strerror or error}"
        while self.app.screen is not self:  # the help, the palette
            self.app.pop_screen()
        self.dismiss(str(path))
        return None

    # --- what is shown -------------------------------------------------------------------------------------------

    def _turn(self, state: Literal["asking", "running", "ended"]) -> None:
        self.state = state
        self.set_class(state != "asking", "-run")
        self._foot()

    def _foot(self) -> None:
        came = many(len(self._requests), "request")
        words = {"asking": "", "running": f"   ● running, {came} so far", "ended": f"   {came}"}[self.state]
        self.query_one("#capture-foot", Static).update(f"{_KEYS[self.state]}{words}")
        log = home_short(str(store.log_path()))
        self.query_one("#capture-printed", Static).update(visible(f"WHAT IT PRINTS   {log}"))

    def _say(self, words: str) -> None:
        line = self.query_one("#capture-problem", Static)
        line.update(visible(f"✗ {words}" if words else ""))
        line.set_class(bool(words), "-shown")

    # --- actions -------------------------------------------------------------------------------------------------

    def action_close(self) -> None:
        """End the run; without one, leave."""
        if self._recorder is None:
            self.dismiss(None)
            return
        self._cancelled = True
        self._recorder.cancel()
        self.query_one("#capture-foot", Static).update("ending the run")

    def action_again(self) -> None:
        """Back to the command."""
        if self.state == "ended":
            self._requests.clear()
            self._port = free_port()
            self._ask()

    def action_copy(self) -> None:
        """Copy what was printed."""
        copy(self.app, self._printed)
