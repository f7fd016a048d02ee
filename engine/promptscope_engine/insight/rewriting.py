"""Which mods may rewrite a part of the prompt: what is shown of such a part is its text before they did."""

from fnmatch import fnmatchcase

from promptscope_engine.prompt.model import Assembly, Program, Section, SourceFile, Tool


def rewriters(thing: Section | Tool | SourceFile, assembly: Assembly) -> tuple[Program, ...]:
    """The mods that are loaded and may rewrite or drop it, the outermost first."""
    match thing:
        case Section():
            name = f"{thing.channel}:{thing.id}"
        case Tool():
            name = f"tool:{thing.name}"
        case _:
            name = f"file:{thing.kind}"
    return tuple(each for each in assembly.programs if each.present and thing.present and _covers(each, name))


def _covers(program: Program, name: str) -> bool:
    excepted = any(fnmatchcase(name, each[1:]) for each in program.covers if each.startswith("-"))
    return not excepted and any(fnmatchcase(name, each) for each in program.covers)
