"""`promptscope responses`: what the agent replies to a tool call, and when."""

from __future__ import annotations

import click

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.formats.document import Json
from promptscope_engine.replies import Block, Reply, block_text, count_blocks, find_reply, replies_of
from promptscope_engine.tokens.counter import Counter
from promptscope_tui.output.stdout import Table, put_json, put_shown

from .options import with_reply_options


@click.command()
@click.argument("name", required=False)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="INPUT=VALUE",
    help="Set one of the reply's inputs; lists and switches are JSON or YAML, null means not given. Repeatable.",
)
@with_reply_options
def responses(name: str | None, settings: tuple[str, ...], agent: Agent, counter: Counter, as_json: bool) -> None:
    """List every reply with its tokens and when it is sent, or print the reply NAME.

    Without --set, replies are made from the example inputs in the list.

    Examples:
      promptscope responses
      promptscope responses tool_error --set error='EACCES: permission denied'
      promptscope responses format_files_list --set files='[src/, a.ts]' --set show_ignored=false
      promptscope responses --format json | jq '.[] | {name, tokens}'
    """
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
    put_shown("\n".join(map(block_text, blocks)) + "\n")


def _all(agent: Agent, counter: Counter, as_json: bool) -> None:
    catalogue = replies_of(agent)
    if not catalogue:
        raise click.UsageError(f"replies are not modelled for {agent.name}")
    if as_json:
        put_json([_described(reply, {}, reply.blocks(), counter) for reply in catalogue])
        return
    rows = [
        (
            reply.group,
            reply.name,
            f"{count_blocks(reply.blocks(), counter.count):,}",
            " ".join(f"{each.name}={each.shown(each.example)}" for each in reply.inputs),
            reply.when,
        )
        for reply in catalogue
    ]
    Table(("group", "reply", "tokens", "inputs", "when"), rows, frozenset({"tokens"})).put("text")


def _described(reply: Reply, given: dict[str, Json], blocks: tuple[Block, ...], counter: Counter) -> Json:
    return {
        "name": reply.name,
        "group": reply.group,
        "purpose": reply.purpose,
        "when": reply.when,
        "inputs": reply.values(given),
        "tokens": count_blocks(blocks, counter.count),
        "blocks": [dict(block) for block in blocks],
    }
