"""What is wrong with the texts of an agent, and what of a layer over it no longer fits: each with file and line."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Severity

from .folder import Folder
from .layers import Layer, laid_over
from .mistakes import mistakes
from .sources import FolderError, file_names, read_file


@frozen
class Mistake:
    """What is wrong, and where. A warning: the text is right, and has no effect."""

    path: str
    line: int | None
    message: str
    severity: Severity = "error"


def mistakes_in(folder: Folder, layer: Layer | None = None) -> list[Mistake]:
    """Everything that is wrong with an agent's texts, or with those of a layer over them."""
    place, names = (layer.folder, layer.files()) if layer else (folder.path, file_names(folder.path))
    found = list(_unread(folder, place, names))
    if found or layer is None:
        return found or [mistake_of(error) for error in mistakes(folder)]
    with laid_over():
        known, own = set(file_names(folder.path)), folder.versions
    with laid_over(layer):
        errors = [error for error in mistakes(folder) if Path(error.path).is_relative_to(place)]
        found = [mistake_of(error) for error in errors]
        return [*found, *_unused(folder, place, [name for name in names if name not in known], own)]


def mistake_of(error: ScenarioError) -> Mistake:
    """What an error tells, its place apart where it is one of a file."""
    path, line = (error.path, error.line) if isinstance(error, FolderError) else (str(error.where), None)
    return Mistake(path, line, str(error).removeprefix(f"{error.where}: "))


def _unread(folder: Folder, place: Path, names: list[str]) -> Iterator[Mistake]:
    for name in names:
        try:
            read_file(place, name, folder.agent)
        except FolderError as error:
            yield mistake_of(error)


def _unused(folder: Folder, place: Path, fresh: list[str], own: tuple[str, ...]) -> Iterator[Mistake]:
    """Files that replace none and that nothing names: perhaps they were made for another version of promptscope."""
    ordered = {name for group in folder.agent.get("sections", ()) for name in group["order"]}
    for name in fresh:
        kind, _, rest = name.partition("/")
        stem, _, form = rest.rsplit(".", 1)[0].partition("@")
        if form and form not in folder.versions and form[:1].isdigit():
            yield Mistake(str(place / name), None, f"there is no version {form}; known: {', '.join(own)}", "warning")
        elif kind == "sections" and stem.replace("/", ".") not in ordered:
            words = "it replaces no text of the built-in agent, and no order in agent.toml names it: it is not used"
            yield Mistake(str(place / name), None, words, "warning")


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
