"""Makes a situation smaller while one difference stays: fewer files, arguments, variables, reads, settings, lines."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from .comparing import Blank, Difference, differences
from .markers import stem_in
from .predicting import predicted
from .running import asked
from .situation import Facts, Situation

T = TypeVar("T")


Judge = Callable[[Situation], Facts]


class Shrinker:
    """Tries smaller situations, each with the client and promptscope (`judges`), until `tries` are used up."""

    def __init__(
        self,
        situation: Situation,
        wanted: Difference,
        blank: Blank | None,
        tries: int,
        judges: tuple[Judge, Judge] = (asked, predicted),
    ) -> None:
        self.situation, self.difference = situation, wanted
        self._key, self._blank, self._left = _key(wanted), blank, tries
        self._ask, self._predict = judges

    def holds(self, situation: Situation) -> bool:
        """Whether the difference is there; False when no try is left, or when the situation cannot be built."""
        if self._left <= 0:
            return False
        self._left -= 1
        try:
            found = differences(situation, self._ask(situation), self._predict(situation), self._blank)
        except (OSError, ValueError, KeyError, TypeError):
            return False
        same = next((one for one in found if _key(one) == self._key), None)
        self.difference = same or self.difference
        return same is not None

    def run(self) -> Situation:
        """The smallest one that was found."""
        self._drop(list(self.situation.reads), lambda small, one: small.reads.remove(one))
        self._drop(list(self.situation.git[1:]), lambda small, one: small.git.remove(one))
        self._drop(list(self.situation.args), lambda small, one: small.args.pop(one))
        self._drop(list(self.situation.env), lambda small, one: small.env.pop(one))
        self._drop(list(self.situation.files), lambda small, one: small.files.pop(one))
        for path, content in list(self.situation.files.items()):
            if isinstance(content, dict) and "numbered" in content:
                self._shorten(path)
            elif isinstance(content, str) and path.endswith(".json"):
                self._drop_keys(path, content)
            elif isinstance(content, str) and content.count("\n") > 1:
                self._drop(content.splitlines(keepends=True), partial(_drop_line, path))
        return self.situation

    def _attempt(self, change: Callable[[Situation], object]) -> bool:
        smaller = copy.deepcopy(self.situation)
        change(smaller)
        if smaller == self.situation or not self.holds(smaller):
            return False
        self.situation = smaller
        return True

    def _drop(self, items: list[T], remove: Callable[[Situation, T], object]) -> None:
        """Remove halves, then quarters, then single ones of what is still there."""
        size = max(1, len(items) // 2)
        while items and self._left > 0:
            at, gone = 0, False
            while at < len(items):
                chunk = items[at : at + size]
                if self._attempt(partial(_without, remove, chunk)):
                    del items[at : at + size]
                    gone = True
                else:
                    at += size
            if size == 1 and not gone:
                return
            size = max(1, size // 2)

    def _shorten(self, path: str) -> None:
        """Fewer numbered lines, by thirds."""

        def count() -> int:
            content = self.situation.files[path]
            assert isinstance(content, dict)
            return int(content["count"])

        def fewer(small: Situation) -> None:
            content = small.files[path]
            assert isinstance(content, dict)
            content["count"] = content["count"] * 2 // 3

        while count() > 2 and self._attempt(fewer):
            continue

    def _drop_keys(self, path: str, content: str) -> None:
        try:
            value = json.loads(content)
        except ValueError:
            return
        if isinstance(value, dict):
            inner = [(key, below) for key, one in value.items() if isinstance(one, dict) for below in one]
            keys: list[tuple[str, ...]] = [*((key,) for key in value), *inner]
            self._drop(keys, lambda small, where: _drop_key(small, path, where))


def _key(difference: Difference) -> tuple[str, str]:
    return difference.kind, stem_in(difference.item) or difference.item


def _without(remove: Callable[[Situation, T], object], items: list[T], situation: Situation) -> None:
    for one in items:
        remove(situation, one)


def _drop_line(path: str, situation: Situation, line: str) -> None:
    content = situation.files[path]
    assert isinstance(content, str)
    lines = content.splitlines(keepends=True)
    if line in lines:
        lines.remove(line)
    situation.files[path] = "".join(lines)


def _drop_key(situation: Situation, path: str, where: tuple[str, ...]) -> None:
    content = situation.files[path]
    assert isinstance(content, str)
    value: Any = json.loads(content)
    inner = value
    for key in where[:-1]:
        inner = inner.get(key, {})
    inner.pop(where[-1], None)
    situation.files[path] = json.dumps(value, ensure_ascii=False)
