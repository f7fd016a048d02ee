"""Which slips of the agent itself show in a prompt, and which part shows each."""

from collections.abc import Iterator

from promptscope_engine.agents.description import Quirk, of_version
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Assembly, Section, Server, SourceFile, Tool


def quirks_in(assembly: Assembly) -> Iterator[tuple[Quirk, str]]:
    """Those that show in what is sent, each with the first section or tool that shows it."""
    things: list[tuple[str, Section | Tool]] = [(each.id, each) for each in assembly.sections if each.present]
    things += [(each.name, each) for each in assembly.tools if each.present]
    for quirk in all_quirks(assembly):
        found = next((name for name, thing in things if _shows(quirk, thing)), None)
        if found is not None:
            yield quirk, found


def quirks_of(thing: Section | Tool | Server | SourceFile, assembly: Assembly) -> tuple[Quirk, ...]:
    """Those of a section that is sent, of a tool or of a file, by its kind."""
    return tuple(quirk for quirk in all_quirks(assembly) if thing.present and _shows(quirk, thing))


def quirks_of_input(name: str, assembly: Assembly) -> tuple[Quirk, ...]:
    """Those of an input, by its dotted name."""
    return tuple(quirk for quirk in all_quirks(assembly) if quirk.covers(name))


def all_quirks(assembly: Assembly) -> tuple[Quirk, ...]:
    """Those of its agent in its version, whether they show or not."""
    agent = load_agent(assembly.agent)
    return tuple(of_version(agent.about.quirks, assembly.agent_version, agent.versions))


def _shows(quirk: Quirk, thing: Section | Tool | Server | SourceFile) -> bool:
    match thing:
        case Section():
            ids = [thing.id, *(part.origin.id for part in thing.fragments if part.origin.id)]
        case SourceFile():
            ids = [f"file:{thing.kind}"]
        case _:
            ids = [f"tool:{thing.name}"]
    return any(map(quirk.covers, ids))
