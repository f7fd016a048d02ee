"""What is done with what is under the cursor: it is copied, opened in the editor, or tried with another text."""

from pathlib import Path

from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.workspace.paths import to_system
from promptscope_tui.session.corrections import Correction, correction_of
from promptscope_tui.session.experiments import Experiment, dropped, editable, moved, named, replaced
from promptscope_tui.settings.packaged import is_packaged
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import home_short
from promptscope_tui.views.under_cursor import COPIES, CopyText, copy_text, on_disk, part_of, place, system_prompt
from promptscope_tui.views.what_if import ExperimentScreen
from promptscope_tui.widgets.clipboard import copy
from promptscope_tui.widgets.editor import open_editor
from promptscope_tui.widgets.messages import Noted, ask
from promptscope_tui.widgets.picker import Option, Picker

from .host import Host


class Experiments:
    """Tries edits of what is under the cursor."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def action_experiment(self) -> None:
        """Edit the text of the section or the tool under the cursor."""
        host = self._host
        if (part := self._part()) is None:
            return
        text = host.session.text_to_edit(named(part))
        if problem := editable(part, text):
            host.note(problem, error=True)
            return

        def accepted(typed: str) -> None:
            self._try(replaced(host.snapshot.scenario.edits, part, typed))

        ask(host.app, ExperimentScreen(named(part), text or ""), accepted)

    def action_experiment_drop(self) -> None:
        """Drop it from the prompt, or restore it."""
        if (part := self._part()) is not None:
            self._try(dropped(self._host.snapshot.scenario.edits, part))

    def action_experiment_move(self, step: int) -> None:
        """Move it up (-1) or down (1)."""
        now = self._host.snapshot
        if (part := self._part()) is not None and now.assembly:
            self._try(moved(now.scenario.edits, now.assembly, part, step))

    def _part(self) -> Section | Tool | None:
        """The section or the tool under the cursor; without one a note says what is needed."""
        part = part_of(self._host.under_cursor, self._host.snapshot.assembly)
        if part is None:
            self._host.note("go to a section of the prompt or to a tool first", error=True)
        return part

    def _try(self, experiment: Experiment) -> None:
        self._host.note(experiment.words, error=experiment.edits is None)
        if experiment.edits is not None:
            self._host.session.edit(experiment.edits)


class Copies:
    """Copies what is under the cursor, the prompt, or a form of the request."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def action_copy_section(self) -> None:
        """Copy the selection, else the section or the row under the cursor."""
        host = self._host
        if selected := host.get_selected_text():
            self._copy(CopyText("the selection", selected))
        elif host.pages.active == "window":
            self._copy(CopyText("the window", host.pages.window.plain))
        elif found := copy_text(host.under_cursor, host.snapshot, host.session.text_of):
            self._copy(found)
        else:
            host.note("nothing to copy here", error=True)

    def action_copy_prompt(self) -> None:
        """Copy the system prompt."""
        if assembly := self._host.snapshot.assembly:
            self._copy(system_prompt(assembly), "; ^y for the rest")

    def action_copy_request(self) -> None:
        """Choose what to copy of the request."""
        if (assembly := self._host.snapshot.assembly) is None:
            return
        options = [
            Option(name, copying.detail, Span(f"{len(copying.make(assembly).text):,} characters", "dim"))
            for name, copying in COPIES.items()
        ]
        ask(self._host.app, Picker("COPY", options, None), lambda name: self._copy(COPIES[name].make(assembly)))

    def _copy(self, found: CopyText, hint: str = "") -> None:
        copy(self._host.app, found.text)
        self._host.note(f"copied {found.name}: {len(found.text):,} characters{hint}")


class Editor:
    """Opens what the main screen shows in the user's editor."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def action_editor(self) -> None:
        """Open what is under the cursor; in Why, what its highlighted link opens."""
        host = self._host
        source = (host.why.source if host.why.has_focus else None) or place(host.under_cursor, host.snapshot)
        if source is None:
            host.note("no source file", error=True)
        else:
            self.open(source.path, source.line)

    def open(self, path: str, line: int) -> None:
        """Open a file of the prompt; of a text of promptscope's own, offer a copy to edit."""
        host = self._host
        place = on_disk(path, host.snapshot.assembly)
        if not is_packaged(place):
            self._edit(place, line)
        elif (copy := correction_of(Path(to_system(place)), host.agent)) is None:
            host.note("this is part of promptscope itself and isn't edited", error=True)
        elif copy.file.exists():
            self._correct(copy, line)
        else:
            option = Option(copy.name, f"in {home_short(str(copy.layer.folder))}")
            ask(host.app, Picker(_OFFER, [option], None), lambda _: self._correct(copy, line))

    def _correct(self, copy: Correction, line: int) -> None:
        try:
            copy.write()
        except OSError as error:
            self._host.note(f"cannot write {home_short(str(copy.file))}: {error.strerror}", error=True)
            return
        self._host.session.lay_over(copy.layer)
        self._edit(str(copy.file), line)
        self._host.session.reload()  # the editor may have ended by now; of one with a window, r reads what was saved

    def _edit(self, place: str, line: int) -> None:
        host = self._host
        open_editor(host.app, place, line, lambda words: host.post_message(Noted(words, error=True)))


_OFFER = "PART OF PROMPTSCOPE ITSELF: EDIT A COPY, WHICH TAKES ITS PLACE?"
