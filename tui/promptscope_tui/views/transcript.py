"""How a transcript fills the window: a chart over its turns and a row for each, or the last turns beside the prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.cache_turns import cache_misses
from promptscope_engine.prompt.model import Lever, TokenSummary
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.conversations import Compaction, compactions, outcome_cells, window_of
from promptscope_tui.session.session import Session
from promptscope_tui.session.transcripts import Follower, reading, summary
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, joined, pad, paragraph, row
from promptscope_tui.text.tables import COLUMNS, table
from promptscope_tui.text.words import bar, many, number, percent
from promptscope_tui.widgets.editor import open_editor
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.messages import Latest, in_thread, pass_on
from promptscope_tui.widgets.row_list import RowList

from .cache import headline

_HEIGHT = 10
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_FULL = len(_EIGHTHS) - 1
_GUTTER = 9
_MOST = 5_000
"""Turns with a row: of longer transcripts the last ones; the chart shows all."""

_COLUMNS = COLUMNS["transcript"]

_ROLES: dict[str, Tone] = {"user": "environment", "assistant": "tool", "compaction": "warn"}


class TurnKey(Struct, frozen=True):
    """A turn by its index."""

    index: int


def transcript_rows(
    found: Transcript, tokens: TokenSummary, width: int, told: Mapping[int, Compaction] = MappingProxyType({})
) -> list[Row]:
    """Everything, for a width in cells. `told` are the compactions with their forecasts, by line."""
    first, *rest = summary(found, tokens)
    rows = [BLANK, paragraph(Span(f" {first}"), indent=1), *(paragraph(Span(f" {e}", "dim"), indent=1) for e in rest)]
    if not found.turns:
        if found.broken + found.too_long and not found.other:
            return [BLANK, paragraph(Span(" ✗ This is not a transcript: none of its lines is an entry.", "error"))]
        return [*rows, BLANK, paragraph(Span(" It contains no messages.", "dim"))]
    return [*rows, BLANK, *chart(found, tokens, width), BLANK, *_turns(found, tokens, width, told)]


def chart(found: Transcript, tokens: TokenSummary, width: int) -> Iterator[Row]:
    """The window's fill over the turns: the prompt at the bottom, the conversation above, the threshold as a line."""
    columns = max(min(width - _GUTTER - 2, 150), 10)
    points = _points(found.turns, columns)
    top = _top(found, tokens)
    threshold = tokens.compact_at
    line = None if threshold is None or threshold > top else _HEIGHT - 1 - int(threshold / top * _HEIGHT)
    edges = {0: f"{top:,}", _HEIGHT - 1: "0"}
    for at in range(_HEIGHT):
        floor = (_HEIGHT - 1 - at) / _HEIGHT * top
        cells = [_cell(turns, floor, top / _HEIGHT, found.base) for turns in points]
        if at == line:
            cells = [Span("┄", "warn") if cell.text == " " else cell for cell in cells]
            cells += [Span("┄", "warn")] * (columns - len(cells))
        mark = f"{threshold:,}" if at == line else edges.get(at, "")
        yield row(Span(f"{mark:>{_GUTTER}} ", "warn" if at == line else "dim"), *joined(cells))
    yield row(Span(" " * (_GUTTER + 1)), *joined(_axis(found, points, threshold)))
    yield from _legend(found, top, threshold)


