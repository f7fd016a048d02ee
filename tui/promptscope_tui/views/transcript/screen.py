"""How a transcript fills the window: a chart over its turns, and a row for each."""

from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Lever
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.session import Session
from promptscope_tui.session.transcripts import Follower, reading
from promptscope_tui.text.escape import visible
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.outside import open_editor
from promptscope_tui.widgets.row_list import RowList

from .rows import TurnKey, transcript_rows

_PROGRESS = 8 << 20  # bytes between two reports of progress


@dataclass
class Grown(Message):
    """More was written to the transcript. Each is complete, so only the last of a burst matters."""

    transcript: Transcript

    def can_replace(self, message: Message) -> bool:
        """A newer one replaces an older one."""
        return isinstance(message, Grown)


class TranscriptScreen(Screen[int | None]):
    """Reads a transcript in a thread, piece by piece, and follows it while it is written.

    Choosing a turn fills the window as it was then; the screen gives that fill.
    """

    CSS_PATH = "screen.tcss"
    BINDINGS = bindings("transcript")

    def __init__(self, path: str, agent: KeepsTranscripts, session: Session) -> None:
        """Raises ValueError while the session has no assembly."""
        super().__init__()
        assembly = session.snapshot.assembly
        if assembly is None:
            raise ValueError("a transcript is measured against an assembly")
        self._path, self._agent, self._session, self._assembly = str(Path(path).expanduser()), agent, session, assembly
        self._reader = agent.transcript_reader(assembly.tokens.expected or 0, session.snapshot.scenario.env or {})
        self.follower: Follower | None = None
        self.transcript: Transcript | None = None
        """The transcript, once all of it is read."""

    def compose(self) -> ComposeResult:
        """A title, the chart and the turns, the keys."""
        yield Static(id="transcript-head", markup=False)
        yield RowList(id="transcript-rows")
        keys = KeyLine("transcript", id="transcript-foot")
        keys.idle = self._idle
        yield keys

    def on_mount(self) -> None:
        """Start reading."""
        self._say("reading")
        self.query_one(RowList).focus()
        self.run_worker(self._read, thread=True)

    def _read(self) -> None:
        worker = get_current_worker()
        reported = left_out = read = 0
        try:
            for read, size in reading(self._path, self._reader):
                if worker.is_cancelled:
                    return
                left_out = size - read
                if read - reported >= _PROGRESS:
                    reported = read
                    self.app.call_from_thread(self._say, f"reading: {read / 1e6:,.0f} of {size / 1e6:,.0f} MB")
        except ScenarioError as error:
            self.app.call_from_thread(self._say, f"✗ {error}")
            return
        self.app.call_from_thread(self._show, replace(self._reader.close(), left_out=left_out))
        if not worker.is_cancelled and self._reader.grows:
            self.follower = Follower(self._path, self._reader, read, self._grown)

    def _grown(self, found: Transcript) -> None:
        """From the follower's thread."""
        self.post_message(Grown(found))

    def on_grown(self, event: Grown) -> None:
        """The session goes on. At the last turn the cursor goes on with it; else it stays where it is."""
        rows = self.query_one(RowList)
        last = self.transcript is not None and rows.key == TurnKey(len(self.transcript.turns) - 1)
        self._show(event.transcript, keep=True)
        if last:
            rows.action_end(1)

    def on_unmount(self) -> None:
        """Stop following."""
        if self.follower is not None:
            self.follower.stop()

    def _say(self, words: str) -> None:
        self.query_one("#transcript-head", Static).update(visible(f" {Path(self._path).name}   {words}"))

    def _show(self, read: Transcript, *, keep: bool = False) -> None:
        assembly = self._assembly
        found = read.compacted(assembly.tokens.compact_at)
        self.transcript = found
        last = f", {len(found.turns):,} turns" if found.turns else ""
        followed = "   ● following" if self._reader.grows else ""
        self._say(f"{assembly.agent} {assembly.agent_version} › {assembly.model or 'no model'}{last}{followed}")
        self.query_one(RowList).show(lambda width: transcript_rows(found, assembly.tokens, width), keep=keep)
        self.query_one(KeyLine).idle = self._idle

    @property
    def _idle(self) -> frozenset[str]:
        """The actions of the footer that would do nothing: what a turn is needed for, and what the agent cannot do."""
        turns = self.transcript.turns if self.transcript else ()
        if not turns:
            return frozenset({"choose_row", "transcript_editor"})
        return frozenset() if self._levers(turns[-1]) else frozenset({"choose_row"})

    def _levers(self, turn: Turn) -> tuple[Lever, ...]:
        """What makes the session go on behind a turn; a recorded request is as it is."""
        return () if self._assembly.agent.startswith(OBSERVED) else self._agent.continue_from(self._path, turn)

    @on(RowList.Chosen)
    def choose(self, event: RowList.Chosen) -> None:
        """Enter on a turn fills the window as it was after it."""
        event.stop()
        if isinstance(event.key, TurnKey) and self.transcript:
            turn = self.transcript.turns[event.key.index]
            levers = self._levers(turn)
            if not levers:
                self._say(f"no input of {self._assembly.agent} says how full its window is")
                return
            self._session.apply(levers)
            self.dismiss(turn.fill)

    def action_editor(self) -> None:
        """Open the turn's line in the editor."""
        key = self.query_one(RowList).key
        if isinstance(key, TurnKey) and self.transcript:
            open_editor(self.app, self._path, self.transcript.turns[key.index].line, self._editor_failed)

    def _editor_failed(self, words: str) -> None:
        """From any thread."""
        self.call_later(self._say, f"✗ {words}")
