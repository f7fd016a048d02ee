"""`promptscope releases`: the versions of an agent that are known on this machine, and what each sends."""

from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.sides import Side, assemble_pinned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_tui.learning.clients import learnable
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.session.releases import Release, imported_releases, releases_of, with_earlier
from promptscope_tui.settings import wordings

from .table import command


@command("releases")
def releases(agent: str | None, workspace: str, form: str) -> None:
    """List the versions of an agent that are known here, with their sizes."""
    others = [each.agent for each in imported_releases()]
    if agent is not None and agent not in (*agent_ids(), *others):
        raise unknown("agent", agent, (*agent_ids(), *others), where="agent")
    asked = [agent] if agent else list(dict.fromkeys([*(each.id for each, _ in learnable()), *others]))
    found = [each for name in asked for each in _of_agent(name, workspace)]
    if form == "json":
        put_json([{name: getattr(each, name) for name in Release.__struct_fields__} for each in found])
        return
    rows = []
    for each, before in with_earlier(found):
        change = each.total - before.total if before else None
        sizes = (f"{size:,}" for size in (each.total, each.system, each.messages, each.tools))
        more = "" if change is None else f"{change:+,}" if change else "="
        rows.append((each.agent, each.version, each.known, *sizes, f"{each.tool_count}", more))
    heads = ("agent", "version", "known", "total", "system", "messages", "tools", "of them", "±")
    Table(heads, rows, frozenset(heads[3:])).put("text")


def _of_agent(agent: str, workspace: str) -> list[Release]:
    """Its versions in one folder, with everything of the machine pinned."""
    learned, counter = wordings.load(), counter_for(None)

    def made(version: str, is_learned: bool) -> Assembly:
        base = Scenario.of({"agent": agent, "agent_version": version, "workspace": workspace, "env": {}})
        return assemble_pinned(Side(version, base), counter, learned if is_learned else None)

    found = list(releases_of(agent, learned, made))
    counter.flush()
    return found
