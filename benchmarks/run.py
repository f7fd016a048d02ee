"""How long things take, each as a ratio to a floor that is measured in the same run; milliseconds are beside.

    uv run --group test python benchmarks/run.py          everything
    uv run --group test python benchmarks/run.py app      one part: commands, checks, app, changes, many, huge, memory,
                                                rest or effects
    uv run --group test python benchmarks/run.py -n 9     more repetitions (the median counts)
    uv run --group test python benchmarks/run.py changes --agent codex
                                                of the parts for each agent, what is about this one (also several)

A time goes from the start of a process, a key or a write to the bytes on a terminal that show it. Where there is a
target, the row says whether it was met. Absolute times say something about a machine, ratios about promptscope. Nothing
here is a test.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import floors
from terminal import Terminal, terminal

PYTHON = [sys.executable, "-c"]
PROMPTSCOPE = [sys.executable, "-m", "promptscope_tui"]
FILES = {
    "roo": ".roo/rules/00000.md",
    "claude-code": "CLAUDE.md",
    "openclaw": "AGENTS.md",
    "codex": "AGENTS.md",
    "gemini": "GEMINI.md",
}
"""Each agent with a file that it reads."""
AGENTS = tuple(FILES)
REPOSITORY = Path(__file__).parent.parent


def environment(**more: str) -> dict[str, str]:
    """What the measured processes see: an empty home that all of them share, so that counts are warm."""
    home = str(SHARED / "home")
    return {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", **more}


def _trust() -> None:
    """Gemini CLI does not start in a folder that nobody trusts, and no mode but the default one holds there."""
    trusted = SHARED / "home" / ".gemini" / "trustedFolders.json"
    trusted.parent.mkdir()
    trusted.write_text(json.dumps({str(SHARED): "TRUST_FOLDER"}))


def timed(what: Callable[[], object]) -> float:
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def often(what: Callable[[], float], times: int) -> float:
    """The median of several runs; the first one warms up and does not count."""
    what()
    return median(what() for _ in range(times))


def alternately(times: int, *what: Callable[[], float]) -> list[float]:
    """The median of each, measured in turns: what else the machine does meets all of them alike."""
    rounds = [[measure() for measure in what] for _ in range(times + 1)]
    return [median(column[1:]) for column in zip(*rounds, strict=True)]


def tell(name: str, value: float, floor: float, of: str, most: float | None = None) -> None:
    """A row: how many times its floor, the value in milliseconds (or in MB, if it is that large), and the verdict."""
    verdict = "" if most is None else f"   at most {most:.2f}: {'met' if value / floor <= most else 'MISSED'}"
    shown, unit = (value / 1e6, "MB") if value > _BYTES else (value * 1000, "ms")
    print(f"  {name:42} {value / floor:6.2f} × {of:34} {shown:9.1f} {unit}{verdict}", flush=True)


_BYTES = 1e6
"""No time is so long: the value is a size."""


def above(name: str, value: float, floor: float, of: str, most: float) -> None:
    """A row whose target is a time above the floor."""
    more = value - floor
    verdict = f"at most +{most * 1000:.0f}: {'met' if more <= most else 'MISSED'}"
    print(f"  {name:42} {more * 1000:+6.1f} ms on {of:31} {value * 1000:9.1f} ms   {verdict}", flush=True)


def process(command: list[str], folder: Path, **env: str) -> float:
    where = environment(**env)
    return timed(
        lambda: subprocess.run(
            command, cwd=folder, env=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
        )
    )


def rules(name: str, texts: Iterable[str]) -> Path:
    """A repository with a folder of rules."""
    folder = SHARED / name
    (folder / ".roo" / "rules").mkdir(parents=True)
    for number, text in enumerate(texts):
        (folder / ".roo" / "rules" / f"{number:05}.md").write_text(text)
    return folder


def short_rules(number: int) -> Iterator[str]:
    """Rules of one line."""
    return (f"Rule {n}: be kind.\n" for n in range(number))


def long_rules(number: int) -> Iterator[str]:
    """Rules of four kilobytes; no line is in them twice, as in what people write."""
    return (f"# Rule {n}\n{points(f'rule {n}', 52)}" for n in range(number))


def points(of: object, number: int) -> str:
    """A list of sentences that are nowhere else."""
    return "".join(
        f"- In {of}, prefer {n * 31} over {n * 17 + 3} for {_NOUNS[n % 11]} {n}, and say why in the commit.\n"
        for n in range(number)
    )


_NOUNS = ("tests", "names", "errors", "queries", "colours", "dates", "paths", "logs", "forms", "prices", "queues")


@contextmanager
def opened(folder: Path, agent: str = "roo", **env: str) -> Iterator[Terminal]:
    """The app once everything is found out and painted."""
    with terminal([*PROMPTSCOPE, "--agent", agent], folder, environment(**env)) as shown:
        shown.until(lambda screen: "live" in screen)
        shown.settle(2)
        yield shown


def first_frame(command: list[str], folder: Path, word: str, **env: str) -> float:
    with terminal(command, folder, environment(**env)) as shown:
        return shown.until(lambda screen: word in screen)


def kept_frame(folder: Path, agent: str = "roo") -> Callable[[], float]:
    """Measures the start of the app in a folder where it was open before: counts are warm, its last frame is kept."""
    with opened(folder, agent):
        pass
    return lambda: first_frame([*PROMPTSCOPE, "--agent", agent], folder, "last view")


def own_frame(folder: Path, agent: str = "roo") -> float:
    """The first frame that the app paints itself."""
    return first_frame([*PROMPTSCOPE, "--agent", agent], folder, "watching", PROMPTSCOPE_LAST_FRAME="0")


def minimal_frame() -> float:
    return first_frame([*PYTHON, floors.APP], SHARED, "hello")


def saves(shown: Terminal, file: Path) -> Callable[[], float]:
    """Measures from a write of a file to its text on the screen."""
    numbers = itertools.count()

    def save() -> float:
        shown.settle()
        word = f"saved{next(numbers)}"
        shown.start = time.perf_counter()
        file.write_text(f"{word}: be kind.\n")
        return shown.until(lambda screen: word in screen)

    return save


RULE_KEYS = "G{{{ljjjjj"
"""Up from the end over what follows the rules, to the last one; unfold it if it is not, and down into its text."""


@contextmanager
def rule_shown(folder: Path, name: str, keys: str) -> Iterator[Callable[[], float]]:
    """The app with a panel of a rule file open; measures a save of that file."""
    with opened(folder) as shown:
        for key in keys:
            shown.write(key)
            shown.settle(0.5)
        yield saves(shown, folder / ".roo" / "rules" / name)


# --- the parts ------------------------------------------------------------------------------------------------------


def commands(times: int) -> None:
    """Commands in a small repository, with warm counts."""
    shop = rules("shop", short_rules(3))
    libraries, *shows = alternately(
        times,
        lambda: process([*PYTHON, floors.LIBRARIES], shop),
        *(partial(process, [*PROMPTSCOPE, "show", "--agent", agent], shop) for agent in AGENTS),
    )
    for agent, seconds in zip(AGENTS, shows, strict=True):
        tell(f"promptscope show --agent {agent}", seconds, libraries, "json, click and pydantic", 1.5)
    metadata, version = alternately(
        times,
        lambda: process([*PYTHON, floors.METADATA], shop),
        lambda: process([*PROMPTSCOPE, "--version"], shop),
    )
    tell("promptscope --version", version, metadata, "importlib.metadata", 1.5)
    roo = ["--agent", "roo"]
    for words in (
        ["--help"],
        ["locate"],
        ["agents"],
        ["schema", "scenario"],
        ["show", "--format", "json", *roo],
        ["tools", *roo],
        ["files", *roo],
        ["why", "rules", *roo],
        ["tokens", *roo],
    ):
        seconds = often(partial(process, [*PROMPTSCOPE, *words], shop), times)
        tell(f"promptscope {' '.join(words)}", seconds, libraries, "json, click and pydantic")


def checks(times: int) -> None:
    """`check` in a monorepo with 500 instruction files, no two of which are alike, with warm counts."""
    folder = _monorepo("monorepo")
    check = [*PROMPTSCOPE, "check"]
    encode, every, one = alternately(
        times,
        lambda: process([*PYTHON, floors.ENCODE, str(folder)], SHARED),
        lambda: process(check, folder),
        lambda: process([*check, "--agent", "claude-code"], folder),
    )
    tell("check of 500 files, all agents", every, encode, "reading and encoding them", 3)
    tell("check of 500 files, Claude Code", one, encode, "reading and encoding them", 1.2)


def _monorepo(name: str) -> Path:
    """A hundred packages with files of three agents each; rules for packages, skills, sub-agents; 3,000 other files."""
    folder = SHARED / name
    names = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
    files = {name: points(name, 40) for name in names}
    for package in range(100):
        at = f"packages/p{package:02}"
        files |= {f"{at}/{name}": points(f"{at} {name}", 15) for name in names}
        files |= {f"{at}/src/m{number:02}.ts": "export const a = 1;\n" for number in range(30)}
    for rule in range(77):
        files[f".claude/rules/r{rule:02}.md"] = f"---\npaths: packages/p{rule:02}/**/*.ts\n---\n{points(rule, 12)}"
    for rule in range(60):
        files[f".roo/rules/r{rule:02}.md"] = points(f"roo {rule}", 12)
    for number in range(40):
        head = f"---\nname: s{number:02}\ndescription: Does the thing number {number}.\n---\n"
        files[f".claude/skills/s{number:02}/SKILL.md"] = head + points(f"skill {number}", 12)
    for number in range(20):
        head = f"---\nname: a{number:02}\ndescription: Looks after part {number}.\n---\n"
        files[f".claude/agents/a{number:02}.md"] = head + points(f"agent {number}", 12)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=folder, env=environment(), check=True)
    return folder


def app(times: int) -> None:
    """The first frame."""
    folder = rules("app", short_rules(3))
    frames = [kept_frame(folder, agent) for agent in AGENTS]
    minimal, *kept = alternately(times, minimal_frame, *frames)
    for agent, seconds in zip(AGENTS, kept, strict=True):
        tell(f"{agent}, first frame", seconds, minimal, "minimal app", 0.3)
    first_frames = (partial(own_frame, folder, agent) for agent in AGENTS)
    minimal, *own = alternately(times, minimal_frame, *first_frames)
    for agent, seconds in zip(AGENTS, own, strict=True):
        tell(f"{agent}, first frame without a kept one", seconds, minimal, "minimal app", 2)


def changes(times: int) -> None:
    """Switches of modes and flags, and a save of a file, for each agent."""
    watched = SHARED / "watched"
    watched.mkdir()
    for agent in AGENTS:
        folder = rules(f"changes-{agent}", short_rules(3))
        (folder / FILES[agent]).write_text("Be kind.\n")
        _switch(times, folder, agent)
        with (
            terminal([*PYTHON, floors.WATCHING_APP, str(watched)], folder, environment()) as small,
            opened(folder, agent) as ours,  # which begins at the user's own file
        ):
            small.until(lambda screen: "hello" in screen)
            floor, took = alternately(times, saves(small, watched / "rule.md"), saves(ours, folder / FILES[agent]))
        tell(f"{agent}: a save, from write to repaint", took, floor, "minimal watching app", 1.6)


def _switch(times: int, folder: Path, agent: str) -> None:
    """Each mode and some flags for the first time in a session, and back and forth between two modes."""
    now, modes, flags = _switches(folder, agent)
    with terminal([*PYTHON, floors.APP], folder, environment()) as small, opened(folder, agent) as ours:
        small.until(lambda screen: "hello" in screen)
        small.settle()
        words = itertools.cycle(("changed", "restored"))

        def key() -> float:
            word = next(words)
            return small.press("u", lambda screen: word in screen)

        def first_time(rows: int, word: str, tokens: int) -> tuple[float, float]:
            for _ in range(rows - 1):
                ours.write("j")
                ours.settle(0.5)
            assert word not in ours.text
            # Both keys at once: what is prepared while the cursor rests on a switch is not measured.
            return key(), ours.press("j ", lambda screen: word in screen and f"≈ {first + tokens:,} of" in screen)

        first = int(re.findall(r"≈ ([\d,]+) of", ours.text)[0].replace(",", ""))
        key()
        ours.press("f", lambda screen: "enter change" in screen)
        to_modes = [first_time(*each) for each in modes]
        before, last = [now, *(word for _, word, _ in modes)][-2:]
        floor, back, forth = alternately(
            times,
            key,
            lambda: ours.press("u", lambda screen: before in screen),
            lambda: ours.press("\x12", lambda screen: last in screen),
        )
        ours.write("U")  # in the first mode, where each of them was seen to change the prompt
        ours.settle(0.5)
        to_flags = []
        for each in flags:
            to_flags.append(first_time(*each))
            ours.write("u")
            ours.settle(0.5)
    for name, pairs in (("another mode", to_modes), ("a flag", to_flags)):
        small_took, took = (median(column) for column in zip(*pairs, strict=True))
        above(f"{agent}: {name}, first time, to its total", took, small_took, "a key in the minimal app", 0.060)
    above(f"{agent}: back and forth, to repaint", max(back, forth), floor, "a key in the minimal app", 0.033)


_TITLE = 20
"""Characters of a flag's title that are shown whatever is beside it."""

