"""The screens that open over the main one, each about what is shown."""

import sys

from promptscope_engine.agents.features import Reporting
from promptscope_engine.replies import completion_of, replies_of
from promptscope_tui.session.comparing import NOW, version_side
from promptscope_tui.session.versions import known_versions, one_before
from promptscope_tui.views.agents.screen import AgentsScreen
from promptscope_tui.views.answer import AnswerScreen
from promptscope_tui.views.releases import ReleasesScreen
from promptscope_tui.views.replies import CompletionScreen, ResponsesScreen
from promptscope_tui.views.reports import Report, TimingsScreen
from promptscope_tui.views.savings.screen import SavingsScreen
from promptscope_tui.views.what_if import MayEdit
from promptscope_tui.widgets.messages import Requested

from .host import Host


class Overlays:
    """Opens them."""

    def __init__(self, host: Host) -> None:
        self._host, self._session = host, host.session
        self._push = host.app.push_screen

    def action_report(self) -> None:
        """Show what the agent's own report would say; without one, the window."""
        agent = self._host.agent
        if isinstance(agent, Reporting):
            self._push(Report(agent, self._host.snapshot, self._session))
        elif agent:
            self._host.show_tab("window")
            self._host.note(f"{agent.name} has no context report; this is its window")

    def action_ask_why(self) -> None:
        """Ask why anything is in the prompt, or is not."""
        self.ask_why()

    def ask_why(self, word: str = "") -> None:
        """The same, of a word that is known."""
        self._push(AnswerScreen(self._session, word))

    def action_compare(self) -> None:
        """Compare what one most likely wants to."""
        self.compare()

    def compare(self, sides: tuple[str, str] | None = None) -> None:
        """Compare two sides."""
        from promptscope_tui.views.compare.screen import CompareScreen

        self._push(CompareScreen(self._session, self._host.state_folder, sides))

    def compare_with_now(self, side: str) -> None:
        """Compare a side with the prompt as it is shown."""
        self.compare((side, NOW))

    def action_releases(self) -> None:
        """List the versions that are known here."""
        if agent := self._host.modelled_agent:
            self._push(ReleasesScreen(self._session, agent, self._host.state_folder))

    def action_release_changes(self) -> None:
        """Compare the version that is shown with the one before."""
        agent, shown = self._host.modelled_agent, self._host.snapshot.assembly
        if agent is None or shown is None:
            return
        version, learned = shown.shown_version, self._session.learned
        before = one_before(agent, version, learned)
        if version not in known_versions(agent, learned):
            self._host.note(
                f"{agent.name} {version} is not known here: it was neither modelled nor learned", error=True
            )
            return
        if before is None:
            self._host.note(f"no version of {agent.name} before {version} is known here", error=True)
            return
        self.compare((version_side(agent, before), version_side(agent, version)))

    def action_agents(self) -> None:
        """Show which agent reads which file."""
        self._push(AgentsScreen(self._session))

    def action_may_edit(self) -> None:
        """Ask whether the mode may edit a file."""
        assembly, agent = self._host.snapshot.assembly, self._host.agent
        if assembly and agent and (mode := next((m for m in assembly.modes if m.slug == assembly.mode), None)):
            self._session.request_editable(mode.slug)
            self._push(MayEdit(self._session, agent, mode))

    def action_savings(self) -> None:
        """Show what each switch, file, section, tool and repeated passage would save."""
        self._push(SavingsScreen(self._session, lambda intent: self._host.post_message(Requested(intent))))

    def action_timings(self) -> None:
        """Show how long each part takes to build."""
        self._push(TimingsScreen(self._session))

    def action_responses(self) -> None:
        """Show every reply of the agent."""
        if (agent := self._host.agent) and replies_of(agent):
            self._push(ResponsesScreen(agent, self._session.counter.count))

    def action_completion(self) -> None:
        """Show how a task ends."""
        if (agent := self._host.agent) and (machine := completion_of(agent)):
            system = self._session.placed.environment.platform or sys.platform
            self._push(CompletionScreen(agent, machine, self._session.counter.count, system))
