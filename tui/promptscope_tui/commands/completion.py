"""`promptscope completion`: the end of a task, step by step, from a script."""

from __future__ import annotations

from itertools import accumulate
from typing import IO

import click

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.replies import Turn, block_text, completion_of, count_blocks
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import MAX_CHARS, YamlError, read_yaml
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import to_json
from promptscope_engine.tokens import Counter
from promptscope_tui.output.stdout import put_json, put_shown

from .options import with_reply_options


@click.command()
@click.option(
    "--script",
    type=click.File(encoding="utf-8"),
    required=True,
    help="A list of steps as YAML; - reads them from stdin.",
)
@with_reply_options
def completion(script: IO[str], agent: Agent, counter: Counter, as_json: bool) -> None:
    """Step through the end of a task: messages, events and tokens of every step.

    \b
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

    \b
    Examples:
      promptscope completion --script steps.yaml
      echo '[{result: Done.}, {feedback: Not yet.}]' | promptscope completion --script -
    """
    machine = completion_of(agent)
    if machine is None:
        raise click.UsageError(f"the end of a task is not modelled for {agent.name}")
    turns = machine.play(_steps(script))
    sizes = [sum(count_blocks(m.blocks, counter.count) for m in turn.messages if m.to is None) for turn in turns]
    counted = list(zip(turns, sizes, accumulate(sizes), strict=True))
    if as_json:
        put_json([{**to_json(turn), "tokens": size, "total": total} for turn, size, total in counted])
        return
    for number, (turn, size, total) in enumerate(counted, start=1):
        put_shown(_words(number, turn, size, total))


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
    lines = [f"── {number}. {turn.title}{note}", f"   +{size:,} tok, {total:,} in all, mistakes {turn.mistakes}"]
    lines += [f"   · {' '.join(map(_word, event))}" for event in turn.events]
    for message in turn.messages:
        lines.append(f"   {message.role}{f' (to {message.to})' if message.to else ''}:")
        lines += [f"   │ {line}" for block in message.blocks for line in block_text(block).split("\n")]
    return "\n".join(lines) + "\n\n"


def _word(member: object) -> str:
    return str(member) if isinstance(member, str) and member and " " not in member else repr(member)
