"""What was assumed of the start, since nothing says otherwise: a dim line."""

from textual.reactive import reactive

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.snapshot import ApplyLevers
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import assumptions
from promptscope_tui.widgets.line_bar import BarPart, LineBar, part
from promptscope_tui.widgets.messages import Requested


class AssumedBar(LineBar, can_focus=True):
    """`assumed: interactive, trusted   enter the untrusted start`."""

    DEFAULT_CSS = """
    AssumedBar { display: none; padding: 0 1; }
    AssumedBar.-shown { display: block; }
    AssumedBar:focus { background: $boost; }
    """
    BINDINGS = bindings("assumed")

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    def show(self, assembly: Assembly) -> None:
        """Show what was assumed of an assembly, unless that is shown."""
        if self.assembly is None or assembly.assumed != self.assembly.assumed:
            self.assembly = assembly

    def watch_assembly(self, assembly: Assembly | None) -> None:
        """Without an assumption there is nothing to say."""
        self.set_class(bool(assembly and assembly.assumed), "-shown")

    def parts(self, _: int) -> tuple[list[BarPart], list[BarPart]]:
        """The assumptions, and how to see the opposite of the last one."""
        if self.assembly is None or not self.assembly.assumed:
            return [], []
        start = "untrusted" if self.assembly.assumed[-1].text == "trusted" else "headless"
        keys = part(Span("   enter", "accent"), Span(f" the {start} start", "dim"), action="opposite")
        return [part(Span(assumptions(self.assembly), "dim")), keys], []

    def action_opposite(self) -> None:
        """Show the start without the last assumption."""
        if self.assembly and self.assembly.assumed:
            self.post_message(Requested(ApplyLevers(self.assembly.assumed[-1].otherwise)))

    async def act(self, _: str) -> None:
        """A click does the same."""
        self.action_opposite()
