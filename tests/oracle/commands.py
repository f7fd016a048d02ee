"""What the oracle can be asked to do."""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from . import audit, repositories
from .clients import NAMES
from .clients.client import MissingClientError
from .comparing import UNCOUNTED, Difference
from .composing import composed
from .known import known, signatures, write_pending
from .namespace import enter_namespace
from .predicting import predicted
from .recording import record
from .recordings import STORE, Recording, blank_of, found_in, read, stored
from .running import asked
from .shrinking import Shrinker
from .situation import Situation

MISSING = 3
"""The exit status where a client is not installed."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status is 1 where something differs that is not known, or where something failed."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except MissingClientError as missing:
        sys.stderr.write(f"{missing}\n")
        return MISSING


def _compare(options: argparse.Namespace) -> int:
    """Hold promptscope against the store."""
    traits: dict[tuple[str, str], list[bool]] = defaultdict(list)
    agree: dict[str, list[bool]] = defaultdict(list)
    new = 0
    for recording, found in _compared(options):
        situation = recording.situation
        counted = [one for one in found if one.kind not in UNCOUNTED]
        agree[recording.client].append(not counted)
        wrong = {one.trait or (situation.traits[0] if len(situation.traits) == 1 else None) for one in counted}
        for name in situation.traits:
            traits[recording.client, name].append(name not in wrong)
        expected = known(recording.name) if options.store == STORE else []
        unknown = [one for one in counted if one.signature not in expected]
        new += len(unknown)
        if options.verbose and found:
            _say(f"{recording.name} {'+'.join(situation.traits)}")
            for one in found:
                _say(f"    {_shown(one)}{' (new)' if one in unknown else ''}")
    for client, said in agree.items():
        _say(f"\n{client}: {sum(said)} of {len(said)} situations agree in every fact")
        for (other, name), told in sorted(traits.items()):
            if other == client and not all(told):
                _say(f"    {name:24} {sum(told)} of {len(told)}")
    _say(f"\n{new} differences that are not known")
    return int(new > 0)


def _pending(options: argparse.Namespace) -> int:
    """Write down what is still being mended."""
    found: dict[str, dict[str, list[str]]] = {client: {} for client in options.clients or NAMES}
    for recording, different in _compared(options):
        found[recording.client][recording.name] = signatures(different)
    for client, rows in found.items():
        write_pending(client, rows)
    return 0


def _record(options: argparse.Namespace) -> int:
    enter_namespace()
    arguments = {"only": options.only, "twice": options.twice, "again": options.again}
    return int(record(options.client, options.seeds, options.store, **arguments) > 0)


def _ask(options: argparse.Namespace) -> int:
    enter_namespace()
    _say(json.dumps(asked(_situation(options.path), keep=options.keep), ensure_ascii=False, indent=1))
    return 0


def _predict(options: argparse.Namespace) -> int:
    _say(json.dumps(predicted(_situation(options.path), keep=options.keep), ensure_ascii=False, indent=1))
    return 0


def _compose(options: argparse.Namespace) -> int:
    situation = composed(options.client, options.seed, options.trait)
    _say(json.dumps(situation.to_json(), ensure_ascii=False, indent=1))
    return 0


def _shrink(options: argparse.Namespace) -> int:
    recording = read(options.path)
    found = found_in(recording)
    if options.list or not found:
        for number, one in enumerate(found):
            _say(f"{number} {_shown(one)}")
        return 0
    enter_namespace()
    shrinker = Shrinker(recording.situation, found[options.difference], blank_of(recording.client), options.tries)
    if not shrinker.holds(recording.situation):
        sys.stderr.write("the difference does not come again\n")
        return 1
    small = shrinker.run()
    _say(_shown(shrinker.difference))
    _say(json.dumps(small.to_json(), ensure_ascii=False, indent=1))
    if options.to:
        Recording(recording.client, small, asked(small)).write(options.to)
    return 0


def _repositories(options: argparse.Namespace) -> int:
    """A table of what verify explains of a run in each kind of repository."""
    enter_namespace()
    clients = options.clients or ["claude-code", "codex", "gemini", "openclaw", "opencode", "copilot"]
    how = repositories.How(options.interactive, options.learned, options.client_path)
    _say(f"{'repository':26} {'client':12} {'explained':>9} {'word for word':>13} {'characters':>10}")
    for kind, client, found in repositories.rows(clients, options.kinds or list(repositories.KINDS), how):
        shares = f"{found.explained:9.1%} {found.equal:13.1%} {found.characters:10,}"
        rest = found.failed or ", ".join(found.unexplained)
        _say(f"{kind:26} {client:12} {shares} {rest[:120]}")
        sys.stdout.flush()
    return 0


def _audit(options: argparse.Namespace) -> int:
    """Look for vendors' words in the store."""
    found = [(one.name, text) for one in stored(store=options.store) for text in audit.foreign(one.facts)]
    for name, text in found:
        _say(f"{name}: {text[:100]}")
    return int(bool(found))


