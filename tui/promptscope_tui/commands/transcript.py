"""A transcript as text: its turns, and how they fill the window."""

from collections.abc import Mapping

from msgspec.structs import replace

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly, TokenSummary, to_json
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.session.conversations import Compaction, compactions, outcome_cells, window_of
from promptscope_tui.session.transcripts import keeper, keeper_of, reading, summary, writer_of
from promptscope_tui.text import words

from .options import Options, with_options
from .table import command

_COLUMNS = ("line", "role", "tokens", "total", "calls", "results", "begins")
_NUMBERS = frozenset({"line", "tokens", "total", "results"})
_OUTCOMES = ("part", "forecast", "came back", "why")


@command("transcript")
@with_options
def transcript(file: str, options: Options) -> None:
    """Show a transcript: each turn's tokens, how the window fills, and where compaction happens."""
    print_transcript(file, options)


def print_transcript(file: str, options: Options) -> None:
    """Print the transcript in the chosen format."""
    options = for_writer(file, options)
    scenario = options.scenario()
    assembly = options.assembly()
    read = _read(file, assembly, scenario.env or {})
    tokens = window_of(scenario, read, assembly)
    found = read.compacted(tokens.compact_at)
    told = [*compactions(load_agent(assembly.agent), scenario, read)] if options.form in ("text", "json") else []
    if options.form == "json":
        put_json({**as_json(found, tokens), "compactions": [_compaction(each) for each in told]})
        return
    if options.form == "text":
        put_shown("".join(f"{line}\n" for line in summary(found, tokens)) + "\n")
    Table(_COLUMNS, [_row(turn) for turn in found.turns], _NUMBERS).put(options.form)
    for each in told:
        put_shown(f"\ncompaction at line {each.turn.line:,}: {each.words}\n")
        if each.parts:
            Table(_OUTCOMES, [outcome_cells(part) for part in each.parts], frozenset()).put(options.form)


def for_writer(file: str, options: Options) -> Options:
    """The options with the agent that wrote the file, where they name none. Raises ScenarioError for another one."""
    writer, named = writer_of(file), options.given["agent"]
    if writer is None or named == writer.id:
        return options
    if named is not None and keeper_of(named) is not None:
        raise ScenarioError(f"it was written by {writer.name}: leave out --agent, or name {writer.id}", where=file)
    if named is not None or options.file is not None:
        return options
    return replace(options, given={**options.given, "agent": writer.id})


def _read(file: str, assembly: Assembly, variables: Mapping[str, str]) -> Transcript:
    reader = keeper(assembly).transcript_reader(assembly.tokens.expected or 0, variables)
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


def _compaction(found: Compaction) -> Json:
    """The parts of a compaction as JSON values; `characters` are null for what did not come back."""
    parts = None if found.parts is None else [{**to_json(part), "agrees": part.agrees} for part in found.parts]
    return {"line": found.turn.line, "parts": parts}


def as_json(found: Transcript, tokens: TokenSummary) -> dict[str, Json]:
    """The transcript and its totals as JSON values."""
    turn = found.compacts_at(tokens.compact_at)
    return {
        **to_json(found),
        "fill": found.fill,
        "peak": found.peak,
        "messages": found.messages,
        "window": tokens.window,
        "window_in_file": found.window,
        "compact_at": tokens.compact_at,
        "compaction": tokens.compaction,
        "compacts_at_line": turn.line if turn else None,
    }
