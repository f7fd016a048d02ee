"""`promptscope transcript FILE`: a transcript, turn by turn."""

from __future__ import annotations

from dataclasses import replace

import click

from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, to_json
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.session.transcripts import keeper, reading, summary
from promptscope_tui.text import words

from .options import Options, with_options

_COLUMNS = ("line", "role", "tokens", "total", "calls", "results", "begins")
_NUMBERS = frozenset({"line", "tokens", "total", "results"})


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@with_options
def transcript(file: str, options: Options) -> None:
    """Show a transcript: each turn's tokens, how the window fills, and where compaction happens.

    FILE is a transcript as the agent writes it. Sizes are estimates; where a response reports its usage, the total
    is the reported one. Nothing is written.

    \b
    Examples:
      promptscope transcript ~/.claude/projects/-home-me-shop/1b2c.jsonl ~/code/shop
      promptscope transcript session.jsonl --format json | jq .fill
    """
    print_transcript(file, options)


def print_transcript(file: str, options: Options) -> None:
    """Print the transcript in the chosen format."""
    assembly = options.assembly()
    found = _read(file, assembly)
    if options.form == "json":
        put_json(as_json(found, assembly))
        return
    if options.form == "text":
        put_shown(
            "".join(f"{line}\n" for line in summary(found, assembly.tokens.window, assembly.tokens.compact_at)) + "\n"
        )
    Table(_COLUMNS, [_row(turn) for turn in found.turns], _NUMBERS).put(options.form)


def _read(file: str, assembly: Assembly) -> Transcript:
    reader = keeper(assembly).transcript_reader(assembly.tokens.expected or 0)
    left_out = 0
    for read, size in reading(file, reader):
        left_out = size - read
    return replace(reader.close(), left_out=left_out)


def _row(turn: Turn) -> tuple[str, ...]:
    return (
        f"{turn.line}",
        turn.role,
        f"{turn.tokens:,}",
        f"{turn.fill:,}" + ("" if turn.reported is None else " ="),
        ", ".join(turn.calls),
        f"{turn.results} ({turn.result_tokens:,})" if turn.results else "",
        words.excerpt(turn.text),
    )


def as_json(found: Transcript, assembly: Assembly) -> dict[str, Json]:
    """The transcript and its totals as JSON values."""
    turn = found.compacts_at(assembly.tokens.compact_at)
    return {
        "fill": found.fill,
        "peak": found.peak,
        "messages": found.messages,
        "window": assembly.tokens.window,
        "compact_at": assembly.tokens.compact_at,
        "compacts_at_line": turn.line if turn else None,
        **to_json(found),
    }