Steps = list[tuple[int, str, int]]
"""Switches from top to bottom: how many rows of the controls below the last one, what the screen shows once it is set,
and the tokens that it adds to the first total."""


def _switches(folder: Path, agent: str) -> tuple[str, Steps, Steps]:
    """What is shown of the mode in force, the steps to the others, and from there to each flag that changes the prompt.

    The controls begin at the agent."""
    from promptscope_engine import Scenario, assemble, effects
    from promptscope_tui.session.inputs import AgentInputs
    from promptscope_tui.session.snapshot import Snapshot
    from promptscope_tui.views.controls.rows import OFF, ON, control_rows

    scenario = Scenario(agent=agent, workspace=str(folder), home=str(SHARED / "home"))
    assembly = assemble(scenario)
    snapshot = Snapshot(scenario, assembly)
    inputs = AgentInputs.shown(snapshot)
    assert inputs is not None

    def tokens_of(mode: str | None) -> int:
        return assemble(scenario.model_copy(update={"mode": mode})).tokens.expected or 0

    found = effects(scenario, base=assembly)
    acting = {effect.param: effect.tokens for effect in found if effect.tokens and not effect.error}
    modes = [
        (1 + row, f"› {mode.slug} ", tokens_of(mode.slug) - tokens_of(None))
        for row, mode in enumerate(assembly.modes)
        if mode.slug != assembly.mode
    ]
    flags = []
    rows = [row for row in control_rows(snapshot, inputs, 34) if row.key is not None]
    for number, row in enumerate(rows):
        field = inputs.field(row.key.param)
        if field is not None and field.kind == "bool" and field.name in acting:
            now = "".join(span.text for span in row.left)
            title = f"{field.title} "[:_TITLE]
            flags.append((number, f"{OFF if now.startswith(ON) else ON}{title}", acting[field.name]))
    return f"› {assembly.mode} ", _steps(modes, 0), _steps(flags, modes[-1][0])


