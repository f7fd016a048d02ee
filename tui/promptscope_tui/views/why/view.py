"""The right column: why what is under the cursor is present or absent, and what would change that."""

from collections.abc import Sequence

from textual import on

from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Intent, OpenSource, Snapshot, Unfold
from promptscope_tui.text.spans import LaidRows, Row
from promptscope_tui.views.subjects import ChangeSubject, Subject
from promptscope_tui.widgets.messages import Requested
from promptscope_tui.widgets.row_list import RowList

from .pages import why_page


class Why(RowList):
    """A page about one subject. Its links apply levers, or open files in the editor."""

    DEFAULT_CSS = "Why { background: $surface; padding: 0 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.subject: Subject | None = None
        self.links: list[Intent] = []
        self.whole = False
        """Whether the whole reason is shown below the sentence."""

    def explain(self, subject: Subject | None, snapshot: Snapshot, inputs: AgentInputs) -> None:
        """Show the page of a subject; the same subject keeps its scroll."""

        def make(_: int) -> Sequence[Row]:
            page = why_page(subject, snapshot, inputs, whole=self.whole)
            self.links = page.links
            return page.rows

        same = subject == self.subject
        self.subject = subject
        self.show(make, keep=same)

    def is_worth_filtering(self, rows: Sequence[Row]) -> bool:
        """A page is read, whether or not something in it can be chosen."""
        return len(rows) > 1

    def _take(self, laid: LaidRows) -> None:
        """The page's title does not scroll; those of a change, which has several, do."""
        super()._take(laid)
        sticky = 0 if isinstance(self.subject, ChangeSubject) else len(laid.lines_of(0))
        if sticky != self.sticky:
            self.sticky = sticky
            self.refresh()

    @property
    def link(self) -> Intent | None:
        """The highlighted link."""
        return self.links[self.key] if isinstance(self.key, int) and self.key < len(self.links) else None

    @property
    def source(self) -> OpenSource | None:
        """The file that the highlighted link opens."""
        return self.link if isinstance(self.link, OpenSource) else None

    @on(RowList.Chosen)
    def follow(self, event: RowList.Chosen) -> None:
        """Follow the chosen link."""
        event.stop()
        if isinstance(self.link, Unfold):
            self.whole = not self.whole
            self._remake()
        elif self.link is not None:
            self.post_message(Requested(self.link))
