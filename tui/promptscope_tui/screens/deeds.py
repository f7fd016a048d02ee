"""What the keys do: one method per action of the table in actions.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from promptscope_engine.agents.features import Reporting
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import load_scenario
from promptscope_tui.actions.table import BY_ID
from promptscope_tui.rows.under_cursor import Taken, place, taken
from promptscope_tui.session.models import models_of
from promptscope_tui.session.saving import save_scenario, save_screenshot, scenario_path
from promptscope_tui.text.spans import home_short, signed
from promptscope_tui.themes import THEMES
from promptscope_tui.widgets.clipboard import copy

from .editor import NoEditor, open_editor
from .help import Help
from .picker import Option, Picker
from .prompt_line import Ask
from .report import Report
from .simulate_read import Imagine, Reads
from .transcripts import choose_recording

if TYPE_CHECKING:
    from promptscope_tui.rows.subjects import Subject
    from promptscope_tui.session.session import Session
    from promptscope_tui.session.snapshot import Snapshot

    from .layout import MainLayout

    _Base = MainLayout
else:
    _Base = Screen


class Deeds(_Base):
    """The actions of the main screen, on its session."""

    session: Session
    snapshot: Snapshot

    @property
    def under_cursor(self) -> Subject | None:
        """What the active tab's cursor is on."""
        raise NotImplementedError

    @property
    def state_folder(self) -> Path:
        """Where pictures and scenarios are saved."""
        raise NotImplementedError

    async def do(self, action_id: str) -> None:
        """Do an action of the table."""
        await self.run_action(BY_ID[action_id].call)

    # --- panes ---------------------------------------------------------------------------------------------------

    def action_show_tab(self, name: str) -> None:
        """To a tab."""
        self.show_page(name)

    def action_next_pane(self) -> None:
        """To the next pane."""
        self.focus_next()

    def action_previous_pane(self) -> None:
        """To the previous pane."""
        self.focus_previous()

    def action_flags(self) -> None:
        """To the controls and back."""
        self.open_drawer("controls")

    def action_why(self) -> None:
        """To the reasons and back."""
        self.open_drawer("why")

    def action_report(self) -> None:
        """What the agent's own report would say."""
        assembly = self.snapshot.assembly
        if assembly is None:
            return
        agent = load_agent(assembly.agent)
        if isinstance(agent, Reporting):
            self.app.push_screen(Report(agent, self.snapshot, self.session.workspace))
        else:
            self.note(f"{agent.name} has no report of its own on its context")

    def action_back(self) -> None:
        """Close what lies over the page, then what is marked in it, then go back to the prompt."""
        if self.drawer_open:
            self.close_drawers()
        elif self.search_bar.has_class("-open"):
            self.prompt.clear_search()
            self.search_bar.close()
        elif self.page.has_focus and self.tabs.active != "prompt":
            self.show_page("prompt")
        self.page.focus()

    # --- the prompt ----------------------------------------------------------------------------------------------

    def action_open_all(self) -> None:
        """Open every panel."""
        self.prompt.open_all()

    def action_close_all(self) -> None:
        """Close every panel."""
        self.prompt.close_all()

    def action_toggle_absent(self) -> None:
        """Show or hide what is absent."""
        self.prompt.toggle_absent()

    def action_search(self) -> None:
        """Search in the prompt."""
        if self.tabs.active != "prompt":
            self.show_page("prompt")
        self.search_bar.open()

    def action_next_match(self) -> None:
        """To the next match."""
        self.step_match(1)

    def action_previous_match(self) -> None:
        """To the previous match."""
        self.step_match(-1)

    def step_match(self, by: int) -> None:
        """To the next or the previous match."""
        if by > 0:
            self.prompt.next_match()
        else:
            self.prompt.previous_match()
        self.count_matches()

    def count_matches(self) -> None:
        """Say which match is shown."""
        position, matches = self.prompt.search_position
        self.search_bar.count(position, matches)

    def action_copy_section(self) -> None:
        """Copy the selection, else the section or the row under the cursor."""
        if selected := self.get_selected_text():
            copy(self.app, selected)
            self.note(f"copied {len(selected):,} characters")
            return
        if self.tabs.active == "window":
            found: Taken | None = Taken("the window", self.window.plain)
        else:
            found = taken(self.under_cursor, self.snapshot, self.session.text_of)
        if found is None:
            self.note("there is nothing to copy here", error=True)
            return
        copy(self.app, found.text)
        self.note(f"copied {found.name}: {len(found.text):,} characters")

    def action_copy_prompt(self) -> None:
        """Copy the system prompt."""
        if self.snapshot.assembly:
            text = self.snapshot.assembly.system_text
            copy(self.app, text)
            self.note(f"copied the prompt: {len(text):,} characters")

    def action_baseline(self) -> None:
        """Set or lift the baseline."""
        self.session.pin_baseline()
        pinned = self.session.snapshot.pinned
        self.note("the baseline is what is shown now" if pinned else "compared with the state before each change")

    # --- the scenario --------------------------------------------------------------------------------------------

    def action_agent(self) -> None:
        """Choose the agent and its version."""
        assembly = self.snapshot.assembly
        options = [
            Option(f"{agent.id} {version}", agent.name)
            for agent in all_agents()
            for version in reversed(agent.versions)
        ]
        current = f"{assembly.agent} {assembly.agent_version}" if assembly else None
        self.app.push_screen(Picker("AGENT", options, current), self._take_agent)

    def _take_agent(self, chosen: str | None) -> None:
        if chosen is None:
            return
        agent, _, version = chosen.partition(" ")
        self.session.choose_agent(agent, version)
        self.note(f"the agent is {agent} {version}; u takes it back")

    def action_mode(self) -> None:
        """Choose the mode."""
        assembly = self.snapshot.assembly
        if assembly is None:
            return
        options = []
        for mode in assembly.modes:
            effect = self.snapshot.effect("mode", mode.slug)
            right = signed(effect.tokens if effect else 0 if mode.slug == assembly.mode else None)
            options.append(Option(mode.slug, f"{mode.name}  {mode.source}", right))
        self.app.push_screen(Picker("MODE", options, assembly.mode, free=not options), self._take("mode"))

    def action_model(self) -> None:
        """Choose or type the model."""
        current = self.snapshot.scenario.model
        known = models_of(self.snapshot.assembly)
        names = dict.fromkeys([*([current] if current else []), *known])
        options = [Option(name, known.get(name, "")) for name in names]
        self.app.push_screen(Picker("MODEL", options, current, free=True), self._take("model"))

    def _take(self, name: str) -> Callable[[str | None], None]:
        def take(chosen: str | None) -> None:
            if chosen is not None:
                self.session.set(name, chosen)
                self.note(f"{name} is {chosen}")

        return take

    def action_undo(self) -> None:
        """Take the last switch back."""
        self.note("undone" if self.session.snapshot.can_undo else "there is nothing to undo")
        self.session.undo()

    def action_redo(self) -> None:
        """Do what was undone again."""
        self.note("done again" if self.session.snapshot.can_redo else "there is nothing to redo")
        self.session.redo()

    def action_reset(self) -> None:
        """Back to the first scenario."""
        self.session.reset()
        self.note("back to the scenario of the start; u takes it back")

    def action_save(self) -> None:
        """Save the scenario."""
        self.app.push_screen(Ask("SAVE THE SCENARIO AS", str(scenario_path(self.state_folder)), self._save))

    def _save(self, path: str) -> str | None:
        try:
            saved = save_scenario(self.snapshot.scenario, path)
        except OSError as error:
            return f"{path}: {error.strerror}"
        except ValueError as error:  # a NUL in the path, a name that is no UTF-8 in the scenario
            return str(error)
        self.note(f"saved {saved}")
        return None

    def action_load(self) -> None:
        """Load a scenario."""
        self.app.push_screen(Ask("LOAD A SCENARIO", str(scenario_path(self.state_folder)), self._load))

    def _load(self, path: str) -> str | None:
        try:
            self.session.replace(load_scenario(Path(path).expanduser()))
        except ScenarioError as error:
            return str(error)
        self.note(f"loaded {path}; u takes it back")
        return None

    # --- files ---------------------------------------------------------------------------------------------------

    def action_editor(self) -> None:
        """Open what is under the cursor."""
        source = (self.why.source if self.why.has_focus else None) or place(self.under_cursor, self.snapshot)
        if source is None:
            self.note("no file stands behind this line", error=True)
        else:
            self.open_file(source.path, source.line)

    def open_file(self, path: str, line: int) -> None:
        """Open a file in the user's editor; a path as the agent shows it is looked up among the consulted files."""
        assembly = self.snapshot.assembly
        if assembly is not None:
            real = next((f.real_path for f in assembly.files if path in (f.path, f.real_path)), path)
            path = str(Path(assembly.workspace) / real)
        try:
            open_editor(self.app, path, line)
        except NoEditor as error:
            self.note(str(error), error=True)

    def action_imagine(self) -> None:
        """Imagine that the agent reads a file."""
        if self.snapshot.assembly is None:
            return
        if self.tabs.active != "files":
            self.show_page("files")
        reads = self.snapshot.scenario.reads
        screen = Imagine(self.snapshot.assembly, self.snapshot.survey, reads, self.files.light)
        self.app.push_screen(screen, self._imagine)

    def _imagine(self, reads: Reads | None) -> None:
        if reads is None:
            return
        self.session.replace(self.snapshot.scenario.model_copy(update={"reads": list(reads)}))
        self.note(f"imagined to be read: {', '.join(reads)}" if reads else "nothing is read")

    def action_transcript(self) -> None:
        """Open a recorded conversation."""
        choose_recording(self)

    def action_reload(self) -> None:
        """Read every file again."""
        self.session.reload()
        self.note("read again")

    # --- the app -------------------------------------------------------------------------------------------------

    def action_screenshot(self) -> None:
        """Save a picture of the screen."""
        try:
            saved = str(save_screenshot(self.app.export_screenshot(title="promptscope"), self.state_folder))
            self.note(f"saved {home_short(saved, str(Path('~').expanduser()))}")
        except OSError as error:
            self.note(f"cannot save the picture: {error.strerror}", error=True)

    def action_theme(self) -> None:
        """To the next theme."""
        names = [theme.name for theme in THEMES]
        at = names.index(self.app.theme) if self.app.theme in names else -1
        self.app.theme = names[(at + 1) % len(names)]
        self.note(self.app.theme)

    def action_help(self) -> None:
        """The keys."""
        self.app.push_screen(Help())

    def action_palette(self) -> None:
        """Every command."""
        self.app.action_command_palette()

    def action_quit_app(self) -> None:
        """Leave."""
        self.app.exit()
