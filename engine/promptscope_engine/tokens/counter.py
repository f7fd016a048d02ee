"""Counting texts with one tokenizer: what was counted before is never counted again.

A long text is counted in three parts: up to the first place that no token can reach over, up to the last one, and the
rest. The middle is encoded once, in how many texts it may be: a file counts by itself, in its section and in the
whole prompt, and only the seams differ.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from operator import is_
from typing import Generic, TypeVar

from msgspec import Struct

from promptscope_engine.timings import timed

from . import encodings
from .cache import CountCache, count_key, joined_key
from .models import Tokenizer, tokenizer_for_model

# The texts themselves are the keys in memory, which spares hashing 200 kB per section and frame. A long
# session that reloads edited files must not keep every version: past this many characters all are let go.
MEMORY = 16_000_000
_LONG_MEMORY = 64_000_000
"""The same for long texts, which the files that are shown hold anyway."""
_JOINED_MEMORY = 100_000
"""Counts of joined texts, kept by 16 bytes each where there is no cache."""

LONG = 1_000
"""Characters from which on a text has a middle of its own."""
MANY = 500
"""Parts from which on a joined text is counted from the last one."""
_BATCH = 32
"""Texts that one thread encodes before a second one begins, and how far that one is ahead."""
_NEAR = 2
"""So close behind the second thread, the first one would encode the same text."""


class _Long(Struct, eq=False):
    """A long text with the places where it may be cut. `tokens` are those between the first place and the last."""

    text: str
    cuts: encodings.Cuts
    head: str
    tail: str
    tokens: int | None = None

    def middle(self, encoding: encodings.EncodingName) -> int:
        if self.tokens is None:
            at = self.cuts.places
            self.tokens = sum(encodings.count_tokens(encoding, self.text[a:b]) for a, b in pairwise(at))
        return self.tokens


class _Joined(Struct, eq=False):
    """Thousands of parts that were counted as one text.

    `is_close`: whether the count is a sum over exact cuts, None if nobody looked; `is_saved`: whether the cache knows
    it.
    """

    encoding: encodings.EncodingName
    parts: Sequence[str]
    base: int
    is_close: bool | None
    is_saved: bool


K = TypeVar("K")
V = TypeVar("V")


class _Memory(Generic[K, V]):
    """Values by key, all of which are let go once their sizes are more than `most` together."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._values: dict[K, V] = {}
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        return self._values.get(key)

    def put(self, key: K, value: V, size: int) -> None:
        with self._lock:
            if self._held > self._most:
                self._values.clear()
                self._held = 0
            self._values[key] = value
            self._held += size


class Ahead:
    """Texts that are counted in their order, and a thread that encodes what comes later.

    It begins some texts ahead, and when it has been caught up with, as far ahead again.
    """

    def __init__(self, texts: Iterable[str], encode: Callable[[str], None]) -> None:
        self._given, self._encode = texts, encode
        self._at = self._missed = 0
        self._over = False
        self._thread: threading.Thread | None = None  # made when it begins: it would hold itself

    @cached_property
    def _texts(self) -> list[str]:
        return list(dict.fromkeys(self._given))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {text: place for place, text in enumerate(self._texts)}

    @property
    def progress(self) -> tuple[int, int]:
        """How many texts are counted, and how many there are."""
        return self._at, len(self._texts)

    def miss(self, parts: Sequence[str]) -> bool:
        """They had to be encoded: if many are likely to be, the thread begins. Whether it has."""
        self._at = max((self._places.get(part, 0) for part in parts), default=0)
        self._missed += 1
        if self._missed == _BATCH < len(self._texts):
            self._thread = threading.Thread(target=self.run, name="promptscope-counter", daemon=True)
            self._thread.start()
        return self._thread is not None

    def end(self) -> None:
        """All are counted: the thread ends."""
        self._over = True
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """What the thread does."""
        place = self._at
        while not self._over:
            if place <= self._at + _NEAR:
                place = self._at + _BATCH
            if place >= len(self._texts):
                return
            self._encode(self._texts[place])
            place += 1


