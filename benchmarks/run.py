"""How long things take, each as a ratio to a floor that is measured in the same run; milliseconds stand beside.

    uv run python benchmarks/run.py             everything, 2 minutes
    uv run python benchmarks/run.py commands    one part: commands, app, sizes or effects
    uv run python benchmarks/run.py -n 9        more repetitions (the median counts)

Absolute times say something about a machine, ratios about promptscope. Nothing here is a test.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from statistics import median

PROMPTSCOPE = [sys.executable, "-m", "promptscope_tui"]
AGENTS = ("roo", "claude-code", "openclaw")
REPOSITORY = Path(__file__).parent.parent
EFFECTS_TARGET = 0.150

MINIMAL_APP = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    BINDINGS = [("u", "flip", ""), ("q", "quit", "")]
    def compose(self):
        yield Static("hello", id="word")
    def action_flip(self):
        word = self.query_one(Static)
        self.flipped = not getattr(self, "flipped", False)
        word.update("changed" if self.flipped else "restored")
Minimal().run()
"""

LAST, OWN = b"last view", b"not watching"
"""What stands in the header of the frame that is kept, and of the first one that the app paints."""

PYDANTIC = "import json, click, pydantic\nclass M(pydantic.BaseModel):\n    a: int = 1\nM()"
"""What a command cannot do without."""

READ_ALL = """
import os, sys
for entry in sorted(os.scandir(sys.argv[1]), key=lambda e: e.name):
    with open(entry.path, encoding="utf-8") as file:
        file.read()
"""


