"""The thread that works for a session: the newest job wins, and work for an older one is cancelled."""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import Tokenizer

from .snapshot import How

DRAWING = 0.3
"""Seconds that a screen may take: one that does not tell is no longer waited for."""

ACTING = 0.02
"""Seconds that what a person does may take until it is a job, or is drawn. While two threads compute, each of the steps
in between waits for the interpreter."""

TELLING = 0.2
"""Seconds between two words on how far counting is."""


class SupersededError(BaseException):
    """There is something newer to do. It is not an error, and nothing that reports errors may take it for one."""


class CancellableCounter(Counter):
    """Asks before each new text, and each part of an assembly, whether to go on.

    Counting a large repository from scratch takes seconds, and all what-ifs together half a second. What was counted
    until then is kept.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        cache: CountCache | None,
        go_on: Callable[[], None],
        report: Callable[[int, int], None] = lambda _, __: None,
    ) -> None:
        """`go_on` raises SupersededError where there is something newer to do.

        `report` is called about five times a second while many texts are counted: how many are, and of how many.
        """
        super().__init__(tokenizer, cache)
        self._may_go_on, self._report, self._reported = go_on, report, 0.0

    def counted_so_far(self, done: int, of: int) -> None:
        """Report it, unless that was done a moment ago."""
        if (now := time.monotonic()) - self._reported >= TELLING:
            self._reported = now
            self._report(done, of)

    def check_cancelled(self) -> None:
        """Raises SupersededError instead of counting for a job that was cancelled."""
        self._may_go_on()

    def _like(self, tokenizer: Tokenizer) -> Counter:
        return CancellableCounter(tokenizer, self.cache, self._may_go_on, self._report)


@contextmanager
def no_collection() -> Iterator[None]:
    """No search for garbage meanwhile: among the objects of thousands of files one takes as long as an answer."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@dataclass
class Job:
    """A scenario to assemble, and what to reload first: these paths, or everything.

    `step` is the number of its step in the session: while a text is typed, several jobs have the same.
    """

    scenario: Scenario
    paths: set[str] = field(default_factory=set)
    everything: bool = False
    reload: bool = False
    step: int = 0
    how: How = ""


class Worker:
    """Does the newest job in a thread of its own; while there is none, `aside`, whenever that is due."""

    def __init__(self, do: Callable[[Job], None], aside: Callable[[], None], aside_due: Callable[[], bool]) -> None:
        self.lock = threading.RLock()
        """Held while the job, or what the session knows, is changed."""
        self._do, self._aside, self._aside_due = do, aside, aside_due
        self._changed = threading.Condition(self.lock)
        self._job: Job | None = None
        self._closed = False
        self._drawn = threading.Event()
        self._answering = False
        self._held_until = 0.0
        self._screen_tells = False
        self._thread = threading.Thread(target=self._run, name="promptscope-worker", daemon=True)

    @property
    def cancelled(self) -> bool:
        """Whether there is something newer to do. It is asked too often for a lock."""
        return self._job is not None or self._closed

    @property
    def superseded(self) -> bool:
        """Whether a newer job follows at once."""
        with self.lock:
            return self._job is not None and not self._closed

    def pause_for(self, seconds: float) -> None:
        """Pause for so long at most, unless an answer is waited for: something newer to do is likely."""
        with self._changed:
            self._held_until = time.monotonic() + seconds

    def should_stop(self) -> bool:
        """Whether there is something newer to do; what takes long asks now and then. Waits during `pause_for`."""
        if not self._answering and self._held_until > time.monotonic():
            with self._changed:
                while not self.cancelled and (left := self._held_until - time.monotonic()) > 0:
                    self._changed.wait(left)
        return self.cancelled

    def go_on(self) -> None:
        """As `should_stop`, but raises SupersededError."""
        if self.should_stop():
            raise SupersededError

    def start(self, scenario: Scenario) -> None:
        """Start the thread with a first job."""
        self.queue(scenario)
        self._thread.start()

    def close(self) -> None:
        """End the thread; it finishes the assembly that it is in."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._drawn.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def queue(self, scenario: Scenario) -> Job:
        """The job that comes next, now for this scenario."""
        with self._changed:
            if self._job is None:
                self._job = Job(scenario)
            self._job.scenario = scenario
            self._changed.notify_all()
            self._drawn.set()
            return self._job

    def drawn(self) -> None:
        """A screen has drawn the last snapshot."""
        self._screen_tells = True
        self._drawn.set()

    def let_draw(self, tell: Callable[[], None]) -> None:
        """Tell a screen something, and leave the interpreter to it until that is drawn or something newer is to do."""
        with self.lock:
            if self._job is None:
                self._drawn.clear()
        tell()
        if self._screen_tells:
            self._drawn.wait(DRAWING)
        self._answering = False

    def wake(self) -> None:
        """Look again whether `aside` is due."""
        with self._changed:
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._job is not None or self._closed or self._aside_due())
                if self._closed:
                    return
                job, self._job = self._job, None
                self._answering = job is not None
            try:
                if job is not None:
                    self._do(job)
                else:
                    self._aside()
            except SupersededError:
                self._pass_on(job)

    def _pass_on(self, cancelled: Job | None) -> None:
        """What a cancelled job reloaded, and gave no answer about, is new for the next one too."""
        with self.lock:
            if cancelled is not None and cancelled.reload and self._job is not None:
                self._job.reload = True
                self._job.paths |= cancelled.paths
