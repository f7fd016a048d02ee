"""Experiments: another text for a section or a tool, another place, or none. No file changes."""

from __future__ import annotations

from promptscope_engine.prompt.model import Section, Tool
from promptscope_tui.session.experiments import Experiment, dropped, editable, moved, named, replaced
from promptscope_tui.views.experiment import ExperimentScreen
from promptscope_tui.views.under_cursor import part_of

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

        def accepted(typed: str | None) -> None:
            if typed is not None:
                self._try(replaced(host.snapshot.scenario.edits, part, typed))

        host.app.push_screen(ExperimentScreen(named(part), text or ""), accepted)

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
