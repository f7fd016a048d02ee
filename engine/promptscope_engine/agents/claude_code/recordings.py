"""Where the agent keeps its transcripts: `<config>/projects/<key>/*.jsonl`. Names, sizes and times are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.transcripts import Recording
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

from .git import find_repository
from .memory import memory_folder

_MAX = 1_000
"""Recordings that are listed."""


def recordings(inputs: Inputs, workspace: Workspace) -> tuple[Recording, ...]:
    """This workspace's recordings, then the others, each group newest first."""
    config = (inputs.env.get("CLAUDE_CONFIG_DIR") or f"{inputs.home.rstrip('/')}/.claude").rstrip("/")
    # What is looked at here is not part of the prompt, so it is not to be watched.
    door = workspace.snapshot()
    repository = find_repository(inputs.workspace, door)
    places = {inputs.workspace, *((repository.root, repository.main_root) if repository else ())}
    mine = {memory_folder(config, place).split("/")[-2] for place in places}
    found = sorted(_found(f"{config}/projects", mine, door), key=lambda each: (not each.here, -each.modified))
    return tuple(found[:_MAX])


def _found(projects: str, mine: set[str], door: Workspace) -> Iterator[Recording]:
    for project in door.list(projects).entries:
        folder = f"{projects}/{project.name}"
        for entry in door.list(folder).entries if project.kind == "directory" else ():
            if entry.kind != "file" or not entry.name.endswith(".jsonl"):
                continue
            path = f"{folder}/{entry.name}"
            try:
                seen = door.disk.stat(path)
            except OSError:  # it has just been deleted
                continue
            yield Recording(path, seen.st_size, seen.st_mtime, project.name in mine, project.name)
