"""What of an agent's folder no scenario could be made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from promptscope_engine.prompt.conditions import ALWAYS, Condition

from .folder import Folder
from .sources import FolderError, Source, Table
from .tool_schemas import ToolSchema

STABILITIES = ("static", "session", "turn")


def mistakes(folder: Folder) -> Iterator[FolderError]:
    """Each text, guard and name that is wrong."""
    for check in _checks(folder):
        try:
            check()
        except FolderError as error:
            yield error


def _checks(folder: Folder) -> Iterator[Callable[[], object]]:
    sources, places = folder.sources, folder.agent.get("places", {})
    for group in folder.agent.get("sections", ()):
        yield partial(_guard, folder, folder.main, group.get("when", ""))
        yield partial(_is_one_of, folder, folder.main, group, "place", places)
        yield from (partial(_is_there, folder, name) for name in group["order"] if name[0] != "@")
    for name, source in sources.sections.items():
        yield partial(folder.section_text, name)
        yield partial(_is_one_of, folder, source.file, source.head, "place", places)
        yield partial(_is_one_of, folder, source.file, source.head, "stability", STABILITIES)
        ways = (text for said in source.head.values() if isinstance(said, dict) for text in said if text != "else")
        yield from (partial(_guard, folder, source.file, text) for text in ways)
    for name, source in sources.tools.items():
        yield partial(folder.text, "tools", name, "")
        yield partial(_are_parameters, folder, source)
        yield partial(folder.variant, source, partial(_guard, folder, source.file))
        said = source.head.get("exists", "")
        exist = [text for way in said.items() for text in way] if isinstance(said, dict) else [said]
        yield from (partial(_guard, folder, source.file, text) for text in exist if text != "else")
    for name, schema in sources.schemas.items():
        yield from (partial(_guard, folder, f"tools/{name}.json", text) for text in ToolSchema(schema).guards)
    for source in (*sources.sections.values(), *sources.tools.values()):
        yield partial(_guard, folder, source.file, source.head.get("when", ""))
    for kind in (sources.tools, *sources.bundled.values()):
        for source in kind.values():
            for key in ("since", "until"):
                yield partial(_is_one_of, folder, source.file, source.head, key, folder.versions, "version")
    yield from folder.own_checks()


def _guard(folder: Folder, file: str, text: str) -> Condition:
    """ALWAYS, in the place of a condition that only has to be one."""
    if text:
        folder.expression(text, file)
    return ALWAYS


def _are_parameters(folder: Folder, source: Source) -> None:
    for _ in folder.parameters(source, partial(_guard, folder, source.file)):
        pass


def _is_there(folder: Folder, section: str) -> None:
    if section not in folder.sources.sections:
        line = folder.line_of(folder.main, f'"{section}"')
        raise FolderError(folder.path / folder.main, line, f"there is no section {section}")


def _is_one_of(folder: Folder, file: str, said: Table, key: str, valid: Collection[str], what: str = "") -> None:
    if (value := said.get(key)) not in (None, *valid):
        known = f"; known: {', '.join(valid)}" if valid else ""
        line = folder.line_of(file, str(value))
        raise FolderError(folder.path / file, line, f"`{key}`: there is no {what or key} {value}{known}")