def _steps(places: Steps, at: int) -> Steps:
    """The rows from each place to the next one."""
    found = []
    for row, word, tokens in places:
        found.append((row - at, word, tokens))
        at = row
    return found


def many(times: int) -> None:
    """Thousands of files."""
    thousands = rules("thousands", long_rules(5000))
    folder = str(thousands / ".roo" / "rules")

    def cold() -> float:
        shutil.rmtree(SHARED / "home" / ".cache", ignore_errors=True)
        return warm()

    def warm() -> float:
        return process([*PROMPTSCOPE, "tokens", "--agent", "roo"], thousands)

    encode, cold_took, warm_took = alternately(
        times, lambda: process([*PYTHON, floors.ENCODE, folder], SHARED), cold, warm
    )
    tell("tokens of 5,000 rule files, cold", cold_took, encode, "reading and encoding them", 1.5)
    tell("tokens of 5,000 rule files, warm", warm_took, encode, "reading and encoding them", 0.5)
    few = rules("few", long_rules(5))
    with (
        rule_shown(few, "00004.md", RULE_KEYS) as save,
        rule_shown(thousands, "04999.md", RULE_KEYS) as save_one_of_many,
    ):
        of_few, of_many = alternately(times, save, save_one_of_many)
    above("a save of one of 5,000 files", of_many, of_few, "the same among 5", 0.060)


