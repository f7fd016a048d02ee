"""A folder of thousands, which nobody has to make and remove again."""

from __future__ import annotations

from promptscope_engine.workspace.disk import Entry, Kind, RealDisk


class CrowdedDisk(RealDisk):
    """The machine's disk, where one folder lists made-up entries behind its own."""

    def __init__(self, folder: object, count: int, kind: Kind = "directory", name: str = "z{}") -> None:
        self._folder = str(folder)
        self._crowd = [Entry(name.format(number), kind) for number in range(count)]

    def scan(self, path: str) -> list[Entry]:
        return super().scan(path) + (self._crowd if path == self._folder else [])