def _points(turns: Sequence[Turn], columns: int) -> list[Sequence[Turn]]:
    """The turns of each column: one or more, or several columns for one turn of a short transcript."""
    count = len(turns)
    if count >= columns:
        return [turns[n * count // columns : (n + 1) * count // columns] for n in range(columns)]
    each = min(columns // count, 4)
    return [turns[n : n + 1] for n in range(count) for _ in range(each)]


def _top(found: Transcript, tokens: TokenSummary) -> int:
    """The upper edge: the window if the transcript comes near the threshold, else a round number above its peak."""
    threshold = tokens.compact_at or tokens.window
    if found.peak * 2 >= threshold:
        return max(tokens.window, found.peak)
    step = int(10 ** max(len(str(found.peak)) - 1, 1))
    return max((found.peak // step + 1) * step, 1)


def _cell(turns: Sequence[Turn], floor: float, height: float, base: int) -> Span:
    fill = max(turn.fill for turn in turns)
    eighths = min(max(round((fill - floor) / height * _FULL), 0), _FULL)
    if eighths == _FULL and floor + height / 2 <= base:
        return Span("▒", "builtin")
    own = min(fill, floor + height) > base * 1.01
    return Span(_EIGHTHS[eighths], "faint" if not eighths else "environment" if own else "builtin")


def _axis(found: Transcript, points: Sequence[Sequence[Turn]], threshold: int | None) -> Iterator[Span]:
    """Below each column: a past compaction, or the first one to come."""
    crossing = found.compacts_at(threshold)
    for turns in points:
        if any(turn.role == "compaction" for turn in turns):
            yield Span("▼", "warn")
        elif crossing is not None and any(turn is crossing for turn in turns):
            yield Span("▲", "error")
        else:
            yield Span("─", "faint")


def _legend(found: Transcript, top: int, threshold: int | None) -> Iterator[Row]:
    parts: list[Span] = [Span("▒ ", "builtin"), Span("prompt  ", "dim"), Span("█ ", "environment")]
    parts.append(Span("conversation  ", "dim"))
    if any(turn.role == "compaction" for turn in found.turns):
        parts += [Span("▼ ", "warn"), Span("compacted  ", "dim")]
    if found.compacts_at(threshold):
        parts += [Span("▲ ", "error"), Span("would compact  ", "dim")]
    if threshold is not None and threshold > top:
        parts.append(Span(f"compaction at {threshold:,} is above the chart", "faint"))
    yield paragraph(" " * (_GUTTER + 1), *parts, indent=_GUTTER + 1)


def _turns(found: Transcript, tokens: TokenSummary, width: int, told: Mapping[int, Compaction]) -> Iterator[Row]:
    first = max(len(found.turns) - _MOST, 0)
    if first:
        yield paragraph(Span(f" the first {first:,} turns are only in the chart", "faint"))
    crossing = found.compacts_at(tokens.compact_at)
    records = [_record(n, found.turns[n], tokens.window) for n in range(first, len(found.turns))]
    head, *lines = table(_COLUMNS, records, width)
    yield head
    missed = {each.after: each for each in cache_misses(found) if each.missed}
    for turn, line in zip(found.turns[first:], lines, strict=True):
        if turn.line in missed:
            yield row(Span(f" ↻ {headline(missed[turn.line])}", "warn"))
        if turn is crossing:
            yield row(Span(f" ▲ it would compact here, at {tokens.compact_at:,} tokens", "error"))
        yield line
        if turn.line in told:
            yield from _outcomes(told[turn.line], width)


_AGREES: dict[bool | None, Tone] = {True: "good", False: "error", None: "warn"}
_WIDE_PART, _WIDE_CAME = 34, 20


def _outcomes(found: Compaction, width: int) -> Iterator[Row]:
    """A compaction: what came back and what did not, each beside its forecast."""
    yield paragraph(Span(f"   ▼ {found.words}", "warn"), indent=5)
    room = max(min(_WIDE_PART, width // 3), 12)
    for part in found.parts or ():
        name, forecast, came, why = outcome_cells(part)
        yield row(
            Span(f"     {pad(name, room)}", _AGREES[part.agrees]),
            Span(f"  {forecast:<{_WIDE_CAME}}"),
            Span(f"  came: {came}" if part.characters is not None else "  did not come"),
            Span(f"  {why}", "dim"),
        )


def _record(index: int, turn: Turn, window: int) -> Row:
    tone = _ROLES[turn.role]
    cut = " ✂" if any(result.remark for result in turn.returned) else ""
    results = f"{turn.results}: {turn.result_tokens:,}{cut}" if turn.results else ""
    return row(
        Span(f"{index + 1}", "dim"),
        Span(turn.role, tone),
        Span(f"{turn.tokens:,}" if turn.role != "compaction" else ""),
        Span(f"{'=' if turn.reported is not None else '≈'}{turn.fill:,}"),
        Span(bar(min(turn.fill, window), window, 10), tone),
        Span(results, "dim"),
        Span(", ".join(turn.calls), "tool"),
        Span(" ".join(turn.text.split()), "dim"),
        key=TurnKey(index),
    )


_PROGRESS = 8 << 20  # bytes between two reports of progress


@dataclass
class Grown(Latest):
    """More was written to the transcript, which is complete here."""

    transcript: Transcript


BESIDE = "beside"
"""What the screen gives where the transcript is to be followed beside the prompt."""


class TranscriptScreen(Screen[int | str | None]):
    """Reads a transcript in a thread, piece by piece, and follows it while it is written.

    Choosing a turn fills the window as it was then; the screen gives that fill.
    """

    CSS_PATH = "transcript.tcss"
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
        self._told: dict[int, Compaction] = {}
        self._compared: Turn | None = None
        """The last compaction, as it was when they were compared: what it brings back follows it in the file."""
        self._tokens = assembly.tokens

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
                    pass_on(self.app, self, self._say, f"reading: {read / 1e6:,.0f} of {size / 1e6:,.0f} MB")
        except ScenarioError as error:
            pass_on(self.app, self, self._say, f"✗ {error}")
            return
        found = replace(self._reader.close(), left_out=left_out)
        self._tokens = window_of(self._session.snapshot.scenario, found, self._assembly)
        pass_on(self.app, self, self._show, found)
        if not worker.is_cancelled and self._reader.grows:
            self.follower = Follower(self._path, self._reader, read, lambda found: self.post_message(Grown(found)))

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
        found = read.compacted(self._tokens.compact_at)
        self.transcript = found
        last = f", {len(found.turns):,} turns" if found.turns else ""
        followed = "   ● following" if self._reader.grows else ""
        self._say(f"{assembly.agent} {assembly.shown_version} › {assembly.model or 'no model'}{last}{followed}")
        self._draw(keep=keep)
        self.query_one(KeyLine).idle = self._idle
        newest = next((turn for turn in reversed(read.turns) if turn.role == "compaction"), None)
        if newest != self._compared:
            self._compared = newest
            in_thread(self, partial(self._compare, read), self._take, "compactions")

    def _draw(self, *, keep: bool) -> None:
        found, tokens = self.transcript, self._tokens
        if found is not None:
            self.query_one(RowList).show(lambda width: transcript_rows(found, tokens, width, self._told), keep=keep)

    def _compare(self, read: Transcript) -> list[Compaction]:
        """In a thread: a forecast is an assembly."""
        return [*compactions(load_agent(self._assembly.agent), self._session.snapshot.scenario, read)]

    def _take(self, found: list[Compaction] | ScenarioError) -> None:
        if not isinstance(found, ScenarioError):
            self._told = {each.turn.line: each for each in found}
            self._draw(keep=True)

    @property
    def _idle(self) -> frozenset[str]:
        """The actions of the footer that would do nothing: what a turn is needed for, and what the agent cannot do."""
        turns = self.transcript.turns if self.transcript else ()
        if not turns:
            return frozenset({"choose_row", "transcript_editor", "transcript_beside"})
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

    def action_beside(self) -> None:
        """Follow the session beside the prompt."""
        self.dismiss(BESIDE)

    def action_editor(self) -> None:
        """Open the turn's line in the editor."""
        key = self.query_one(RowList).key
        if isinstance(key, TurnKey) and self.transcript:
            line = self.transcript.turns[key.index].line
            open_editor(self.app, self._path, line, lambda words: self.call_later(self._say, f"✗ {words}"))


_TURNS = 6
"""The last turns that are shown."""


def running_rows(name: str, found: Transcript, tokens: TokenSummary) -> list[Row]:
    """The session's name and fill, then its last turns, the newest last."""
    fill = f"  {number(found.fill)} tok  {percent(found.fill, tokens.window)}  "
    title = row(
        Span("● ", "good"),
        Span(name, "strong"),
        Span(f"  {many(len(found.turns), 'turn')}", "dim"),
        Span(fill),
        Span(bar(min(found.fill, tokens.window), tokens.window, 10), "environment"),
        right=[Span("F stops following", "faint")],
    )
    return [title, *(_turn(at, found) for at in range(max(len(found.turns) - _TURNS, 0), len(found.turns)))]


def _turn(at: int, found: Transcript) -> Row:
    turn = found.turns[at]
    said = " ".join((*turn.reads, *turn.text.split())) if turn.reads else " ".join(turn.text.split())
    words = Span(f"{turn.role:<11}", _ROLES[turn.role]), Span(" ".join(turn.calls), "tool"), Span(f"  {said}", "dim")
    return row(Span(f"{at + 1:>4} ", "faint"), *words, right=[Span(f"+{turn.tokens:,}", "more")])


class RunningSession(RowList):
    """A strip below the prompt."""

    can_focus = False
    follower: Follower | None = None
    """Goes on reading, once the session is read so far."""

    DEFAULT_CSS = "RunningSession { height: 8; border-top: solid $line; padding: 0 1; }"

    def on_unmount(self) -> None:
        """Stop reading."""
        if self.follower is not None:
            self.follower.stop()