def huge(times: int) -> None:
    """A section of 2 MB."""
    folder = rules("huge", [points("2 MB", 26_000)])
    file = str(folder / ".roo" / "rules" / "00000.md")
    bare, kept, own = alternately(
        times,
        lambda: first_frame([*PYTHON, floors.VIEW_APP, file, "open"], folder, _FIRST_LINE),
        kept_frame(folder),
        lambda: own_frame(folder),
    )
    tell("a section of 2 MB, first frame", kept, bare, "a bare view of the text", 1.6)
    tell("a section of 2 MB, without a kept frame", own, bare, "a bare view of the text", 2)

    view = [*PYTHON, floors.VIEW_APP, file]
    rounds = [_opening_and_paging(view, folder, times) for _ in range(times)]
    of = "the same in the bare view"
    for name, pairs in zip(("opening it", "opening it again", "a page of it"), zip(*rounds, strict=True), strict=True):
        small, large = (median(column) for column in zip(*pairs, strict=True))
        tell(name, large, small, of, 1.5)


def _opening_and_paging(view: list[str], folder: Path, times: int) -> list[tuple[float, float]]:
    """The first opening, another one, and a page: each in the bare view and in ours, which were both just started."""
    with terminal(view, folder, environment()) as small, opened(folder) as ours:
        small.settle()
        for key in "Gkkk":  # below the rules there are rows for history, task and environment
            ours.write(key)
            ours.settle(0.5)
        both = small, ours
        first = [_open(shown) for shown in both]
        again = alternately(times, *(partial(_open_again, shown) for shown in both))
        pages = alternately(times, *(partial(_page, shown) for shown in both))
    return [(measured[0], measured[1]) for measured in (first, again, pages)]