class Counter:
    """Tokens of texts by one tokenizer: from memory, else from the disk, else by encoding.

    Safe for a screen's thread and a worker's: the worker calls `count`, and the screen `cached`, which never
    encodes and so never waits for a load.
    """

    def __init__(self, tokenizer: Tokenizer, cache: CountCache | None = None) -> None:
        """Count by `tokenizer`; `cache` may be shared by counters, and without one nothing is kept."""
        self.tokenizer = tokenizer
        self.cache = cache
        self._memory: _Memory[str, int] = _Memory(MEMORY)
        self._long: _Memory[str, _Long] = _Memory(_LONG_MEMORY)
        # By identity, which what is kept holds: Python's own hash of a long text takes half as long as the key.
        self._keys: _Memory[int, tuple[str, bytes]] = _Memory(_LONG_MEMORY)
        self._joined: _Memory[bytes, int] = _Memory(_JOINED_MEMORY)
        self._others: dict[Tokenizer, Counter] = {}
        self._last: _Joined | None = None
        self._ahead: Ahead | None = None

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
        self._missed((text,))
        return self.tokenizer.tokens(self._counted(encoding, text))

    def count_joined(self, parts: Sequence[str]) -> int:
        """Tokens of the parts joined to one text, the same as `count` gives: what is long is not encoded again."""
        encoding = self.tokenizer.encoding
        if encoding is None or not _has_long(parts):
            return self.count("".join(parts))
        if (near := self._near(encoding, parts)) is not None:
            self._last = _Joined(encoding, parts, near, is_close=True, is_saved=False)
            return self.tokenizer.tokens(near)
        key = self._joined_key(encoding, parts)
        base = self._known_joined(key)
        if base is None:
            self._missed(parts)
            base = self._encoded(encoding, parts)
            if self.cache is None:
                self._joined.put(key, base, 1)
            else:
                self.cache.put(key, base)
            if self._ahead is not None:
                for part in parts:
                    if len(part) >= LONG:
                        self._count_alone(part)
        if len(parts) >= MANY:
            self._last = _Joined(encoding, parts, base, is_close=None, is_saved=True)
        return self.tokenizer.tokens(base)

    def _near(self, encoding: encodings.EncodingName, parts: Sequence[str]) -> int | None:
        """The count of thousands of parts from that of the last ones, of which most are the same objects.

        Both are sums over the same cuts but for the stretch that changed, together with the long parts around it.
        None if they have too little in common, or if the count is no sum.
        """
        last = self._last
        if last is None or len(parts) < MANY:
            return None
        if last.is_close is None:
            last.is_close = _is_close(*self.divided(last.parts))
        if not last.is_close:
            return None
        old = last.parts
        most = min(len(old), len(parts))
        head = next((n for n, same in enumerate(map(is_, old, parts)) if not same), most)
        both = map(is_, reversed(old), reversed(parts))
        tail = next((n for n, same in enumerate(both) if not same), most)
        tail = min(tail, most - head)
        start = next((n for n in range(head - 1, -1, -1) if self._has_cuts(parts[n])), 0)
        end = next((n for n in range(len(parts) - tail, len(parts)) if self._has_cuts(parts[n])), len(parts) - 1)
        if end - start > MANY:
            return None
        after_end = len(parts) - end - 1
        before = self._summed(encoding, old[start : len(old) - after_end], exact=True)
        after = self._summed(encoding, parts[start : end + 1], exact=True)
        return None if before is None or after is None else last.base - before + after

    def _has_cuts(self, part: str) -> bool:
        return len(part) >= LONG and bool(self._long_of(part).cuts.places)

    def by(self, tokenizer: Tokenizer) -> Counter:
        """This counter if it counts by `tokenizer`, else another one of its kind on the same cache, which is kept."""
        if self.tokenizer == tokenizer:
            return self
        if tokenizer not in self._others:
            self._others[tokenizer] = self._like(tokenizer)
        return self._others[tokenizer]

    def _like(self, tokenizer: Tokenizer) -> Counter:
        return Counter(tokenizer, self.cache)

    @contextmanager
    def ahead(self, texts: Iterable[str]) -> Iterator[None]:
        """Meanwhile, texts that hold these are counted one by one, in their order.

        Once that turns out to take encoding, a second thread runs ahead, so that both are busy to the end, whatever
        else the first one does with each text. Each of these texts then has a count of its own, too: either thread sees
        to that while the other one encodes.
        """
        self._ahead = ahead = Ahead([text for text in texts if len(text) >= LONG], self._count_alone)
        try:
            yield
        finally:
            self._ahead = None
            ahead.end()

    def _missed(self, parts: Sequence[str]) -> None:
        """They have to be encoded."""
        self.check_cancelled()
        if self._ahead is not None and self._ahead.miss(parts):
            self.counted_so_far(*self._ahead.progress)

    def _count_alone(self, text: str) -> None:
        if self.cached(text) is None:
            encoding = self.tokenizer.encoding
            assert encoding is not None  # as in `count`
            self._counted(encoding, text)

    def _counted(self, encoding: encodings.EncodingName, text: str) -> int:
        base = self._encoded(encoding, (text,))
        if self.cache is not None:
            self.cache.put(self._text_key(encoding, text), base)
        self._memory.put(text, base, len(text))
        return base

    def check_cancelled(self) -> None:
        """Called before something is encoded, and between the parts of an assembly: may raise to stop."""

    def counted_so_far(self, done: int, of: int) -> None:
        """Called while many long texts are counted: how many of them are."""

    def cached(self, text: str) -> int | None:
        """Tokens of `text` if that takes no encoding, else None. Reads the cache file at its first call."""
        if not text:
            return 0
        encoding = self.tokenizer.encoding
        if encoding is None:
            return self.tokenizer.tokens(len(text))
        base = self._memory.get(text)
        if base is None and self.cache is not None:
            base = self.cache.get(self._text_key(encoding, text))
            if base is not None:
                self._memory.put(text, base, len(text))
        return None if base is None else self.tokenizer.tokens(base)

    def cached_joined(self, parts: Sequence[str]) -> int | None:
        """Tokens of the parts joined to one text if that takes no encoding, else None."""
        encoding = self.tokenizer.encoding
        if encoding is None or not _has_long(parts):
            return self.cached("".join(parts))
        base = self._known_joined(self._joined_key(encoding, parts))
        return None if base is None else self.tokenizer.tokens(base)

    def _known_joined(self, key: bytes) -> int | None:
        return self._joined.get(key) if self.cache is None else self.cache.get(key)

    def flush(self) -> None:
        """Write new counts to the cache's file, if there is a cache; call it once, at the end of a batch."""
        if self.cache is None:
            return
        if self._last is not None and not self._last.is_saved:
            self.cache.put(self._joined_key(self._last.encoding, self._last.parts), self._last.base)
            self._last.is_saved = True
        self.cache.flush()

    # --- long texts ---------------------------------------------------------------------------------------------

    @timed("counting", lambda *_: "")
    def _encoded(self, encoding: encodings.EncodingName, parts: Sequence[str]) -> int:
        """What `count_tokens` gives for the joined parts: the middles as they are known, and the seams."""
        summed = self._summed(encoding, parts, exact=sum(map(len, parts)) > encodings.PLAIN)
        return encodings.count_tokens(encoding, "".join(parts)) if summed is None else summed

    def _summed(self, encoding: encodings.EncodingName, parts: Sequence[str], *, exact: bool) -> int | None:
        """The sum of middles and seams; None without a middle, or if it has to be `exact` and may not be."""
        longs, seams = self.divided(parts)
        if not longs or (exact and not _is_close(longs, seams)):
            return None
        return sum(long.middle(encoding) for long in longs) + sum(self._seam(encoding, seam) for seam in seams)

    def divided(self, parts: Sequence[str]) -> tuple[list[_Long], list[str]]:
        """The parts with middles, and what is before, between and behind the middles."""
        longs: list[_Long] = []
        seams: list[str] = []
        seam: list[str] = []
        for part in parts:
            long = self._long_of(part) if len(part) >= LONG else None
            if long is None or not long.cuts.places:
                seam.append(part)
                continue
            seam.append(long.head)
            seams.append("".join(seam))
            longs.append(long)
            seam = [long.tail]
        seams.append("".join(seam))
        return longs, seams

    def _seam(self, encoding: encodings.EncodingName, text: str) -> int:
        base = self._memory.get(text)
        if base is None:
            base = encodings.count_tokens(encoding, text)
            self._memory.put(text, base, len(text))
        return base

    def _long_of(self, text: str) -> _Long:
        long = self._long.get(text)
        if long is None:
            cuts = encodings.cuts(text)
            ends = (text[: cuts.places[0]], text[cuts.places[-1] :]) if cuts.places else (text, "")
            long = _Long(text, cuts, *ends)
            self._long.put(text, long, len(text))
        return long

    def _text_key(self, encoding: encodings.EncodingName, text: str) -> bytes:
        if len(text) < LONG:
            return count_key(encoding, text)
        kept = self._keys.get(id(text))
        if kept is None:
            kept = text, count_key(encoding, text)
            self._keys.put(id(text), kept, len(text))
        return kept[1]

    def _joined_key(self, encoding: encodings.EncodingName, parts: Sequence[str]) -> bytes:
        return joined_key(encoding, [p if len(p) < LONG else self._text_key(encoding, p) for p in parts])


def _is_close(longs: Sequence[_Long], seams: Sequence[str]) -> bool:
    """Whether exact cuts stand so close together that the sum is what encoding all of it gives."""
    return all(long.cuts.close for long in longs) and all(len(seam) < encodings.CLOSE for seam in seams)


def _has_long(parts: Sequence[str]) -> bool:
    return len(parts) > 1 and max(map(len, parts)) >= LONG


def counter_for(model: str | None, cache: CountCache | None = None) -> Counter:
    """A counter with a model's tokenizer, by default with the counts that are kept on disk."""
    return Counter(tokenizer_for_model(model), cache or CountCache())
