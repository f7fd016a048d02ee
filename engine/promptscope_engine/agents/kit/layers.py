"""One's own corrections: folders of text and data that are laid over a built-in agent's own.

    <config folder>/agents/ID     a person's own, for every command but `check` and `diff`
    --agent-dir DIR               the folder of an agent; its id is that in its agent.toml, else its name

A layer has the files that an agent's folder has, and only those that it changes. agent.toml is laid over key by key,
everything else file by file. Python in it is never looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Literal

from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Diagnostic

Kind = Literal["learned", "own", "given"]

MAX_FILES = 2_000
MAX_BYTES = 1_000_000
"""Of a layer, and of each of its files: a prompt has some two hundred texts of a few kB."""

WORDS: Mapping[Kind, str] = {
    "learned": "texts learned on this machine",
    "own": "your own corrections",
    "given": "the corrections of --agent-dir",
}
_FOLDERS = ("sections", "tools", "bundled")


@frozen
class Layer:
    """A folder that is laid over the agent `id`."""

    id: str
    kind: Kind
    folder: Path

    def files(self) -> list[str]:
        """The paths of its files inside it, sorted.

        Raises ScenarioError for more than a layer may have, and for a link out of one that may be a stranger's.
        """
        found = sorted(name for name, _ in islice(files_in(self.folder), MAX_FILES + 1))
        if len(found) > MAX_FILES:
            raise ScenarioError(f"more than {MAX_FILES:,} files: this is no agent's folder", where=str(self.folder))
        root = os.path.realpath(self.folder)
        for name in found if self.kind == "given" else ():
            if not os.path.realpath(self.folder / name).startswith(f"{root}/"):
                raise ScenarioError("a link that leads out of the folder", where=str(self.folder / name))
        return found


def files_in(folder: Path, inside: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """The files of an agent's folder by their paths in it. Of links to folders only those of its own are followed."""
    with os.scandir(folder / inside) as entries:
        for entry in entries:
            name = f"{inside}{entry.name}"
            if (inside or name in _FOLDERS) and entry.is_dir(follow_symlinks=not inside):
                yield from files_in(folder, f"{name}/")
            elif name == "agent.toml" or (inside and name.endswith((".md", ".json"))):
                yield name, entry


_LAID: tuple[Layer, ...] = ()


def laid() -> tuple[Layer, ...]:
    """Everything that is laid over the agents; the same object until `lay_over`."""
    return _LAID


def layers_of(agent_id: str) -> tuple[Layer, ...]:
    """The layers over an agent, the last one counting most."""
    return tuple(layer for layer in _LAID if layer.id == agent_id)


def lay_over(layers: Iterable[Layer]) -> None:
    """Lay these over the built-in agents, in this process, instead of those before."""
    global _LAID
    _LAID = tuple(layers)


@contextmanager
def laid_over(*layers: Layer) -> Iterator[None]:
    """The same for a while."""
    before = _LAID
    lay_over(layers)
    try:
        yield
    finally:
        lay_over(before)


def layers_in(folder: Path, kind: Kind, ids: Iterable[str]) -> list[Layer]:
    """The layers below a folder: `folder/ID` for each agent that has one."""
    return [Layer(each, kind, folder / each) for each in ids if (folder / each).is_dir()]


def given_layer(folder: Path, ids: Iterable[str]) -> Layer:
    """The layer that a person names. Raises ScenarioError where it is for no agent that is known."""
    import tomllib  # few lay something over

    from promptscope_engine.inputs.errors import unknown

    name = folder.name
    try:
        name = str(tomllib.loads((folder / "agent.toml").read_text("utf-8")).get("id", name))
    except OSError:
        pass  # it changes no list
    except ValueError as error:
        raise ScenarioError(str(error), where=str(folder / "agent.toml")) from None
    if name not in ids:
        raise unknown("agent", name, ids, where=str(folder))
    return Layer(name, "given", folder)


def laid_over_notes(agent_id: str) -> Iterator[Diagnostic]:
    """Whoever sees a prompt with corrections in it is told of them."""
    return map(_note, layers_of(agent_id))


@cache  # a screen assembles many prompts
def _note(layer: Layer) -> Diagnostic:
    count = len(layer.files())
    words = f"{WORDS[layer.kind]} ({count} file{'s' * (count != 1)}) are laid over the built-in {layer.id}"
    return Diagnostic("info", "laid-over", words, str(layer.folder))
