"""Counts that are kept on disk between runs, so that the first frame has them without loading an encoding."""

import os
import struct
import threading
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from promptscope_engine.app_dirs import own_folder

CAPACITY = 20_000
"""Counts that are kept, 20 bytes each; the longest unused are dropped first."""

# One flat file: magic with the format's number, crc32 of the rest, then (16 bytes of key, count) from the
# longest unused to the latest. 20,000 entries (400 kB) load into a dict in 2.2 ms; sqlite answers 50 keys in
# 0.4 ms, but its import alone takes 7 to 18 ms. Writing all of it takes 11 ms.
_MAGIC = b"promptscope-1\0\0\0"
_HEADER = struct.Struct("<16sI")
_ENTRY = struct.Struct("<16sI")


def count_key(encoding: str, text: str) -> bytes:
    """The key of a text's count: 16 bytes of the sha256 of the encoding's name, a NUL and the text.

    The text goes in as UTF-8 with `surrogatepass`, so that every `str` has a key.
    """
    return _key(f"{encoding}\0{text}")


def joined_key(encoding: str, parts: Iterable[str | bytes]) -> bytes:
    """The key of the count of a text that is joined of parts; a part in bytes is its own `count_key`."""
    written = [f"{len(part)}:{part}" if isinstance(part, str) else part.hex() for part in parts]
    return _key("\n".join(("joined", encoding, *written)))


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


class CountCache:
    """Token counts by key (see `count_key`), in one file that several processes may share.

    Nothing here raises for the disk's sake: a folder that is missing, read-only or full leaves a cache in
    memory, and a damaged file is started again. Two processes that flush at the same moment may lose the
    counts of one, never the file. Safe from several threads.
    """

    def __init__(self, folder: Path | str | None = None, capacity: int = CAPACITY) -> None:
        """Keep counts in `folder`, else in promptscope's own cache folder.

        The disk is not touched before the first `get`.
        """
        self._folder = folder
        self._capacity = capacity
        self._lock = threading.Lock()
        self._on_disk: dict[bytes, int] | None = None
        self._used: dict[bytes, int] = {}
        self._new = False

    def path(self) -> Path | None:
        """The file, which need not exist; None where there is no home to keep it in."""
        if self._folder:
            return Path(self._folder) / "counts"
        default = own_folder("cache")
        # With no home to be found it would be a folder called `~` where we happen to be.
        return default / "counts" if default.is_absolute() else None

    def get(self, key: bytes) -> int | None:
        """The count under `key`, or None; a hit makes it the latest used."""
        with self._lock:
            if self._on_disk is None:
                self._on_disk = self._read()
            count = self._used.get(key)
            if count is None:
                count = self._on_disk.get(key)
                if count is not None:
                    self._used[key] = count
            return count

    def put(self, key: bytes, count: int) -> None:
        """Keep a count in memory; `flush` writes it."""
        with self._lock:
            self._used[key] = count
            self._new = True

    def flush(self) -> None:
        """Write what is new in one atomic step, together with what other processes wrote meanwhile.

        Where nothing is new the disk is not touched.
        """
        with self._lock:
            if not self._new:
                return
            entries = self._read()
            for key in self._used:
                entries.pop(key, None)
            entries.update(self._used)
            surplus = max(0, len(entries) - self._capacity)
            self._new = not self._write(list(entries.items())[surplus:])

    def _read(self) -> dict[bytes, int]:
        path = self.path()
        if path is None:
            return {}
        longest = _HEADER.size + self._capacity * _ENTRY.size
        try:
            with path.open("rb") as file:
                raw = file.read(longest + 1)
        except OSError:
            return {}
        body = memoryview(raw)[_HEADER.size :]
        # Whatever is not exactly what `_write` makes is no cache, a longer one included.
        if len(raw) > longest or raw[: _HEADER.size] != _HEADER.pack(_MAGIC, crc32(body)):
            return {}
        if len(body) % _ENTRY.size:
            return {}
        return dict(_ENTRY.iter_unpack(body))

    def _write(self, entries: list[tuple[bytes, int]]) -> bool:
        path = self.path()
        if path is None:
            return False
        body = b"".join([_ENTRY.pack(key, count) for key, count in entries])
        # A name of its own for each writer; no fsync, since the checksum finds a file torn by a power cut.
        draft = path.with_name(f"counts.{os.getpid()}.{os.urandom(4).hex()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_HEADER.pack(_MAGIC, crc32(body)) + body)
            draft.replace(path)
        except OSError:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            return False
        return True
