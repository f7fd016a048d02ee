"""The MCP servers of a folder: which agents have them, asking one what it offers, and what is kept of the answers."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from shlex import join, quote
from urllib.parse import urlsplit

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent, Describes
from promptscope_engine.agents.kit.disk.servers import Configured
from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.answers import AnswerError, Told
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import ServerAnswer
from promptscope_engine.workspace import Workspace
from promptscope_tui.learning.servers import environment
from promptscope_tui.settings import servers
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import home_short, many


def configured(scenario: Scenario) -> Iterator[tuple[Agent, Configured]]:
    """The servers of the scenario's agent, then those of all others that have some in this folder."""
    workspace = Workspace()
    own = resolve(scenario, workspace).agent
    others = [agent for agent in all_agents() if agent.id != own.id]
    for agent in (own, *others):
        asked = scenario if agent is own else Scenario(
            agent=agent.id, workspace=scenario.workspace, home=scenario.home, env=scenario.env, attended=True
        )  # fmt: skip
        try:
            found, inputs = resolve(asked, workspace)
            gathered = found.gather(inputs, workspace)
        except ScenarioError:
            continue
        yield from ((agent, each) for each in gathered.configured)


def keep(workspace: str, name: str, told: Told, said: str) -> tuple[ServerAnswer, Path]:
    """Keep what was said about a server; what is left open stays as it was. Raises AnswerError, OSError."""
    before = servers.load(workspace).get(name)
    if told.tools is None and before is None:
        raise AnswerError("it has no answer to tools/list, and none is kept yet")
    answer = ServerAnswer(
        name,
        told.tools if told.tools is not None else before.tools if before else (),
        told.instructions if told.instructions is not None else before.instructions if before else None,
        said,
        datetime.now().astimezone().isoformat(timespec="seconds"),
    )
    return answer, servers.keep(workspace, answer)


def summary(answer: ServerAnswer) -> str:
    """`docs: 12 tools and instructions`."""
    more = " and instructions" if answer.instructions else ""
    return f"{answer.name}: {many(len(answer.tools), 'tool')}{more}"


def started_with(agent: Describes, server: Configured, env: dict[str, str]) -> list[str]:
    """What is started, for a person who is asked: the command, the folder, the names of variables."""
    own, passed = sorted(server.own_env), environment(replace(server, config={}, adds={}), env)
    lines = [
        f"This starts the MCP server {server.name} of {agent.name}, as {home_short(server.path)} has it:",
        f"  {join(server.command)}",
        f"  in {home_short(server.folder)}, with {many(len(passed), 'variable')} of your environment",
    ]
    lines += [f"  and with {', '.join(own)}, as its settings say"] if own else []
    return [visible(line) for line in lines]  # a line feed in an argument begins no line of its own


def cannot_ask(name: str, server: Configured | None) -> str:
    """Why a server is not asked here, and what would tell what it offers."""
    if server is None:
        return f"no agent has a server called {name} in its settings here, so what starts it is not known"
    host = urlsplit(server.url).hostname  # the rest may hold a key
    where = f" (it is at {host})" if host else ""
    return (
        f"{name} is not a program of this machine{where}, and promptscope asks no service: save what it answers to "
        f"tools/list, and `promptscope import FILE --mcp {quote(name)}`"
    )
