"""Opening and following what was recorded on this machine, and learning from it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.agents.transcripts import Transcript
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.capturing import store
from promptscope_tui.learning.clients import learnable_client
from promptscope_tui.session.asking import Learning, ServerAsking, Status
from promptscope_tui.session.recordings import RecordingFile, forget, kind_of, learn_from, newest, recordings
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.transcripts import Follower, keeper_of, reading, writer_of
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import many, short_path
from promptscope_tui.views.asking import LearnScreen, ServerScreen
from promptscope_tui.views.transcript import BESIDE, RunningSession, TranscriptScreen, running_rows
from promptscope_tui.views.welcome import recording_options
from promptscope_tui.widgets.messages import ask, in_thread
from promptscope_tui.widgets.picker import Picker

from .host import Host


class Recordings:
    """Opens transcripts and captures, and learns an agent's wording from its captures."""

    def __init__(self, host: Host, open_capture: Callable[[str], None], follow: Callable[[str], None]) -> None:
        """`follow` follows a transcript beside the prompt."""
        self._host, self._open_capture, self._follow = host, open_capture, follow
        self._learning: Learning | None = None
        self._due: tuple[str, str, str] | None = None
        """A transcript to open: its path, the agent that wrote it, and what to say when it is closed."""

    # --- opening -------------------------------------------------------------------------------------------------

    def action_transcript(self) -> None:
        """Offer this workspace's captures and transcripts, then others, newest first; any path can be typed."""
        try:
            found = self.found()
        except ScenarioError as error:
            self._host.note(str(error), error=True)
            return
        if (assembly := self._host.snapshot.assembly) is None:
            return
        problems = {each.path: each.problem for each in found}
        options, empty = recording_options(found, assembly.home), "none yet: O records a run; or type a file's path"
        picker = Picker("CAPTURES AND TRANSCRIPTS", options, None, free=True, empty=empty)
        picker.add_class("-wide")
        ask(self._host.app, picker, lambda path: self.open(path, problems.get(path, "")))

    def found(self) -> list[RecordingFile]:
        """This workspace's captures and transcripts, then others, newest first. Raises ScenarioError."""
        host, agent, assembly = self._host, self._host.agent, self._host.snapshot.assembly
        if agent is None or assembly is None:
            return []
        inputs = resolve(host.snapshot.scenario, host.session.workspace, host.session.knowledge).inputs
        keeper = keeper_of(agent.id)
        kept = keeper.transcript_files(inputs, host.session.workspace) if keeper else ()
        captures = store.stored(host.state_folder())
        return recordings(captures, kept, agent.name, assembly.workspace, host.session.learned)

    def open(self, path: str, problem: str = "") -> None:
        """Open a capture, here or of another tool, or a transcript; `problem` says why that cannot be done."""
        if problem:
            self._host.note(f"{path}: {problem}", error=True)
        elif kind_of(path) == "capture":
            self._open_capture(path)
        else:
            self.open_transcript(path)

    def open_transcript(self, path: str, afterwards: str = "") -> None:
        """Open a transcript with the agent that wrote it; a turn chosen in it fills the window."""
        host, agent = self._host, self._host.agent
        if agent is None:
            return
        writer = writer_of(path)
        if writer is not None and writer.id != agent.id.removeprefix(OBSERVED):
            self._due = path, writer.id, f"{writer.name} wrote it and is shown now; u goes back to {agent.name}"
            host.session.choose_agent(writer.id)
        elif keeper := keeper_of(agent.id):
            then = partial(self._filled, path, afterwards)
            host.app.push_screen(TranscriptScreen(path, keeper, host.session), then)
        else:
            host.note(f"{agent.name} keeps no transcripts that can be read", error=True)

    def newest_session(self) -> str | None:
        """The transcript of this folder that was written to last; None where there is none."""
        sessions = (each for each in self.found() if each.kind == "transcript" and each.here)
        return next((each.path for each in sessions), None)

    def _filled(self, path: str, otherwise: str, fill: int | str | None) -> None:
        if fill == BESIDE:
            self._follow(path)
        elif fill is None:
            self._host.note(otherwise)
        else:
            self._host.show_tab("window")
            self._host.note(_after(fill, self._host.snapshot))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Open the transcript that waits for its agent, once that agent's prompt is there."""
        if self._due is None:
            return
        path, writer, words = self._due
        assembly = snapshot.assembly
        there = assembly is not None and assembly.agent == writer and assembly.tokens.expected is not None
        if there or snapshot.error or snapshot.scenario.agent != writer:
            self._due = None
        if there:
            self.open_transcript(path, words)

    # --- learning ------------------------------------------------------------------------------------------------

    def action_learn(self) -> None:
        """Learn the words of the client that is installed, or show how far that is."""
        host, agent = self._host, self._host.modelled_agent
        if self._learning is None or self._learning.told.ended:
            found = learnable_client(agent) if agent else None
            if agent is None or found is None:
                name = agent.name if agent else "the agent"
                host.note(f"no client of {name} was found on this machine that can be asked", error=True)
                return
            self._learning = Learning(agent, *found)
            self._learning.tell = partial(self._tell, host.app)
            self._learning.start()
        host.app.push_screen(LearnScreen(self._learning))

    def ask_server(self, name: str) -> None:
        """Show what would start an MCP server, and ask it once a person says so."""
        session = self._host.session
        ask(self._host.app, ServerScreen(ServerAsking(session.placed, name)), lambda _: session.reload())

    def _tell(self, app: App[Any], told: Status) -> None:
        """From the thread that learns, which may outlive the app and its screens."""
        if app.is_running:
            app.call_from_thread(self._told, told)

    def _told(self, told: Status) -> None:
        screen = self._host.app.screen
        if isinstance(screen, LearnScreen) and screen.is_mounted:  # else it begins with what was told
            screen.show(told)
        if told.ended and told.progress:
            self._host.session.use_wordings()
            if not isinstance(screen, LearnScreen):
                self._host.note(visible(told.ended), error=told.failed)

    def calibration(self) -> list[tuple[str, str, Callable[[], object]]]:
        """Entries of the palette about the wording of the agent that is shown."""
        host, assembly = self._host, self._host.snapshot.assembly
        if assembly is None or host.agent is None or assembly.agent.startswith(OBSERVED):
            return []
        name, id = host.agent.name, assembly.agent
        entries: list[tuple[str, str, Callable[[], object]]] = []
        if path := newest(id):
            words = f"learn {name}'s wording from its newest capture"
            entries.append(("Calibration: Relearn", words, partial(self._calibrate, partial(learn_from, path))))
        if assembly.learned:
            words = f"forget what was learned of {name}'s wording"
            entries.append(("Calibration: Forget", words, partial(self._calibrate, partial(forget, id))))
        return entries

    def _calibrate(self, work: Callable[[], str]) -> None:
        """Learn or forget in a thread, then assemble again."""
        self._host.note("learning …")
        in_thread(self._host, work, self._calibrated, group="calibration")

    def _calibrated(self, found: str | ScenarioError) -> None:
        if not isinstance(found, ScenarioError):
            self._host.session.use_wordings()
        self._host.note(visible(str(found)), error=isinstance(found, ScenarioError))


