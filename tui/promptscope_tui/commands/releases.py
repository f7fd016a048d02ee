"""`promptscope releases`: the versions of an agent that are known on this machine, and what each sends."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.archive import Archived, archived, first_of_versions
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.sides import Side, assemble_pinned, is_learned
from promptscope_engine.learned.model import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.learning.offer import learnable
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.settings import wordings
from promptscope_tui.settings.paths import state_folder, write_whole
from promptscope_tui.text.words import many

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
    imported = _imported()
    others = [each.agent for each in imported]
    if agent is not None and agent not in (*agent_ids(), *others):
        raise unknown("agent", agent, (*agent_ids(), *others), where="agent")
    asked = [agent] if agent else list(dict.fromkeys([*(each.id for each, _ in learnable()), *others]))
    found = [each for name in asked for each in _of_agent(name, workspace, imported)]
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


def _of_agent(agent: str, workspace: str, imported: Sequence[Release]) -> list[Release]:
    """Its versions, modelled, learned and imported, the oldest first."""
    learned = wordings.load()
    own = [each.agent_version for each in learned.versions if each.agent == agent] if learned else []
    modelled = load_agent(agent).versions if agent in agent_ids() else ()
    found = [_release(agent, version, workspace, learned) for version in dict.fromkeys((*modelled, *own))]
    versions = {each.version for each in found}
    found += [each for each in imported if each.agent == agent and each.version not in versions]
    return sorted(found, key=lambda each: version_numbers(each.version))


def _release(agent: str, version: str, workspace: str, learned: Learned | None) -> Release:
    base = Scenario.of({"agent": agent, "agent_version": version, "workspace": workspace, "env": {}})
    is_known = is_learned(base, learned)
    counter = counter_for(None)
    assembly = assemble_pinned(Side(version, base), counter, learned if is_known else None)
    counter.flush()
    is_modelled = version in load_agent(agent).versions
    known = "modelled, learned" if is_known and is_modelled else "learned" if is_known else "modelled"
    return _sized(agent, version, known, assembly)


def _sized(agent: str, version: str, known: str, assembly: Assembly) -> Release:
    tokens = assembly.tokens
    system, messages, tools = (tokens.expected_by_channel.get(name) or 0 for name in ("system", "messages", "tools"))
    count = sum(tool.present for tool in assembly.tools)
    return Release(agent, version, known, tokens.expected or 0, system, messages, tools, count)


# --- recordings of others ---------------------------------------------------------------------------------------------


def take_archive(folder: Path) -> str:
    """Keep the sizes of an archive's recordings; what is said of it."""
    found: dict[tuple[str, str], Release] = {(each.agent, each.version): each for each in _imported()}
    new = failed = 0
    for each in first_of_versions(archived(folder)):
        release = _recorded(each)
        if release is None:
            failed += 1
        else:
            new += 1
            found[each.agent, each.version] = release
    if not new:
        return f"no recording of a version was found below {folder}: AGENT/VERSION/…/trace.jsonl is looked for"
    path = _kept()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, json.encode(list(found.values())), durable=True)
    more = f"; {failed:,} could not be read" if failed else ""
    return f"{many(new, 'version')} kept for `promptscope releases`{more}"


def _recorded(archived: Archived) -> Release | None:
    """The sizes of a recording's main request; None where there is none."""
    path = archived.path.absolute()
    try:
        assembly = assemble(Scenario.of({"capture": str(path), "workspace": str(path.parent), "env": {}}))
    except ScenarioError:
        return None
    return _sized(archived.agent, archived.version, "imported", assembly)


def _kept() -> Path:
    return state_folder() / "releases.json"


def _imported() -> list[Release]:
    with suppress(OSError, MsgspecError):
        return json.decode(_kept().read_bytes(), type=list[Release])
    return []
