"""A condition's tree as lines that say what is the case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from promptscope_engine.prompt.model import Verdict

_JOINED = {
    ("all", True): "all of these",
    ("all", False): "not all of these",
    ("any", True): "one of these",
    ("any", False): "none of these",
}
"""What an unnamed node is called, by what joins its members and whether it holds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A node of the tree. `joint`: it has no words of its own, and its members follow."""

    text: str
    ok: bool
    depth: int
    joint: bool
    verdict: Verdict


def lines_of(verdict: Verdict) -> Iterator[Line]:
    """The tree as lines; an unnamed `all` at the root is its members.

    A `not` has no line: its sentence says what is the case. What is under it is inverted, and so is the way in which
    its members are joined.
    """
    return _lines(verdict, 0, inverted=False)


def _lines(verdict: Verdict, depth: int, *, inverted: bool) -> Iterator[Line]:
    if verdict.op == "not" and not verdict.name:
        for child in verdict.children:
            yield from _lines(child, depth, inverted=not inverted)
        return
    op = {"all": "any", "any": "all"}.get(verdict.op, verdict.op) if inverted else verdict.op
    ok = verdict.ok != inverted
    inner = depth
    if depth or op != "all" or verdict.name or not verdict.children:
        joint = op in ("all", "any") and bool(verdict.children) and not verdict.name
        yield Line(_JOINED[op, ok] if joint else verdict.text, ok, depth, joint, verdict)
        inner = depth + 1
    for child in verdict.children:
        yield from _lines(child, inner, inverted=inverted)
