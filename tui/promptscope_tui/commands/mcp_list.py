"""`promptscope mcp-list`: asks an MCP server of this machine what it offers."""

import os

import click
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent, Describes
from promptscope_engine.agents.kit.disk.servers import Configured
from promptscope_engine.inputs.answers import AnswerError, read_answer
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.learned import ServerAnswer
from promptscope_engine.prompt.model import to_json
from promptscope_tui.learning.servers import SECONDS, ServerError, ask
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.session import servers
from promptscope_tui.text import words
from promptscope_tui.text.totals import parts

from .options import Options, with_options
from .table import command


@command("mcp-list")
@with_options
def mcp_list(options: Options, name: str, timeout: float | None, *, yes: bool) -> None:
    """Ask an MCP server of this machine for its tools, and keep what it answers."""
    scenario = options.scenario()
    agent, server = _chosen(name, list(servers.configured(scenario)))
    if not server.command:
        raise click.UsageError(servers.cannot_ask(name, server))
    env = dict(os.environ if scenario.env is None else scenario.env)
    exits.say("\n".join(servers.started_with(agent, server, env)))
    if not yes and not _is_wanted():
        exits.say("promptscope: nothing was started")
        raise click.exceptions.Exit(exits.CHECK_FAILED)
    try:
        told = read_answer(ask(server, env, timeout or SECONDS))
        answer, _ = servers.keep(scenario.workspace, name, told, "asked")
    except (ServerError, AnswerError, OSError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        exits.say(f"promptscope: {name}: {said}")
        raise click.exceptions.Exit(exits.CHECK_FAILED) from None
    for note in told.notes:
        exits.say(f"promptscope: {name}: {note}")
    _put(options, agent, answer)


def _chosen(name: str, found: list[tuple[Agent, Configured]]) -> tuple[Agent, Configured]:
    """The agent's own server of that name, or the first one of another agent."""
    for agent, server in found:
        if server.name == name:
            return agent, server
    names = sorted({server.name for _, server in found})
    known = f"known: {', '.join(nearest(name, names) or names[:20])}" if names else "no agent has one here"
    raise click.UsageError(f"no MCP server called {name} is configured here; {known}")


def _is_wanted() -> bool:
    exits.need_a_person("--yes starts the server without asking")
    return click.confirm("Start it?", default=False, err=True)


def _put(options: Options, agent: Describes, answer: ServerAnswer) -> None:
    """What its tools cost in the agent's prompt."""
    given = {**options.given, "agent": options.given["agent"] or agent.id}
    assembly = replace(options, given=given).assembly()
    server = assembly.server(answer.name)
    own = {tool.name: tool for tool in assembly.tools if tool.server == answer.name}
    if options.form == "json":
        cost = None if server is None else to_json(server)
        put_json({"agent": agent.id, "server": cost, "instructions": answer.instructions, "tools": list(answer.tools)})
        return
    rows = [
        (tool.name, words.number(tool.expected_tokens), "sent" if tool.present else tool.variant or "not sent")
        for tool in own.values()
    ]
    Table(("tool", "tokens", ""), rows or [(str(each["name"]), "", "") for each in answer.tools]).put(options.form)
    cost_ = "" if server is None or not server.known else f"; {parts(server) or 'nothing'} in a prompt of {agent.name}"
    exits.say(f"{servers.summary(answer)}{cost_}")
