"""Following a running session beside the prompt: what it reads wakes files, which are then part of the prompt."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from promptscope_engine.agents.transcripts import Transcript
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.transcripts import Follower, keeper_of, reading
from promptscope_tui.text.words import many, short_path
from promptscope_tui.views.running import RunningSession, running_rows
from promptscope_tui.widgets.threads import in_thread

from .host import Host


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
