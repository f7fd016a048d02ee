"""Counting texts with one tokenizer: what was counted before is never counted again."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from . import encodings
from .cache import CountCache, count_key
from .tokenizers import Tokenizer

# The texts themselves are the keys in memory, which spares hashing 200 kB per section and frame. A long
# session that reloads edited files must not keep every version: past this many characters all are let go.
_MEMORY = 16_000_000


class Counter:
    """Tokens of texts by one tokenizer: from memory, else from the disk, else by encoding.

    Safe for a screen's thread and a worker's: the worker calls `count`, and the screen `cached`, which never
    encodes and so never waits for a load.
    """

    def __init__(self, tokenizer: Tokenizer, cache: CountCache | None = None) -> None:
        """Count by `tokenizer`; `cache` may be shared by counters, and without one nothing is kept."""
        self.tokenizer = tokenizer
        self.cache = cache
        self._lock = threading.Lock()
        self._memory: dict[str, int] = {}
        self._held = 0
        self._others: dict[Tokenizer, Counter] = {}

    def count(self, text: str) -> int:
        """Tokens of `text`; an empty text is 0. May load the encoding.

        Raises:
            EncodingDataError: the shipped rank file cannot be read or was changed.
        """
        known = self.cached(text)
        if known is not None:
            return known
        encoding = self.tokenizer.encoding
        assert encoding is not None  # without one, `cached` always knows
        base = encodings.count_tokens(encoding, text)
        if self.cache is not None:
            self.cache.put(count_key(encoding, text), base)
        self._remember(text, base)
        return self.tokenizer.tokens(base)

    def by(self, tokenizer: Tokenizer) -> Counter:
        """This counter if it counts by `tokenizer`, else another one of its kind on the same cache, which is kept."""
        if self.tokenizer == tokenizer:
            return self
        if tokenizer not in self._others:
            self._others[tokenizer] = self._like(tokenizer)
        return self._others[tokenizer]

    def _like(self, tokenizer: Tokenizer) -> Counter:
        return Counter(tokenizer, self.cache)

    def count_many(self, texts: Iterable[str]) -> list[int]:
        """Tokens of each text, in order; see `count`."""
        return [self.count(text) for text in texts]

    def cached(self, text: str) -> int | None:
        """Tokens of `text` if that takes no encoding, else None. Reads the cache file at its first call."""
        if not text:
            return 0
        encoding = self.tokenizer.encoding
        if encoding is None:
            return self.tokenizer.tokens(len(text))
        base = self._memory.get(text)
        if base is None and self.cache is not None:
            base = self.cache.get(count_key(encoding, text))
            if base is not None:
                self._remember(text, base)
        return None if base is None else self.tokenizer.tokens(base)

    def flush(self) -> None:
        """Write new counts to the cache's file, if there is a cache; call it once, at the end of a batch."""
        if self.cache is not None:
            self.cache.flush()

    def _remember(self, text: str, base: int) -> None:
        with self._lock:
            if self._held > _MEMORY:
                self._memory.clear()
                self._held = 0
            self._memory[text] = base
            self._held += len(text)