def _after(fill: int | str, snapshot: Snapshot) -> str:
    """What the window shows once a turn that took so many tokens was chosen."""
    assembly = snapshot.assembly
    prompt = assembly.tokens.expected if assembly else None
    if isinstance(fill, int) and prompt is not None and fill < prompt:
        return f"that turn took {fill:,} tok, less than this prompt alone ({prompt:,}): the window shows the prompt"
    return f"showing the window after that turn: {fill:,} tok; u undoes it"


class Following:
    """Follows one session at a time. The files that it reads are read in the scenario, too."""

    def __init__(self, host: Host, newest: Callable[[], str | None]) -> None:
        """`newest` gives the path of the newest session of this folder."""
        self._host, self._newest = host, newest
        self._strip: RunningSession | None = None
        self._path = ""

    def action_follow(self) -> None:
        """Follow the newest session of this folder; or stop."""
        if self._strip is not None:
            self.stop()
            self._host.note("the session is no longer followed")
        else:
            try:
                path = self._newest()
            except ScenarioError as error:
                self._host.note(str(error), error=True)
                return
            if path:
                self.start(path)
            else:
                self._host.note("no session of this agent was found for this folder", error=True)

    def start(self, path: str) -> None:
        """Follow the session at a path."""
        host, assembly = self._host, self._host.snapshot.assembly
        keeper = keeper_of(assembly.agent) if assembly else None
        if assembly is None or keeper is None:
            return
        self.stop()
        self._path, self._strip = str(Path(path).expanduser()), RunningSession(id="running")
        host.mount(self._strip, after=host.pages)
        reader = keeper.transcript_reader(assembly.tokens.expected or 0, host.snapshot.scenario.env or {})

        def read() -> tuple[Transcript, int]:
            sizes = [done for done, _ in reading(self._path, reader)]
            return reader.close(), sizes[-1] if sizes else 0

        def begin(found: tuple[Transcript, int] | ScenarioError) -> None:
            if isinstance(found, ScenarioError):
                self.stop()
                host.note(str(found), error=True)
            elif (strip := self._strip) is not None:
                transcript, done = found
                self._show(transcript)
                if reader.grows:
                    told = partial(host.app.call_from_thread, self._show)
                    strip.follower = Follower(self._path, reader, done, told)

        in_thread(host, read, begin, group="following")

    def stop(self) -> None:
        """Take the strip away. What was read stays read."""
        if self._strip is not None:
            self._strip.remove()
        self._strip = None

    def _show(self, found: Transcript) -> None:
        strip, snapshot = self._strip, self._host.snapshot
        if strip is None or (assembly := snapshot.assembly) is None:
            return
        strip.show(lambda _: running_rows(Path(self._path).stem, found, assembly.tokens), keep=False)
        before = snapshot.scenario.reads
        new = [path for path in found.reads[-_MOST:] if path not in before]
        if new:
            self._host.session.replace(snapshot.scenario.model_copy(update={"reads": [*before, *new]}))
            self._host.note(_woken(new, snapshot, assembly))


_MOST, _NAMED = 200, 3
"""Reads of a session that count; files that a note names."""


def _woken(reads: list[str], snapshot: Snapshot, assembly: Assembly) -> str:
    """Which files the session's reads load, each with the file that was read."""
    rules, there = snapshot.lazy_rules, {file.path for file in assembly.files if file.present}
    loaded = {
        rule.path: path for path in reads for rule in (rules.loaded_by(path, assembly.workspace) if rules else ())
    }
    woken = [
        f"{short_path(rule, assembly)} woke: the session read {short_path(path, assembly)}"
        for rule, path in loaded.items()
        if rule not in there
    ]
    more = f"; and {len(woken) - _NAMED} more" if len(woken) > _NAMED else ""
    return "; ".join(woken[:_NAMED]) + more or f"the session read {many(len(reads), 'file')}, which wake no rule"
