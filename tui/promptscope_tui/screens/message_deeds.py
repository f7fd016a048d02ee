"""What the keys do about messages: draft the first one, look at replies, step through the end of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.replies import completion_of, replies_of
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_tui.widgets.draft_bar import TaskBar, task_words
from promptscope_tui.widgets.messages import Assembled

if TYPE_CHECKING:
    from promptscope_engine.agents.adapter import Agent
    from promptscope_tui.session.inputs import AgentInputs
    from promptscope_tui.session.session import Session
    from promptscope_tui.session.snapshot import Snapshot

    from .layout import MainLayout

    _Base = MainLayout
else:
    _Base = Screen

TASK = "task"
"""The param that holds the first message."""


class MessageDeeds(_Base):
    """The actions of the main screen that are about messages."""

    session: Session
    snapshot: Snapshot
    inputs: AgentInputs | None

    @property
    def task_bar(self) -> TaskBar:
        """Where the first message is drafted."""
        return self.query_one("#task", TaskBar)

    def _agent(self) -> Agent | None:
        assembly = self.snapshot.assembly
        try:
            return load_agent(assembly.agent) if assembly else None
        except ScenarioError:
            return None

    def action_responses(self) -> None:
        """Every reply of the agent."""
        agent = self._agent()
        if agent is None or not replies_of(agent):
            self.note(f"{agent.name if agent else 'this agent'} has no catalogue of replies", error=True)
            return
        from .responses import ResponsesScreen  # looked at by few: the first frame does without

        self.app.push_screen(ResponsesScreen(agent, self.session.counter.count))

    def action_completion(self) -> None:
        """How a task comes to its end."""
        agent = self._agent()
        machine = completion_of(agent) if agent else None
        if agent is None or machine is None:
            self.note(f"how {agent.name if agent else 'this agent'} ends a task is not modelled", error=True)
            return
        from .completion import CompletionScreen

        self.app.push_screen(CompletionScreen(agent, machine, self.session.counter.count))

    # --- the task ------------------------------------------------------------------------------------------------

    async def action_task(self) -> None:
        """Draft the first message of a task."""
        if self.inputs is None or self.inputs.field(TASK) is None:
            agent = self._agent()
            self.note(f"{agent.name if agent else 'this agent'} has no task to draft", error=True)
            return
        if self.tabs.active not in ("prompt", "request"):
            self.show_page("prompt")
        await self.task_bar.open(str(self.inputs.value(TASK) or ""))
        # The bar takes its lines from the page: what is in view is known after the next layout.
        self.call_after_refresh(self._show_task)

    @on(TaskBar.Typed)
    def task_typed(self, event: TaskBar.Typed) -> None:
        """Assemble with every letter; the whole of the typing is one step to undo."""
        self.session.set(TASK, event.text, again=event.again)

    @on(TaskBar.Closed)
    def task_closed(self) -> None:
        """Back to the page; the draft stays."""
        self.page.focus()

    def on_assembled(self, event: Assembled) -> None:  # noqa: ARG002 - told by what the snapshot holds
        """The mentions of the draft are expanded now."""
        if self.task_bar.is_open:
            self._show_task()

    def _show_task(self) -> None:
        assembly = self.snapshot.assembly
        if assembly is not None:
            self.prompt.goto("user.task", 1)
            # The task's header to the top: what its mentions bring in stands under it.
            self.prompt.scroll_to(y=self.prompt.cursor_row - 1, animate=False)
            self.task_bar.tell(task_words(assembly))
