"""`promptscope releases`: the versions of an agent that are known on this machine, and what each sends."""

from collections.abc import Iterator

from msgspec import Struct

from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.sides import Side, assemble_pinned, is_learned
from promptscope_engine.learned.model import Learned
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.learning.offer import learnable
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.settings import wordings

from .table import command


class Release(Struct, frozen=True):
    """A version and its expected tokens by part of the request; `known` says how it is known."""

    agent: str
    version: str
    known: str
    total: int
    system: int
    messages: int
    tools: int
    tool_count: int


@command("releases")
def releases(agent: str | None, workspace: str, form: str) -> None:
    """List the versions of an agent that are known here, with their sizes."""
    if agent is not None and agent not in agent_ids():
        raise unknown("agent", agent, agent_ids(), where="agent")
    found = list(_releases([agent] if agent else [each.id for each, _ in learnable()], workspace))
    if form == "json":
        put_json([{name: getattr(each, name) for name in Release.__struct_fields__} for each in found])
        return
    rows = []
    before: Release | None = None
    for each in found:
        change = each.total - before.total if before and before.agent == each.agent else None
        sizes = (f"{size:,}" for size in (each.total, each.system, each.messages, each.tools))
        more = "" if change is None else f"{change:+,}" if change else "="
        rows.append((each.agent, each.version, each.known, *sizes, f"{each.tool_count}", more))
        before = each
    heads = ("agent", "version", "known", "total", "system", "messages", "tools", "of them", "±")
    Table(heads, rows, frozenset(heads[3:])).put("text")


def _releases(agents: list[str], workspace: str) -> Iterator[Release]:
    learned = wordings.load()
    for agent in agents:
        own = [each.agent_version for each in learned.versions if each.agent == agent] if learned else []
        for version in sorted({*load_agent(agent).versions, *own}, key=version_numbers):
            yield _release(agent, version, workspace, learned)


def _release(agent: str, version: str, workspace: str, learned: Learned | None) -> Release:
    base = Scenario.of({"agent": agent, "agent_version": version, "workspace": workspace, "env": {}})
    is_known = is_learned(base, learned)
    counter = counter_for(None)
    assembly = assemble_pinned(Side(version, base), counter, learned if is_known else None)
    counter.flush()
    is_modelled = version in load_agent(agent).versions
    known = "modelled, learned" if is_known and is_modelled else "learned" if is_known else "modelled"
    by_part = assembly.tokens.expected_by_channel
    sizes = [by_part.get(name) or 0 for name in ("system", "messages", "tools")]
    tools = sum(tool.present for tool in assembly.tools)
    system, messages, offered = sizes
    return Release(agent, version, known, assembly.tokens.expected or 0, system, messages, offered, tools)
