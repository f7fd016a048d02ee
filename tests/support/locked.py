"""A folder that may not be looked into, whoever runs the tests: root may look into every real one."""

import errno
from pathlib import Path

from promptscope_engine.workspace.disk import Entry, RealDisk


class LockedDisk(RealDisk):
    """The real disk, with one folder that can't be listed."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def scan(self, path: str) -> list[Entry]:
        """The entries; PermissionError for the locked folder."""
        if path == self._folder:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return super().scan(path)
