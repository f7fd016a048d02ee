"""What the census can be asked to do."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.oracle.clients.client import MissingClientError

from .asking import Plan, ask
from .changes import change
from .comparing import Verdict, groups, verdicts
from .knobs import knobs_of, turns_of
from .known import excuse, write_pending
from .news import names_in
from .pairs import pairs
from .running import asked, predicted
from .store import STORE, rows
from .told import file_of, told
from .worlds import AGENTS, turned, variants, world_of

MISSING = 3
"""The exit status where a client is not installed."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; without one, hold promptscope against the store."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except MissingClientError as missing:
        sys.stderr.write(f"{missing}\n")
        return MISSING


def _compare(options: argparse.Namespace) -> int:
    """Print a table by kind and, last, how many of the knobs that change something are predicted."""
    right = total = 0
    for agent in [options.agent] if options.agent else AGENTS:
        found = [one for one in _compared(agent, options.store) if not options.only or options.only in one.row.key]
        found = [one for one in found if not excuse(agent, one.row.key)]
        good, all_of_it = _table(agent, found)
        right, total = right + good, total + all_of_it
        if options.verbose:
            for one in found:
                if not one.is_right:
                    _say(f"{one.name}: {' + '.join(turn.key for turn in one.row.turns)}")
                    for why in one.why:
                        _say(f"    {why}")
    _say(f"{right} of {total} knobs")
    return int(right < total)


def _compared(agent: str, store: Path) -> list[Verdict]:
    with ProcessPoolExecutor(2) as pool:
        return [one for some in pool.map(verdicts, groups(rows(agent, store))) for one in some]


def _table(agent: str, found: Iterable[Verdict]) -> tuple[int, int]:
    """Print a row a kind: knobs known, asked, that change the request or stop the client, and those predicted.

    A knob in which promptscope sees a change that the client doesn't make counts as one that changes the request.
    """
    kinds: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        kind = one.row.turns[0].knob.kind if len(one.row.turns) == 1 else "several together"
        kinds[kind][" + ".join(str(turn.knob.names) for turn in one.row.turns)].append(one)
    known = Counter(knob.kind for knob in knobs_of(agent))
    _say(f"{agent:34}{'known':>7}{'asked':>7}{'change':>8}{'right':>7}")
    right = total = 0
    for kind, by_knob in kinds.items():
        counted = [ones for ones in by_knob.values() if any(one.row.matters or not one.is_right for one in ones)]
        good = sum(all(one.is_right for one in ones) for ones in counted)
        _say(f"  {kind:32}{known[kind]:7}{len(by_knob):7}{len(counted):8}{good:7}")
        right, total = right + good, total + len(counted)
    return right, total


def _ask(options: argparse.Namespace) -> int:
    """Ask the real client about every turn that the store lacks, or about those whose key holds a text."""
    worlds = {options.world} if options.world else {"base", *variants(options.agent)}
    turns = [turn for turn in turns_of(options.agent) if not options.only or options.only in turn.key]
    if options.second:  # the knobs that change something, in another world than their own
        keys = {turn.key for row in rows(options.agent, options.store) if row.matters for turn in row.turns}
        given = {f"--{name}" for name in world_of(options.agent, options.second).get("args", {})}  # it has these turned
        single = [turn for turn in turns if turn.knob.world == "base" and turn.knob.turned_as != "files"]
        single = [turn for turn in single if turn.knob.knob not in given]
        wanted = [(options.second, (turn,)) for turn in single if turn.key in keys]
    else:
        wanted = [(turn.knob.world, (turn,)) for turn in turns if turn.knob.world in worlds]
    ask(_plan(options), wanted)
    return 0


def _pairs(options: argparse.Namespace) -> int:
    """Ask about pairs of turns that change something: all pairs of two knobs of one subsystem, others as drawn."""
    plan = _plan(options)
    plan.suffix = "-pairs"
    ask(plan, [("base", turns) for turns in pairs(rows(options.agent, options.store), options.seed)])
    return 0


def _base(options: argparse.Namespace) -> int:
    """Say how far the prediction of a world is off before anything is turned."""
    from tests.oracle.namespace import enter_namespace

    enter_namespace()
    start = turned(options.agent, options.world or "base")
    real, ours = asked(start), predicted(start)
    _say(f"client: {real.why or 'asks'}; promptscope: {ours.why or 'predicts'} {ours.notes}")
    if real.seen is not None and ours.seen is not None:
        _say(str(sorted(real.seen["marks"].items())))
        for key, value in change(real.seen, ours.seen).items():
            _say(f"  {key} {value}"[:600])
    return 0


def _new(options: argparse.Namespace) -> int:
    """Print the names in schemas, help texts or lists that the agent's knobs lack."""
    known = {part for knob in knobs_of(options.agent) for part in (knob.knob, knob.knob.rsplit(".", 1)[-1])}
    for path in options.sources:
        for name in sorted(names_in(path.read_text()) - known):
            _say(f"{path.name}: {name}")
    return 0


def _pending(options: argparse.Namespace) -> int:
    """Write down anew which rows promptscope has wrong."""
    write_pending(options.agent, _compared(options.agent, STORE))
    return 0


def _told(options: argparse.Namespace) -> int:
    """Write down anew what `why` tells of the knobs that the client was asked about."""
    file_of(options.agent).write_text(told(options.agent), "utf-8")
    return 0


def _plan(options: argparse.Namespace) -> Plan:
    return Plan(
        options.agent, options.store, minutes=options.minutes, seed=options.seed, size=options.size, jobs=options.jobs
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.census", description=__doc__)
    parser.set_defaults(run=_compare)
    _common(parser)
    parser.add_argument("--agent", choices=AGENTS)
    parser.add_argument("--verbose", action="store_true", help="every mistake")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, run in (
        ("ask", _ask),
        ("pairs", _pairs),
        ("base", _base),
        ("pending", _pending),
        ("told", _told),
        ("new", _new),
    ):
        one = commands.add_parser(name, help=(run.__doc__ or "").splitlines()[0], description=run.__doc__)
        one.set_defaults(run=run)
        one.add_argument("agent", choices=AGENTS)
        one.add_argument("--world", help="the turns of this world alone")
        if name == "new":
            one.add_argument("sources", nargs="+", type=Path)
        else:
            _common(one)
            one.add_argument("--minutes", type=float, default=60.0)
            one.add_argument("--seed", type=int, default=0)
            one.add_argument("--size", type=int, default=8, help="turns to a run")
            one.add_argument("--jobs", type=int, default=2, help="runs at once")
            one.add_argument("--second", metavar="WORLD", help="what changes something, again in this world")
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--only", default="", metavar="TEXT", help="turns whose key holds a text")
