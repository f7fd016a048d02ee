"""The context files that a read brings along: those of folders below the workspace's own (specs/gemini.md 5.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from promptscope_engine.agents.features import LazyFile
from promptscope_engine.agents.gemini.gather import gather
from promptscope_engine.agents.gemini.gather.memory import KIND
from promptscope_engine.agents.kit.walking import folders_with
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace


def lazy_files(inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
    """Every such file, outer folders first; `files` are the repository's, absolute."""
    materials = gather(inputs, workspace).materials
    names, hidden_by = materials.names, materials.hidden_by
    folders = folders_with(workspace, inputs.workspace, files, names)
    found = gather(replace(inputs, reads=tuple(folders)), workspace).materials.discovered
    return tuple(
        LazyFile(file.path, KIND, folder, (), _below(folder, hidden_by), _never(folder, hidden_by))
        for each in found
        for file in each.files
        for folder in (_folder_of(file.path, names),)
    )


def _folder_of(path: str, names: Sequence[str]) -> str:
    """The folder that a context file speaks of; its name may hold folders of its own."""
    name = next((name for name in sorted(names, key=len, reverse=True) if path.endswith(f"/{name}")), "")
    return path.removesuffix(f"/{name}")


def _below(folder: str, hidden_by: Callable[[str], str | None]) -> Callable[[str], bool]:
    return lambda path: path.startswith(f"{folder}/") and not hidden_by(path)


def _never(folder: str, hidden_by: Callable[[str], str | None]) -> str:
    """Why no read loads the context files of a folder, "" if one may."""
    hidden = hidden_by(f"{folder}/")
    why = "nothing in a node_modules is read" if hidden == "node_modules" else f"{hidden} hides the folder"
    return f"loads only when the folder is listed, not by reading a file in it: {why}" if hidden else ""
