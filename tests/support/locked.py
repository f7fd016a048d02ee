"""A folder that may not be looked into, whoever runs the tests: root may look into every real one."""

import errno
import os
from pathlib import Path

from promptscope_engine.workspace.disk import Entry, RealDisk


class LockedDisk(RealDisk):
    """The real disk, with one folder of mode 000: it can't be listed, nor can anything in it be looked at."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def _refuse(self, path: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    def scan(self, path: str) -> list[Entry]:
        """The entries; PermissionError for the locked folder and those in it."""
        if f"{path}/".startswith(f"{self._folder}/"):
            self._refuse(path)
        return super().scan(path)

    def stat(self, path: str) -> os.stat_result:
        """What the path leads to; PermissionError within the folder."""
        if path.startswith(f"{self._folder}/"):
            self._refuse(path)
        return super().stat(path)

    def lstat(self, path: str) -> os.stat_result:
        """What is at the path; PermissionError within the folder."""
        if path.startswith(f"{self._folder}/"):
            self._refuse(path)
        return super().lstat(path)

    def read(self, path: str, limit: int) -> bytes:
        """The bytes; PermissionError within the folder."""
        if path.startswith(f"{self._folder}/"):
            self._refuse(path)
        return super().read(path, limit)
