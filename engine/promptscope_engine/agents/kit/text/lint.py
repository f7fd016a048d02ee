"""What is wrong with the texts of an agent, and what of a layer over it no longer fits: each with file and line."""

from collections.abc import Callable, Collection, Iterator
from difflib import unified_diff
from functools import partial
from pathlib import Path

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.model import Diagnostic

from .folder import Folder
from .sources import FolderError, Layer, Table, files_in, laid_over, read_file
from .texts import ToolSchema

_CODE = "agent-texts"


def mistakes_in(folder: Folder, layer: Layer | None = None) -> list[Diagnostic]:
    """Everything wrong with an agent's texts, or a layer's. A warning is for a text without effect."""
    place, names = (layer.folder, layer.files()) if layer else (folder.path, _names(folder.path))
    found = list(_unread(folder, place, names))
    if found or layer is None:
        return found or [mistake_of(error) for error in mistakes(folder)]
    with laid_over():
        known, own = set(_names(folder.path)), folder.versions
    with laid_over(layer):
        errors = [error for error in mistakes(folder) if Path(error.path).is_relative_to(place)]
        found = [mistake_of(error) for error in errors]
        return [*found, *_unused(folder, place, [name for name in names if name not in known], own)]


def _names(folder: Path) -> list[str]:
    return sorted(name for name, _ in files_in(folder))


def mistake_of(error: ScenarioError) -> Diagnostic:
    """What an error tells, its place apart where it is one of a file."""
    path, line = (error.path, error.line) if isinstance(error, FolderError) else (str(error.where), None)
    return Diagnostic("error", _CODE, str(error).removeprefix(f"{error.where}: "), path, line)


def _unread(folder: Folder, place: Path, names: list[str]) -> Iterator[Diagnostic]:
    for name in names:
        try:
            read_file(place, name, folder.agent)
        except FolderError as error:
            yield mistake_of(error)


def _unused(folder: Folder, place: Path, fresh: list[str], own: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Files that replace none and that nothing names: perhaps they were made for another version of promptscope."""
    ordered = {name for group in folder.agent.get("sections", ()) for name in group["order"]}
    for name in fresh:
        kind, _, rest = name.partition("/")
        stem, _, form = rest.rsplit(".", 1)[0].partition("@")
        if form and form not in folder.versions and form[:1].isdigit():
            words = f"there is no version {form}; known: {', '.join(own)}"
            yield Diagnostic("warning", _CODE, words, str(place / name))
        elif kind == "sections" and stem.replace("/", ".") not in ordered:
            words = "it replaces no text of the built-in agent, and no order in agent.toml names it: it is not used"
            yield Diagnostic("warning", _CODE, words, str(place / name))


def changes_of(folder: Folder, layer: Layer) -> Iterator[str]:
    """A unified diff of each file that a layer has, against the built-in one."""
    for name in layer.files():
        built_in = folder.path / name
        before = built_in.read_text("utf-8").splitlines() if built_in.is_file() else []
        after = (layer.folder / name).read_text("utf-8", errors="replace").splitlines()
        if name == "agent.toml":  # laid over key by key: what it does not name stays
            before = []
        old, new = f"built-in/{name}" if before else "/dev/null", str(layer.folder / name)
        yield from unified_diff(before, after, old, new, lineterm="")


_VERSIONED = ("since", "until")
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
        yield partial(list, folder.parameters(source, partial(_guard, folder, source.file)))
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
            for key in _VERSIONED:
                yield partial(_is_one_of, folder, source.file, source.head, key, folder.versions)


def _guard(folder: Folder, file: str, text: str) -> Condition:
    """ALWAYS, in the place of a condition that only has to be one."""
    if text:
        folder.expression(text, file)
    return ALWAYS


def _is_there(folder: Folder, section: str) -> None:
    if section not in folder.sources.sections:
        line = folder.line_of(folder.main, f'"{section}"')
        raise FolderError(folder.path / folder.main, line, f"there is no section {section}")


def _is_one_of(folder: Folder, file: str, said: Table, key: str, valid: Collection[str]) -> None:
    if (value := said.get(key)) not in (None, *valid):
        known = f"; known: {', '.join(valid)}" if valid else ""
        line = folder.line_of(file, str(value))
        raise FolderError(
            folder.path / file, line, f"`{key}`: there is no {'version' if key in _VERSIONED else key} {value}{known}"
        )
