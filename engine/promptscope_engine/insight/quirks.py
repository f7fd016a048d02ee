"""Which slips of the agent itself show in a prompt, and which part shows each."""

from collections.abc import Iterator

from promptscope_engine.agents.adapter import Quirk
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Assembly, Section, Server, SourceFile, Tool


def quirks_in(assembly: Assembly) -> Iterator[tuple[Quirk, str]]:
    """Those that show in what is sent, each with the first section or tool that shows it."""
    things: list[tuple[str, Section | Tool]] = [(each.id, each) for each in assembly.sections if each.present]
    things += [(each.name, each) for each in assembly.tools if each.present]
    for quirk in _known(assembly):
        found = next((name for name, thing in things if _shows(quirk, thing)), None)
        if found is not None:
            yield quirk, found


def quirks_of(thing: Section | Tool | Server | SourceFile, assembly: Assembly) -> tuple[Quirk, ...]:
    """Those of a section that is sent, of a tool or of a file, by its kind."""
    return tuple(quirk for quirk in _known(assembly) if thing.present and _shows(quirk, thing))


def quirks_of_input(name: str, assembly: Assembly) -> tuple[Quirk, ...]:
    """Those of an input, by its dotted name."""
    return tuple(quirk for quirk in _known(assembly) if quirk.covers(name))


def _known(assembly: Assembly) -> tuple[Quirk, ...]:
    return load_agent(assembly.agent).quirks(assembly.agent_version)


def _shows(quirk: Quirk, thing: Section | Tool | Server | SourceFile) -> bool:
    match thing:
        case Section():
            ids = [thing.id, *(part.origin.id for part in thing.fragments if part.origin.id)]
        case SourceFile():
            ids = [f"file:{thing.kind}"]
        case _:
            ids = [f"tool:{thing.name}"]
    return any(map(quirk.covers, ids))