_FIRST_LINE = "prefer 0 over 3"


def _open(shown: Terminal) -> float:
    return shown.press(" ", lambda screen: _FIRST_LINE in screen)


def _open_again(shown: Terminal) -> float:
    """Close the section, and open it once it is closed."""
    shown.settle(0.3)
    shown.press(" ", lambda screen: _FIRST_LINE not in screen)
    shown.settle(0.3)
    return _open(shown)


def _page(shown: Terminal) -> float:
    """From page down to the first line that was not shown before."""
    shown.settle(0.3)
    before = shown.text
    return shown.press("\x1b[6~", lambda screen: screen != before)


def memory(times: int) -> None:  # noqa: ARG001 - a part as the others
    """Five hundred sections, all open."""
    folder = rules("hundreds", (f"Rule {n}\n\nAlways be kind, and say why.\n" for n in range(500)))
    with terminal([*PYTHON, floors.ENCODING_APP], folder, environment()) as small, opened(folder) as ours:
        small.until(lambda screen: "hello" in screen)
        small.settle(2)
        ours.write("z")
        ours.settle(2)
        tell("memory with 500 sections open", ours.memory(), small.memory(), "minimal app with the encoding", 1.5)


def rest(times: int) -> None:
    """What the app does while nothing happens."""
    folder = rules("rest", short_rules(3))
    watched = folder / "watched"
    watched.mkdir()
    with terminal([*PYTHON, floors.WATCHING_APP, str(watched)], folder, environment()) as small, opened(folder) as ours:
        small.until(lambda screen: "hello" in screen)
        small.settle(5)
        ours.settle(5)
        floor, ours_took = small.processor(3.0 * times), ours.processor(3.0 * times)
        print(f"  processor at rest: {ours_took:.2%}, the minimal watching app {floor:.2%}")


def effects(times: int) -> None:
    """Every switch and mode of Roo on this repository, once the counts are warm."""
    from promptscope_engine import Counter, Scenario, Workspace, assemble
    from promptscope_engine import effects as effects_of
    from promptscope_engine.tokens.models import get_tokenizer

    scenario = Scenario(agent="roo", workspace=str(REPOSITORY), home=str(SHARED))
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    count = len(effects_of(scenario, workspace, counter))
    once = often(lambda: timed(lambda: assemble(scenario, workspace, counter)), times)
    every = often(lambda: timed(lambda: effects_of(scenario, workspace, counter)), times)
    tell(f"all {count} effects", every, once, "one assembly")


PARTS = {part.__name__: part for part in (commands, checks, app, changes, many, huge, memory, rest, effects)}

if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all of them if none is named")
    arguments.add_argument("-n", type=int, default=5, dest="times", help="repetitions (5)")
    arguments.add_argument("--agent", choices=AGENTS, nargs="+", default=AGENTS, help="of these agents only")
    chosen = arguments.parse_args()
    AGENTS = tuple(chosen.agent)
    with tempfile.TemporaryDirectory() as shared:
        SHARED = Path(shared).resolve()
        (SHARED / "home").mkdir()
        _trust()
        for name in chosen.parts or PARTS:
            print(f"{name}: {(PARTS[name].__doc__ or '').strip()}")
            PARTS[name](chosen.times)
