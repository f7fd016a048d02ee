"""Measured sizes of the real agents' fixed prose, and the expected tokens that follow from them.

Our wording is not the agent's, so a section of ours differs in size. `sizes.json` beside an agent's `reference.json`
pairs each measured size with the size of our own section in the same variant (see `measure.py`, which writes it). A
pair is found by the hash of our built-in text, so a variant that was measured is met exactly, whatever made it.
"""

import json
import re
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ENCODINGS = ("o200k_base", "cl100k_base")


class Pair(NamedTuple):
    """Tokens of the real agent's text, and of ours."""

    real: int
    ours: int

    @property
    def factor(self) -> float:
        """The measured size as a multiple of ours."""
        return self.real / self.ours if self.ours else 1.0


class References:
    """The pairs of one agent's version, by measured key (`rules`, `tools.read_file`, or a fragment's id)."""

    def __init__(self, pairs: dict[str, dict[str, dict[str, list[int]]]]) -> None:
        self._pairs = pairs

    def pair(self, key: str | None, builtin_text: str, encoding: str) -> Pair | None:
        """The pair measured with this very text, else the first one measured under the key; None if there is none."""
        found = self._pairs.get(encoding, {}).get(key or "")
        if not found:
            return None
        first = next(iter(found.values()))
        return Pair(*(first if len(found) == 1 else found.get(digest(builtin_text), first)))

    def fragment(self, fragment_id: str | None, encoding: str) -> Pair | None:
        """The pair of a single fragment that was measured by itself."""
        found = self._pairs.get(encoding, {}).get(f"fragment:{fragment_id}")
        return Pair(*next(iter(found.values()))) if found else None


def digest(text: str) -> str:
    """What a text of ours is known by in `sizes.json`."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@cache
def references(package: str, version: str) -> References:
    """The pairs of the agent in `package` (`promptscope_engine.agents.roo`) for one version; empty if unmeasured.

    A version that was not measured itself has the sizes of the last measured one before it.
    """
    if not package:  # an agent in a top-level module has no folder of its own
        return References({})
    file = Path(import_module(package).__path__[0]) / "sizes.json"  # importlib.resources takes 10 ms
    sizes = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    earlier = [known for known in sizes if version_numbers(known) <= version_numbers(version)]
    return References(sizes[max(earlier, key=version_numbers)] if earlier else {})


def version_numbers(version: str) -> tuple[int, ...]:
    """The numbers in a version's name, to compare versions by."""
    return tuple(int(part[:9]) for part in re.findall(r"\d+", version))
