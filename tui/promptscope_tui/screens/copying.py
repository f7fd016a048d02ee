"""Copying from the main screen."""

from __future__ import annotations

from promptscope_tui.text.spans import Span
from promptscope_tui.views.under_cursor import COPIES, CopyText, copy_text, system_prompt
from promptscope_tui.widgets.outside import copy
from promptscope_tui.widgets.picker import Option, Picker

from .host import Host


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

        def chosen(name: str | None) -> None:
            if name is not None:
                self._copy(COPIES[name].make(assembly))

        self._host.app.push_screen(Picker("COPY", options, None), chosen)

    def _copy(self, found: CopyText, hint: str = "") -> None:
        copy(self._host.app, found.text)
        self._host.note(f"copied {found.name}: {len(found.text):,} characters{hint}")
