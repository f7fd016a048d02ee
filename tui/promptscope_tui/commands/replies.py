"""`promptscope responses` and `completion`: what the agent replies to tool calls, and how a task ends."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import IO, Any

import click

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import MAX_CHARS, YamlError, read_yaml
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import to_json
from promptscope_engine.replies import (
    Block,
    Reply,
    Turn,
    block_text,
    completion_of,
    count_blocks,
    find_reply,
    replies_of,
    running_totals,
)
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer, tokenizer_for_model
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.text.words import CONFIDENCE, MARKS

from .table import command


def with_reply_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command about an agent's replies: its function gets `agent`, `counter` and `as_json`."""

    @wraps(command)
    def wrapped(agent: str | None, model: str | None, tokenizer: str | None, form: str, **rest: Any) -> None:
        cache = CountCache()
        counter = Counter(get_tokenizer(tokenizer) if tokenizer else tokenizer_for_model(model), cache)
        command(agent=load_agent(agent or _replying()), counter=counter, as_json=form == "json", **rest)
        cache.flush()

    return wrapped


def _replying() -> str:
    """The agent with files in this folder whose replies are modelled. Raises click.UsageError where there is none."""
    known = [agent for agent in all_agents() if replies_of(agent)]
    here = [agent.id for agent in known if any(map(os.path.exists, agent.about.own_files))]
    if not here:
        names, ids = (" or ".join(getattr(agent, key) for agent in known) for key in ("name", "id"))
        raise click.UsageError(f"no files of {names} here: name --agent {ids}")
    return here[0]


@command("responses")
@with_reply_options
def responses(name: str | None, settings: tuple[str, ...], agent: Describes, counter: Counter, as_json: bool) -> None:
    """List every reply with its tokens and when it is sent, or print the reply NAME."""
    if name is not None:
        reply = find_reply(agent, name)
        _one(reply, dict(_setting(setting, reply) for setting in settings), counter, as_json)
    elif settings:
        raise click.UsageError("--set needs the NAME of a reply")
    else:
        _all(agent, counter, as_json)


def _setting(text: str, reply: Reply) -> tuple[str, Json]:
    name, equals, raw = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not INPUT=VALUE", param_hint="'--set'")
    found = next((each for each in reply.inputs if each.name == name), None)
    # The reply rejects an unknown name and suggests the nearest.
    return name, raw if found is None else found.parse(raw)


def _one(reply: Reply, given: dict[str, Json], counter: Counter, as_json: bool) -> None:
    blocks = reply.blocks(given)
    if as_json:
        put_json(_described(reply, given, blocks, counter))
        return
    size = f"{MARKS[reply.confidence]}{count_blocks(blocks, counter.count):,} tok"
    exits.say(f"promptscope: {reply.name}: {size}, {CONFIDENCE[reply.confidence]}")  # stdout has the text alone
    put_shown("\n".join(map(block_text, blocks)) + "\n")


def _all(agent: Describes, counter: Counter, as_json: bool) -> None:
    catalogue = replies_of(agent)
    if not catalogue:
        raise click.UsageError(f"tool replies aren't modelled for {agent.name}")
    if as_json:
        put_json([_described(reply, {}, reply.blocks(), counter) for reply in catalogue])
        return
    rows = [
        (
            reply.group,
            reply.name,
            f"{MARKS[reply.confidence]}{count_blocks(reply.blocks(), counter.count):,}",
            " ".join(f"{each.name}={each.shown(each.example)}" for each in reply.inputs),
            reply.when,
        )
        for reply in catalogue
    ]
    Table(("group", "reply", "tokens", "inputs", "when"), rows, frozenset({"tokens"})).put("text")
    if words := dict.fromkeys(CONFIDENCE[reply.confidence] for reply in catalogue if reply.confidence != "exact"):
        put_shown(f"\n≈ {', '.join(words)}\n")


def _described(reply: Reply, given: dict[str, Json], blocks: tuple[Block, ...], counter: Counter) -> Json:
    return {
        "name": reply.name,
        "group": reply.group,
        "purpose": reply.purpose,
        "when": reply.when,
        "inputs": reply.values(given),
        "tokens": count_blocks(blocks, counter.count),
        "confidence": reply.confidence,
        "blocks": [dict(block) for block in blocks],
    }


@command("completion")
@with_reply_options
def completion(script: IO[str] | None, raw: IO[str] | None, agent: Describes, counter: Counter, as_json: bool) -> None:
    """Step through the end of a task: messages, events and tokens of every step."""
    machine = completion_of(agent)
    if machine is None:
        raise click.UsageError(f"the end of a task isn't modelled for {agent.name}")
    if script is None and raw is None:
        raise click.UsageError("name a --script, or a reply with --raw")
    steps = [*(_steps(script) if script else ()), *([{"raw": _text(raw)}] if raw else ())]
    turns = machine.play(steps, sys.platform)
    sizes = running_totals(turns, counter.count)
    counted = [(turn, size, total) for turn, (size, total) in zip(turns, sizes, strict=True)]
    if as_json:
        put_json([{**to_json(turn), "tokens": size, "total": total} for turn, size, total in counted])
        return
    put_shown(f"how a task in {agent.name} ends   {CONFIDENCE['stand-in']}\n\n")
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
        f"   +≈{size:,} tok, ≈{total:,} in all, mistakes {turn.mistakes}",
    ]
    lines += [f"   ! {remark}" for remark in turn.remarks]
    for event in turn.events:
        members = (m if isinstance(m, str) and m and " " not in m else repr(m) for m in event)
        lines.append(f"   · {' '.join(members)}")
    for message in turn.messages:
        lines.append(f"   {message.role}{f' (to {message.to})' if message.to else ''}:")
        lines += [f"   │ {line}" for block in message.blocks for line in block_text(block).split("\n")]
    return "\n".join(lines) + "\n\n"