def environment() -> dict[str, str]:
    """What the measured processes see: an empty home that all of them share, so that counts are warm."""
    home = str(SHARED)
    return {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def timed(what: Callable[[], object]) -> float:
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def often(what: Callable[[], float], times: int) -> float:
    """The median of several runs; the first one warms up and does not count."""
    what()
    return median(what() for _ in range(times))


def say(name: str, seconds: float, floor: float, of: str) -> None:
    print(f"  {name:44} {seconds / floor:7.2f} × {of:32} {seconds * 1000:9.1f} ms", flush=True)


def process(command: list[str], folder: Path) -> float:
    return timed(lambda: subprocess.run(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=True))


class Screen:
    """A process on a pty of 140 by 40."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.start = time.perf_counter()
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment(), stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)

    def until(self, word: bytes) -> float:
        """Seconds since `start` until the screen is given a word (an empty one: until it is given anything)."""
        seen = b""
        while not seen or word not in seen:
            if not select.select([self.master], [], [], 60)[0]:
                raise TimeoutError(f"{word!r} did not come")
            seen += os.read(self.master, 1 << 16)
        return time.perf_counter() - self.start

    def settle(self, quiet: float = 1.0) -> None:
        """Read until nothing came for a while."""
        while select.select([self.master], [], [], quiet)[0]:
            os.read(self.master, 1 << 16)

    def press(self, keys: bytes, word: bytes) -> float:
        """Seconds from a key to a word on the screen."""
        self.start = time.perf_counter()
        os.write(self.master, keys)
        return self.until(word)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@contextmanager
def screen(command: list[str], folder: Path) -> Iterator[Screen]:
    opened = Screen(command, folder)
    try:
        yield opened
    finally:
        opened.close()


def first_frame(command: list[str], folder: Path, word: bytes) -> float:
    with screen(command, folder) as shown:
        return shown.until(word)


def minimal_frame(times: int) -> float:
    return often(lambda: first_frame([sys.executable, "-c", MINIMAL_APP], SHARED, b"hello"), times)


def our_frame(folder: Path, times: int, agent: str = "roo", word: bytes = OWN) -> float:
    """Seconds to the first frame: the last one, which is shown at once, or the one that the app itself paints."""
    command = [*PROMPTSCOPE, "--agent", agent]
    process([*PROMPTSCOPE, "tokens", "--agent", agent], folder)  # the counts are warm
    with screen(command, folder) as shown:
        shown.until(b"live")
        shown.settle(2)  # the frame is kept once everything is found out
    return often(lambda: first_frame(command, folder, word), times)


def rules(name: str, texts: Iterator[str]) -> Path:
    """A repository with a rules folder."""
    folder = SHARED / name
    (folder / ".roo" / "rules").mkdir(parents=True)
    for number, text in enumerate(texts):
        (folder / ".roo" / "rules" / f"{number:05}.md").write_text(text)
    return folder


# --- the parts ------------------------------------------------------------------------------------------------------


def commands(times: int) -> None:
    """Start-up of each command, in a small repository, with warm counts."""
    shop = rules("shop", (f"Rule {number}: be kind.\n" for number in range(3)))
    floor = often(lambda: process([sys.executable, "-c", "pass"], shop), times)
    say("python -c pass", floor, floor, "itself")
    libraries = often(lambda: process([sys.executable, "-c", PYDANTIC], shop), times)
    say("json, click and pydantic with one model", libraries, floor, "python -c pass")
    for agent in AGENTS:
        seconds = often(lambda agent=agent: process([*PROMPTSCOPE, "show", "--agent", agent], shop), times)  # type: ignore[misc]
        say(f"promptscope show --agent {agent}", seconds, libraries, "json, click and pydantic")
    roo = ["--agent", "roo"]
    for words in (
        ["--version"],
        ["--help"],
        ["locate"],
        ["agents"],
        ["schema", "scenario"],
        ["show", "--format", "plain", *roo],
        ["show", *roo],
        ["show", "--format", "json", *roo],
        ["tools", *roo],
        ["files", *roo],
        ["why", "rules", *roo],
        ["tokens", *roo],
    ):
        seconds = often(lambda words=words: process([*PROMPTSCOPE, *words], shop), times)  # type: ignore[misc]
        say(f"promptscope {' '.join(words)}", seconds, floor, "python -c pass")

    def cold() -> float:
        shutil.rmtree(SHARED / ".cache", ignore_errors=True)
        return process([*PROMPTSCOPE, "tokens", *roo], shop)

    say("promptscope tokens, nothing counted before", often(cold, times), floor, "python -c pass")


def app(times: int) -> None:
    """The first frame, a switch, and a live reload, in a real terminal."""
    shop = rules("app", (f"Rule {number}: be kind.\n" for number in range(3)))
    floor = minimal_frame(times)
    say("minimal Textual app, first frame", floor, floor, "itself")
    for agent in AGENTS:
        say(f"{agent}, first frame: the last one", our_frame(shop, times, agent, LAST), floor, "minimal app")
        say(f"{agent}, first frame of its own", our_frame(shop, times, agent), floor, "minimal app")
    with screen([sys.executable, "-c", MINIMAL_APP], shop) as minimal:
        minimal.until(b"hello")
        minimal.settle()
        key = median(minimal.press(b"u", b"changed") + minimal.press(b"u", b"restored") for _ in range(times)) / 2
    with screen([*PROMPTSCOPE, "--agent", "roo"], shop) as ours:
        ours.until(b"live")
        ours.settle()
        for key_of_setup in b"fjjjj ":  # to the controls, and from `architect` down to `debug`
            ours.press(bytes([key_of_setup]), b"")
            ours.settle(0.3)
        there_and_back = []
        for _ in range(times):
            there_and_back.append(ours.press(b"u", b"architect"))
            ours.settle()
            there_and_back.append(ours.press(b"\x12", b"debug"))
            ours.settle()
        say("a switch, from key to repaint", median(there_and_back), key, "a key in the minimal app")
        event = median(_event(shop) for _ in range(times))
        reloads = []
        for number in range(times + 1):
            ours.start = time.perf_counter()
            (shop / "AGENTS.md").write_text("Use pnpm.\n" * (number + 1))
            reloads.append(ours.until(b""))
            ours.settle()
        say("a save, from write to repaint", median(reloads[1:]), event, "watchfiles' event alone")


def _event(folder: Path) -> float:
    """Seconds from a write until watchfiles tells of it, with our settings."""
    from watchfiles import watch

    from promptscope_tui.session.watcher import DEBOUNCE, STEP

    armed, stop, seen = threading.Event(), threading.Event(), threading.Event()

    def listen() -> None:
        for batch in watch(
            folder,
            debounce=DEBOUNCE,
            step=STEP,
            recursive=False,
            stop_event=stop,
            rust_timeout=STEP,
            yield_on_timeout=True,
        ):
            (seen if batch else armed).set()

    thread = threading.Thread(target=listen)
    thread.start()
    armed.wait()
    start = time.perf_counter()
    (folder / "event.md").write_text(str(start))
    seen.wait()
    took = time.perf_counter() - start
    stop.set()
    thread.join()
    return took


def sizes(times: int) -> None:
    """Large inputs: many sections, a huge one, and thousands of files."""
    floor = minimal_frame(times)
    many = rules("many", (f"Rule {number}\n\nAlways be kind, and say why.\n" for number in range(500)))
    say("500 sections, first frame", our_frame(many, times), floor, "minimal app, first frame")
    huge = rules("huge", iter(["All work and no play makes a dull rule.\n" * 52_000]))
    say("a section of 2 MB, first frame", our_frame(huge, times), floor, "minimal app, first frame")
    thousands = rules("thousands", (f"Rule {number}: be kind.\n" for number in range(5000)))
    folder = str(thousands / ".roo" / "rules")
    reading = often(lambda: process([sys.executable, "-c", READ_ALL, folder], SHARED), times)
    for words in (["show", "--format", "plain"], ["tokens"]):
        seconds = often(lambda words=words: process([*PROMPTSCOPE, *words, "--agent", "roo"], thousands), times)  # type: ignore[misc]
        say(f"5,000 rule files, {' '.join(words)}", seconds, reading, "python reading the files")


def effects(times: int) -> None:
    """Every switch and mode of Roo on this repository, once the counts are warm."""
    from promptscope_engine import Counter, Scenario, Workspace, assemble
    from promptscope_engine import effects as effects_of
    from promptscope_engine.tokens import get_tokenizer

    scenario = Scenario(agent="roo", workspace=str(REPOSITORY), home=str(SHARED))
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    count = len(effects_of(scenario, workspace, counter))
    once = often(lambda: timed(lambda: assemble(scenario, workspace, counter)), times)
    every = often(lambda: timed(lambda: effects_of(scenario, workspace, counter)), times)
    say(f"all {count} effects", every, EFFECTS_TARGET, "the target of 150 ms")
    say("  for each of them", every / count, once, "one assembly")


PARTS = {part.__name__: part for part in (commands, app, sizes, effects)}

if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all of them if none is named")
    arguments.add_argument("-n", type=int, default=5, dest="times", help="repetitions (5)")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as shared:
        SHARED = Path(shared).resolve()
        for name in chosen.parts or PARTS:
            print(f"{name}: {(PARTS[name].__doc__ or '').strip()}")
            PARTS[name](chosen.times)
