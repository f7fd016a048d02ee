"""`promptscope diff … --cache`: what consecutive requests of a capture, or answers of a transcript, wrote again."""

from pathlib import Path

import click

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.captures.model import Capture, Recorded
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.cache_causes import span
from promptscope_engine.insight.cache_miss import CacheMiss, CacheReport, cache_miss, consecutive
from promptscope_engine.insight.cache_turns import cache_misses
from promptscope_engine.insight.sides import assemble_side, file_and_request, side_of
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.session.transcripts import keeper_of, reading, writer_of
from promptscope_tui.views.cache import again, cache_lines, place

from .options import Options

_COLUMNS = ("requests", "since", "read", "written", "again", "where", "cause")
_NUMBERS = frozenset({"since", "read", "written", "again"})


def put_cache(options: Options, words: tuple[str, ...]) -> bool:
    """Print why the cache missed: between two requests, or in a whole file. Whether it did."""
    report = _report(options, words)
    if options.form == "json":
        put_json(report.to_dict())
    elif len(words) > 1 or file_and_request(words[0])[1]:
        for found in report.pairs:
            put_shown(f"{report.file}: {found.before} → {found.after}\n")
            put_shown("".join(f"  {sign} {text}\n" if sign else f"{text}\n" for sign, text in cache_lines(found)))
    else:
        missed = [each for each in report.pairs if each.missed]
        if missed:
            Table(_COLUMNS, [_row(each) for each in missed], _NUMBERS).put(options.form)
        if options.form == "text":
            put_shown(f"{len(missed)} of {len(report.pairs)} requests missed: {report.again:,} tokens written again\n")
    return report.again > 0


def _row(found: CacheMiss) -> tuple[str, ...]:
    read, written = ("" if count is None else f"{count:,}" for count in (found.read, found.written))
    after = "" if found.seconds is None else span(found.seconds)
    tokens = again(found).partition(" ")[0]
    where = found.place if found.parting else place(found)
    causes = "; ".join(cause.says for cause in found.causes)
    return f"{found.before} → {found.after}", after, read, written, tokens, where, causes


def _report(options: Options, words: tuple[str, ...]) -> CacheReport:
    """What is asked for: all of a file, the pair that ends with a request, or two requests."""
    sides = [file_and_request(word) for word in words]
    if len(sides) not in (1, 2):
        raise click.UsageError("--cache takes a capture or a transcript, or two requests: run.jsonl:1 run.jsonl:2")
    for file, _ in sides:
        if not Path(file).is_file():
            raise ScenarioError("no such file", where=file)
    writer = writer_of(sides[-1][0])
    if writer is not None:
        pairs = _of_transcript(writer, sides)
    elif len(sides) > 1:
        pairs = [_pair(options, words[1], *(chosen(_capture(file), number) for file, number in sides))]
    else:
        ((file, number),) = sides
        every = [pair for pair in consecutive(_capture(file)) if number in (0, pair[1].index)]
        pairs = [_pair(options, words[0] if number else "", *pair) for pair in every]
    if not pairs:
        what = "no two answers that report their cache" if writer else "no two requests of one conversation"
        raise ScenarioError(f"there are {what}", where=sides[-1][0])
    return CacheReport(sides[-1][0], tuple(pairs))


def _capture(file: str) -> Capture:
    return recording(absolute(file), Workspace())


def _pair(options: Options, word: str, one: Recorded, other: Recorded) -> CacheMiss:
    """Two requests. `word` names the second where its sections and files are to be named, which takes a moment."""
    model = other.body.get("model") if isinstance(other.body, dict) else None
    counter, assembly = counter_for(model if isinstance(model, str) else None), None
    if word:
        base = options.of_run(_capture(file_and_request(word)[0]).header.cwd)
        assembly = assemble_side(side_of(word, base), counter)
    found = cache_miss(one, other, counter, assembly)
    counter.flush()
    return found


def _of_transcript(writer: Describes, sides: list[tuple[str, int]]) -> list[CacheMiss]:
    """The answers of a transcript, by their lines."""
    agent = keeper_of(writer.id)
    if len({file for file, _ in sides}) > 1 or agent is None:
        raise click.UsageError("--cache compares the answers of one transcript")
    reader = agent.transcript_reader(0, {})
    for _ in reading(sides[0][0], reader):
        pass
    lines = [line for _, line in sides if line]
    found = [*cache_misses(reader.close(), lines if len(lines) > 1 else ())]
    return [each for each in found if len(lines) != 1 or each.after == lines[0]]
