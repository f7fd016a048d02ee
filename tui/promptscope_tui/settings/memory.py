"""What is remembered from one start to the next, in the state folder: the look, and what was opened and said.

The look has a file of its own: a kept frame (see output/last_frame.py) is only for the look it was painted with.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict, replace

from .paths import LOOK, write_whole

FOLDERS, VERSIONS = "folders.json", "versions.json"

MOST_FOLDERS = 20
"""Folders that are remembered."""

_MAX_BYTES = 1 << 16


class Look(Struct, frozen=True):
    """The theme that was shown last, and the page on which each folder was left, the latest last.

    `hinted`: whether the first hint was shown. `why`: whether the reasons are open where they have no column.
    """

    theme: str | None = None
    pages: Mapping[str, str] = {}
    hinted: bool = False
    why: bool = False


class Memory:
    """Reads and writes what is remembered. What cannot be read is forgotten; what cannot be written is not kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.look = Look()
        with suppress(ValidationError):
            self.look = convert(_read(folder / LOOK), Look)

    def keep(self, **changed: Any) -> None:
        """Keep another theme or page, or that the hint was shown."""
        look = replace(self.look, **changed)
        if look != self.look:
            self.look = look
            self._write(LOOK, asdict(look))

    def left_at(self, folder: str, page: str) -> None:
        """Keep the page that a folder was left on."""
        others = [pair for pair in self.look.pages.items() if pair[0] != folder]
        self.keep(pages=dict([*others, (folder, page)][-MOST_FOLDERS:]))

    def folders(self) -> tuple[str, ...]:
        """The folders that were opened, the latest first; read again, as another app may have added some."""
        found = _read(self._folder / FOLDERS)
        return tuple(each for each in found if isinstance(each, str))[:MOST_FOLDERS] if isinstance(found, list) else ()

    def opened(self, folder: str) -> None:
        """Keep that a folder was opened."""
        before = self.folders()
        if before[:1] != (folder,):
            self._write(FOLDERS, [folder, *(each for each in before if each != folder)][:MOST_FOLDERS])

    def version_seen(self, agent: str) -> str | None:
        """The version of an agent whose news was said last."""
        return self._versions().get(agent)

    def keep_version(self, agent: str, version: str) -> None:
        """Keep that the news of a version was said."""
        self._write(VERSIONS, {**self._versions(), agent: version})

    def _versions(self) -> dict[str, str]:
        found = _read(self._folder / VERSIONS)
        pairs = found.items() if isinstance(found, dict) else ()
        return {agent: version for agent, version in pairs if isinstance(version, str)}

    def _write(self, name: str, value: object) -> None:
        """In one step, readable by its owner only: names of folders are private."""
        target = self._folder / name
        with suppress(OSError, ValueError):  # a folder's name need not be UTF-8
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(target, json.dumps(value).encode())


def _read(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            return json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
