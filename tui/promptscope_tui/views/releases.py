"""The versions of an agent that are known here: what each sends in this folder; two of them are compared."""

from collections.abc import Callable, Container, Hashable, Iterator
from pathlib import Path

from msgspec import Struct
from textual.worker import get_current_worker

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.comparing import version_side
from promptscope_tui.session.installed import installed_client
from promptscope_tui.session.releases import Release, releases_of, with_earlier
from promptscope_tui.session.session import Session
from promptscope_tui.session.versions import default_version, learned_versions, one_before
from promptscope_tui.text.spans import BLANK, Row, Span, pad, paragraph, row, signed
from promptscope_tui.text.tables import COLUMNS, table
from promptscope_tui.text.words import many
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.widgets.split_view import FindingView

_HINT = "enter compares a version with the one that is shown, or two that are marked"


class FoundReleases(Struct, frozen=True):
    """The versions of an agent, by its `name`, oldest first; `shown` is one of them, `installed` "" without a client.

    `learned` are those that were asked for their own words.
    """

    name: str
    releases: tuple[Release, ...]
    shown: str
    installed: str = ""
    learned: tuple[LearnedVersion, ...] = ()

    def release(self, version: Hashable) -> Release | None:
        """The version of this name."""
        return next((each for each in self.releases if each.version == version), None)


def release_rows(found: FoundReleases, marked: Container[str], width: int) -> list[Row]:
    """The table, the newest version first; the rows' keys are the versions."""
    if not found.releases:
        return [paragraph(Span(f"No version of {found.name} is known.", "dim"))]
    records = [_record(each, before, found, marked) for each, before in with_earlier(found.releases)]
    return [*table(COLUMNS["releases"], records[::-1], width), BLANK, paragraph(Span(_HINT, "faint"))]


def _record(each: Release, before: Release | None, found: FoundReleases, marked: Container[str]) -> Row:
    is_shown = each.version == found.shown
    mark = Span("✓", "accent") if each.version in marked else Span("●" if is_shown else "", "good")
    parts = (Span(f"{size:,}", "dim") for size in (each.system, each.messages, each.tools, each.tool_count))
    return row(
        mark,
        Span(each.version, "strong" if is_shown else "text"),
        Span(f"{each.total:,}"),
        signed(each.total - before.total) if before else Span(""),
        *parts,
        Span(", ".join(_ways(each, found)), "dim"),
        key=each.version,
    )


def _ways(each: Release, found: FoundReleases) -> Iterator[str]:
    """How it is known, and whether it is the one that is shown or installed."""
    if each.version == found.shown:
        yield "shown"
    if each.version == found.installed:
        yield "installed"
    if each.is_imported:
        yield each.known
    for way, when in (("modelled", each.modelled), ("learned", each.learned)):
        if way in each.known:
            yield f"{way} {when[:10]}".rstrip()


def version_rows(found: FoundReleases, version: Hashable) -> Iterator[Row]:
    """What one version sends, by part, and how it is known."""
    for each, before in with_earlier(found.releases):
        if each.version != version:
            continue
        ways = ", ".join(_ways(each, found))
        yield paragraph(Span(f"{found.name} {each.version}", "strong"), Span(f"  {ways}", "dim"))
        yield BLANK
        yield from _parts(each, before)
        yield BLANK
        yield from _known(each, found)
        if before:
            yield paragraph(Span(f"± {before.version}, the one before in the same words", "faint"))


def _parts(each: Release, before: Release | None) -> Iterator[Row]:
    for name in ("system", "messages", "tools"):
        size: int = getattr(each, name)
        more = signed(size - getattr(before, name)) if before else Span("")
        count = f"  {many(each.tool_count, 'tool')}" if name == "tools" else ""
        yield row(Span(pad(name, 10), "dim"), Span(f"{size:>9,}  "), more, Span(count, "dim"))


def _known(each: Release, found: FoundReleases) -> Iterator[Row]:
    if each.is_imported:
        yield paragraph(Span("Imported from an archive of recordings: its sizes alone are known.", "warn"))
    known = next((own for own in found.learned if own.agent_version == each.version), None)
    if known is not None:
        texts = len({wording.key for wording in known.wordings if not wording.is_of_lines})
        base = f", with the parts of {known.base}" if known.base not in ("", each.version) else ""
        yield paragraph(f"{many(texts, 'text')} in its own words, from {many(len(known.runs), 'run')}{base}")
        if names := {name for own in known.names.values() for name in own}:
            yield paragraph(Span(f"{many(len(names), 'section')} by its own names", "dim"))
    elif not each.is_imported:
        yield paragraph(Span("Not learned: reworded, at measured sizes.", "dim"))
    if each.version == found.installed and known is None:
        yield paragraph(Span("It is the client that is installed here: L learns its own words.", "accent"))


_SIDES = 2
_SIZES_ALONE = "a version that was imported has its sizes alone: it cannot be compared"


class ReleasesScreen(FindingView[FoundReleases]):
    """The table above, one version below; it follows the prompt."""

    title_words = "VERSIONS   what each sends in this folder"
    pane = "releases"
    BINDINGS = bindings("releases")

    def __init__(self, session: Session, agent: Describes, state_folder: Callable[[], Path]) -> None:
        """`state_folder` tells where scenarios are saved."""
        super().__init__(session)
        self._agent, self._state_folder = agent, state_folder
        self.marked: tuple[str, ...] = ()

    def find(self) -> FoundReleases | None:
        """Assemble each version as the prompt is asked for now."""
        session, agent, worker = self._session, self._agent, get_current_worker()
        base, learned, place = session.scenario_of(agent), session.learned, session.workspace.snapshot()
        counter = counter_for(base.model, session.counter.cache)

        def made(version: str, is_learned: bool) -> Assembly:
            asked = base.model_copy(update={"agent_version": version, "learned": is_learned})
            return assemble(asked, place, counter, knowledge=session.knowledge)

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
        kept = self.found is not None
        super().show_found(found)
        if not kept:
            self.choices.once_laid_out(lambda: self.choices.go_to(found.shown))

    def choice_rows(self, found: FoundReleases, width: int) -> list[Row]:
        """The table."""
        return release_rows(found, self.marked, width)

    def detail_rows(self, found: FoundReleases, key: Hashable, _: int) -> Iterator[Row]:
        """What one version sends."""
        return version_rows(found, key)

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
        self.choices.show(lambda width: self.choice_rows(found, width))

    def _has_sizes_alone(self, version: str | None) -> bool:
        found = self.found.release(version) if self.found else None
        return found is not None and found.is_imported


def _whole(head: LearnedVersion, learned: Learned | None) -> LearnedVersion:
    """What was learned of a version, with its texts."""
    return (learned.version(head.agent, head.agent_version) if learned else None) or head
