"""Finding recorded conversations: names, sizes and times are looked at, and the beginning where it tells the folder."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.transcripts import HEAD, TranscriptFile
from promptscope_engine.workspace import Workspace


def found_file(path: str, workspace: Workspace, here: bool, group: str = "") -> Iterator[TranscriptFile]:
    """The file as a transcript, unless it has just been deleted."""
    try:
        seen = workspace.disk.stat(path)
    except OSError:
        return
    yield TranscriptFile(path, seen.st_size, seen.st_mtime, here, group)


def beginning(path: str, workspace: Workspace, size: int = HEAD) -> bytes:
    """The first bytes of a file; b"" for one that cannot be read."""
    try:
        return b"".join(workspace.pieces(path, size, size))
    except OSError:
        return b""


def files_in(folder: str, workspace: Workspace, endings: tuple[str, ...]) -> Iterator[str]:
    """The regular files of a folder with such an ending, by name."""
    for entry in workspace.list(folder).entries:
        if entry.kind == "file" and entry.name.endswith(endings):
            yield f"{folder}/{entry.name}"


def folders_in(folder: str, workspace: Workspace) -> Iterator[str]:
    """The folders of a folder, by name."""
    return (f"{folder}/{entry.name}" for entry in workspace.list(folder).entries if entry.kind == "directory")
