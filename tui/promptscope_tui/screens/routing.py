"""Actions of the table: which of them can act now, and running one on its owner."""

from collections.abc import Callable, Iterable, Mapping

from textual.actions import parse
from textual.dom import DOMNode
from textual.widget import Widget

from promptscope_tui.actions.table import BY_ID, Action, Owner
from promptscope_tui.session.snapshot import Sent
from promptscope_tui.session.unavailable import idle_actions, unavailable_actions
from promptscope_tui.views.bars.tabs import TABS
from promptscope_tui.views.controls.view import Controls
from promptscope_tui.views.message_bar import MessageBar
from promptscope_tui.views.prompt.view import PromptView, SearchBar
from promptscope_tui.views.under_cursor import place
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.table_list import FilterBar, TableList

from .host import Host


class Routes:
    """Routes actions to the app, the main screen, its widgets and its controllers."""

    def __init__(self, host: Host, sent: Callable[[], Sent | None]) -> None:
        """`sent` gives the request of the open capture that is shown in some view."""
        self._host, self._sent = host, sent

    def idle(self) -> frozenset[str]:
        """The ids of the actions that would do nothing now."""
        host = self._host
        found = idle_actions(host.agent, host.snapshot)
        if host.why.has_focus:
            source = host.why.source or place(host.under_cursor, host.snapshot)
            acts = {"choose_row": host.why.link is not None, "editor": source is not None}
            found |= {id for id, does in acts.items() if not does}
        return found

    def lacking(self) -> Mapping[str, str]:
        """The actions that show nothing for this agent, each with what the agent lacks."""
        agent, assembly = self._host.agent, self._host.snapshot.assembly
        return unavailable_actions(agent, assembly, self._sent()) if agent and assembly else {}

    def offered(self, actions: Iterable[Action]) -> list[Action]:
        """The actions that show something for this agent."""
        lacking = self.lacking()
        return [action for action in actions if action.id not in lacking]

    async def run(self, id: str) -> None:
        """Run an action on its owner; one that would show nothing for this agent says so instead.

        Without a report of its own an agent has its window.
        """
        if id != "report" and (lacks := self.lacking().get(id)):
            self._host.note(lacks, error=True)
            return
        action = BY_ID[id]
        owner = self._owner(action.owner)
        if isinstance(owner, DOMNode):
            await self._host.app.run_action(action.call, owner)
        else:
            _, name, arguments = parse(action.call)
            getattr(owner, f"action_{name}")(*arguments)

    def _owner(self, owner: Owner) -> object:
        """A widget or a controller, by its name in the table."""
        if owner in TABS:
            return self._host.pages.page(owner)
        return self._host if owner == "main" else getattr(self._host, owner)


def owners(focused: Widget) -> frozenset[Owner]:
    """Who has the keys, in the words of the table of actions."""
    if isinstance(focused, PromptView):
        return frozenset({"cursor", "prompt"})
    if isinstance(focused, TableList):
        return frozenset({"cursor", "list", "table"})
    if isinstance(focused, RowList):
        return frozenset({"cursor", "list"})
    around: dict[type[DOMNode], Owner] = {
        SearchBar: "search",
        FilterBar: "filter",
        MessageBar: "draft",
        Controls: "controls",
    }
    return frozenset(owner for node in focused.ancestors for kind, owner in around.items() if isinstance(node, kind))
