"""The versions of the agent that are known here: what each sends in this folder; two of them are compared."""

from collections.abc import Callable, Hashable
from pathlib import Path

from textual.worker import get_current_worker

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.learned.model import Learned, LearnedVersion
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.comparing import version_side
from promptscope_tui.session.installed import installed_client
from promptscope_tui.session.releases import releases_of
from promptscope_tui.session.session import Session
from promptscope_tui.session.versions import default_version, learned_versions, one_before
from promptscope_tui.text.spans import Row
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.widgets.split_view import FollowingView

from .rows import FoundReleases, release_rows, version_rows

_SIDES = 2
_SIZES_ALONE = "a version that was imported has its sizes alone: it cannot be compared"


class ReleasesScreen(FollowingView):
    """The table above, one version below; it follows the prompt."""

    title_words = "VERSIONS   what each sends in this folder"
    pane = "releases"
    BINDINGS = bindings("releases")

    def __init__(self, session: Session, agent: Agent, state_folder: Callable[[], Path]) -> None:
        """`state_folder` tells where scenarios are saved."""
        super().__init__()
        self._session, self._agent, self._state_folder = session, agent, state_folder
        self.found: FoundReleases | None = None
        self.marked: tuple[str, ...] = ()

    def find(self) -> FoundReleases | None:
        """Assemble each version as the prompt is asked for now."""
        session, agent, worker = self._session, self._agent, get_current_worker()
        base, learned, place = session.scenario_of(agent), session.learned, session.workspace.snapshot()
        counter = counter_for(base.model, session.counter.cache)

        def made(version: str, is_learned: bool) -> Assembly:
            asked = base.model_copy(update={"agent_version": version, "learned": is_learned})
            return assemble(asked, place, counter)

        releases = []
        for each in releases_of(agent.id, learned, made):
            if worker.is_cancelled:
                return None
            releases.append(each)
        shown = session.snapshot.assembly
        is_shown = shown is not None and shown.agent == agent.id
        client = installed_client(agent)
        return FoundReleases(
            agent.name,
            tuple(releases),
            shown.shown_version if shown and is_shown else default_version(agent, learned),
            client.version if client else "",
            tuple(_whole(each, learned) for each in learned_versions(agent, learned)),
        )

    def show_found(self, found: FoundReleases) -> None:
        """Show the table, at first with the version that is shown under the cursor."""
        kept, self.found = self.found is not None, found
        self.show_choices(lambda width: release_rows(found, self.marked, width), keep=kept)
        if not kept:
            self.choices.once_laid_out(lambda: self.choices.go_to(found.shown))

    def detail(self, key: Hashable, _: int) -> list[Row]:
        """What one version sends."""
        return list(version_rows(self.found, key)) if self.found else []

    def chosen(self, key: Hashable) -> None:
        """Compare two that are marked, else the version with the one that is shown, or that with the one before."""
        if self.found is None:
            return
        version, shown = str(key), self.found.shown
        other = shown if version != shown else one_before(self._agent, shown, self._session.learned)
        sides = self.marked if len(self.marked) == _SIDES else (version, other)
        if None in sides:
            self.note(f"no version before {version} is known here", error=True)
        elif any(self._has_sizes_alone(each) for each in sides):
            self.note(_SIZES_ALONE, error=True)
        else:
            before, after = sorted(map(str, sides), key=version_numbers)
            named = version_side(self._agent, before), version_side(self._agent, after)
            self.app.push_screen(CompareScreen(self._session, self._state_folder, named))

    def action_mark(self) -> None:
        """Mark the version under the cursor, or take its mark away; of three the first mark goes."""
        found, version = self.found, str(self.choices.key)
        if found is None or found.release(version) is None:
            return
        if self._has_sizes_alone(version):
            self.note(_SIZES_ALONE, error=True)
            return
        others = tuple(each for each in self.marked if each != version)
        self.marked = others if version in self.marked else (*others, version)[-_SIDES:]
        self.choices.show(lambda width: release_rows(found, self.marked, width))

    def _has_sizes_alone(self, version: str | None) -> bool:
        found = self.found.release(version) if self.found else None
        return found is not None and found.is_imported


def _whole(head: LearnedVersion, learned: Learned | None) -> LearnedVersion:
    """What was learned of a version, with its texts."""
    return (learned.version(head.agent, head.agent_version) if learned else None) or head