def _compared(options: argparse.Namespace) -> Iterator[tuple[Recording, list[Difference]]]:
    """The comparable recordings that the options choose, each with its differences; two processes at work."""
    all_of_them = stored(options.clients or NAMES, options.store)
    chosen = [one for one in all_of_them if one.is_comparable and options.trait in (None, *one.situation.traits)]
    with ProcessPoolExecutor(2) as pool:
        yield from zip(chosen, pool.map(found_in, chosen, chunksize=4), strict=True)


def _situation(path: Path) -> Situation:
    row = json.loads(path.read_text())
    return Situation.of_json(row.get("situation", row))


def _shown(one: Difference) -> str:
    sides = [json.dumps(side, ensure_ascii=False)[:160] for side in (one.real, one.predicted)]
    return f"{one.kind:13} {one.item[:60]:20} [{one.label[:90]}] real {sides[0]} predicted {sides[1]}"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _seeds(text: str) -> list[int]:
    found: list[int] = []
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    commands = parser.add_subparsers(required=True)

    def command(name: str, run: object, about: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(run=run, trait=None, clients=NAMES)
        return one

    compare = command("compare", _compare, "hold promptscope against the store")
    compare.add_argument("--trait", help="situations with this trait")
    compare.add_argument("--verbose", action="store_true", help="every difference")
    pending = command("pending", _pending, "write down anew which differences are being mended")
    audits = command("audit", _audit, "look for vendors' words in the store")
    made = command("repositories", _repositories, "capture and verify in repositories of eight kinds")
    made.add_argument("--kind", dest="kinds", action="append", choices=list(repositories.KINDS))
    made.add_argument("--interactive", action="store_true", help="on a pseudo-terminal")
    made.add_argument("--learned", action="store_true", help="with what `promptscope learn` keeps on this machine")
    made.add_argument("--client-path", default="", metavar="PATH", help="the client of any version, of one --client")
    for one in (compare, pending, made):
        one.add_argument("--client", dest="clients", action="append", choices=NAMES, default=None)
    records = command("record", _record, "ask a real client about the situations of seeds")
    records.add_argument("client", choices=NAMES)
    records.add_argument("seeds", type=_seeds, help="such as 300-340,350")
    records.add_argument("--only", metavar="TRAIT", help="this trait alone")
    records.add_argument("--twice", action="store_true", help="run twice and note what is not stable")
    records.add_argument("--again", action="store_true", help="also what is recorded already")
    for one in (compare, pending, audits, records):
        one.add_argument("--store", type=Path, default=STORE)
    composes = command("compose", _compose, "print the situation of a seed")
    composes.add_argument("client", choices=NAMES)
    composes.add_argument("seed", type=int)
    composes.add_argument("trait", nargs="?")
    shrinks = command("shrink", _shrink, "make a recorded situation with a difference smaller, by asking its client")
    shrinks.add_argument("--list", action="store_true", help="number the differences, and ask nobody")
    shrinks.add_argument("--difference", type=int, default=0, metavar="N")
    shrinks.add_argument("--tries", type=int, default=80)
    shrinks.add_argument("--to", type=Path, metavar="STORE", help="record the small one there")
    asks = command("ask", _ask, "print the facts that the real client sends")
    predicts = command("predict", _predict, "print the facts that promptscope predicts")
    for one in (shrinks, asks, predicts):
        one.add_argument("path", type=Path, help="a recording, or a situation alone")
    for one in (asks, predicts):
        one.add_argument("--keep", action="store_true", help="leave the folder with the request")
    return parser
