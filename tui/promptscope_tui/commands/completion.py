"""`promptscope completion`: the end of a task, step by step, from a script."""

from __future__ import annotations

from typing import IO

import click

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import MAX_CHARS, YamlError, read_yaml
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import to_json
from promptscope_engine.replies import Turn, block_text, completion_of, running_totals
from promptscope_engine.tokens.counter import Counter
from promptscope_tui.output.stdout import put_json, put_shown

from .options import with_reply_options


@click.command()
@click.option(
    "--script",
    type=click.File(encoding="utf-8"),
    help="A list of steps as YAML; - reads them from stdin.",
)
@click.option(
    "--raw",
    type=click.File(encoding="utf-8"),
    help="A reply as the model wrote it, complete or cut off; - reads it from stdin. It comes after the script.",
)
@with_reply_options
def completion(script: IO[str] | None, raw: IO[str] | None, agent: Agent, counter: Counter, as_json: bool) -> None:
    """Step through the end of a task: messages, events and tokens of every step.

    A script is a list of steps, each with one key:
      - settings: {preventCompletionWithOpenTodos: true, hardened: false}
      - todos: [{content: Write the test, status: pending}]   # or plain texts
      - subtask: true               # started by another task
      - pending: [read_file]        # for hardened; also failed: [...], running: [...]
      - partial: {result: The ha}   # the call is still being streamed
      - result: All is done.        # or {result: ..., command: ...}
      - answer: yes                 # no refuses the end of a sub-task
      - feedback: The test fails.   # or {text: ..., images: [...]}
      - say_error: a text           # showing a message fails with this error; null: stop failing
      - text: I think it is done.   # a reply without a tool call
      - beside: {before: read_file, result: Done.}        # another call in the same message; or after:
      - rejected: {tool: write_to_file, result: Done.}    # the user refused the call before it
      - new_task: {mode: code, message: Fix it.}          # a sub-task begins
      - resumed: Go on.             # the saved task is taken up again; null: without words
      - raw: <attempt_completion>   # the model's reply as it wrote it
      - settings: {runCommand: true}  # what if a command ran, as in older versions
      - output: 12 tests passed     # what it printed

    Examples:
      promptscope completion --script steps.yaml
      echo '[{result: Done.}, {feedback: Not yet.}]' | promptscope completion --script -
      echo '<attempt_completion><result>Done, is it no' | promptscope completion --raw -
    """
    machine = completion_of(agent)
    if machine is None:
        raise click.UsageError(f"the end of a task is not modelled for {agent.name}")
    if script is None and raw is None:
        raise click.UsageError("name a --script, or a reply with --raw")
    steps = [*(_steps(script) if script else ()), *([{"raw": _text(raw)}] if raw else ())]
    turns = machine.play(steps)
    sizes = running_totals(turns, counter.count)
    counted = [(turn, size, total) for turn, (size, total) in zip(turns, sizes, strict=True)]
    if as_json:
        put_json([{**to_json(turn), "tokens": size, "total": total} for turn, size, total in counted])
        return
    for number, (turn, size, total) in enumerate(counted, start=1):
        put_shown(_words(number, turn, size, total))


def _text(file: IO[str]) -> str:
    try:
        text = file.read(MAX_CHARS + 1)
    except UnicodeDecodeError:
        raise ScenarioError("not UTF-8", where=file.name) from None
    if len(text) > MAX_CHARS:
        raise ScenarioError(f"longer than {MAX_CHARS:,} characters", where=file.name)
    return text


def _steps(script: IO[str]) -> list[Json]:
    try:
        steps = read_yaml(script.read(MAX_CHARS + 1)).value
    except YamlError as error:
        raise ScenarioError(error.message, where=f"{script.name}:{error.line}" if error.line else script.name) from None
    except UnicodeDecodeError:
        raise ScenarioError("not UTF-8", where=script.name) from None
    if not isinstance(steps, list):
        raise ScenarioError("expected a list of steps", where=script.name)
    return steps


def _words(number: int, turn: Turn, size: int, total: int) -> str:
    note = f"; {turn.note}" if turn.note else ""
    inside = "  " * turn.depth
    lines = [
        f"{inside}── {number}. {turn.title}{note}",
        f"   +{size:,} tok, {total:,} in all, mistakes {turn.mistakes}",
    ]
    lines += [f"   ! {remark}" for remark in turn.remarks]
    lines += [f"   · {' '.join(map(_word, event))}" for event in turn.events]
    for message in turn.messages:
        lines.append(f"   {message.role}{f' (to {message.to})' if message.to else ''}:")
        lines += [f"   │ {line}" for block in message.blocks for line in block_text(block).split("\n")]
    return "\n".join(lines) + "\n\n"


def _word(member: object) -> str:
    return str(member) if isinstance(member, str) and member and " " not in member else repr(member)
