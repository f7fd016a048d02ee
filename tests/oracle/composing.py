"""Composes situations from traits, by a seed."""

from __future__ import annotations

import copy
import random

from .clients import named
from .situation import Situation
from .sketch import ClashError, Sketch
from .traits import traits_of

_SECOND, _THIRD = 0.6, 0.9
"""Above which chances another trait joins the first."""


def composed(client: str, seed: int, only: str | None = None) -> Situation:
    """The situation of a seed; with `only`, of this trait alone. Seed 0 is the empty workspace.

    The first trait goes round by the seed, a second and a third come by chance. A trait that clashes is left out.
    """
    who = named(client)
    sketch = Sketch(Situation(agent=who.agent, version=who.version, seed=seed, git=[["repo", "init", "-q"]]))
    if seed == 0 and only is None:
        return sketch.situation
    table = traits_of(client)
    for name in [only] if only else _chosen(list(table), seed, sketch.chance):
        before = copy.deepcopy(sketch)
        sketch.begin(name)
        try:
            table[name](sketch)
        except ClashError:
            if sketch.situation.traits == [name]:
                raise
            sketch = before
    return sketch.situation


def _chosen(names: list[str], seed: int, chance: random.Random) -> list[str]:
    first, drawn = names[seed % len(names)], chance.random()
    more = chance.sample(names, (drawn > _SECOND) + (drawn > _THIRD))
    return [first, *(name for name in more if name != first)]
