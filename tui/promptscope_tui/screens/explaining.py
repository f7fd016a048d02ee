"""What is under the cursor, and its explanation in the right column."""

from textual.widget import Widget

from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session
from promptscope_tui.views.controls.rows import subject_of
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.subjects import Cursor, Subject, WindowSubject
from promptscope_tui.views.why.files import file_behind
from promptscope_tui.views.why.switch import limited_mode
from promptscope_tui.views.why.view import Why
from promptscope_tui.views.window.view import WindowView
from promptscope_tui.widgets.row_list import RowList


class Explanation:
    """The subject that is explained, and what the session has to find out about it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.snapshot = session.snapshot
        self.inputs: AgentInputs | None = None
        self.subject: Subject | None = None

    def of(self, pane: Widget | None) -> Subject | None:
        """What the cursor of a pane is on; in the right column, and without a pane, what is explained."""
        match pane:
            case Why() | None:
                return self.subject
            case PromptView():
                return pane.cursor
            case WindowView():
                return subject_of(pane.key, self.inputs) or WindowSubject()
            case RowList():
                return subject_of(pane.key, self.inputs)
        return None

    def of_row(self, key: object) -> Subject | None:
        """What a row is about."""
        return subject_of(key, self.inputs)

    def show(self, subject: Subject | None, why: Why) -> None:
        """Explain a subject, and have the session find out what the explanation lacks."""
        self.subject = subject = subject if subject != Cursor() else None
        if assembly := self.snapshot.assembly:
            if file := file_behind(subject, assembly):
                self._session.request_details(file)
            if mode := limited_mode(subject, assembly):
                self._session.request_editable(mode.slug)
        if self.inputs:
            why.explain(subject, self.snapshot, self.inputs)
