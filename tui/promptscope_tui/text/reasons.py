"""Reasons as sentences and as lines.

Of an agent that does not start, the cause is said once, not in every row.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from promptscope_engine.prompt.model import Assembly, Reason, Verdict

from .words import short_text


def refusal(assembly: Assembly) -> str | None:
    """Why the agent does not start; None for one that does."""
    return next((found.message for found in assembly.diagnostics if found.code == "agent-refuses"), None)


def own_reason(why: Reason, refused: str | None) -> str:
    """A reason's sentence without the refusal to start, which is the reason for everything.

    It is "absent" where nothing else is said.
    """
    if refused is None or refused not in why.text:
        return why.text
    text = re.sub(f"(?:, | and ){re.escape(refused)}", "", why.text)
    text = re.sub(f"{re.escape(refused)}(?:, | and )?", "", text)
    return "absent" if text.strip() == "absent:" else text


_PREFIXES = ("present: ", "absent: ", "absent")  # the row's glyph says so


def plain_reason(why: Reason, assembly: Assembly) -> str:
    """A reason's sentence for a cell, without backticks and without what the row's glyph says."""
    text = own_reason(why, refusal(assembly))
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return short_text(text.replace("`", ""), assembly)


def is_usual(why: Reason) -> bool:
    """Whether something is there as anybody has it: no setting in a file decides."""
    return why.ok and not (why.condition and any(map(_is_set, _nodes(why.condition))))


def _is_set(verdict: Verdict) -> bool:
    source = verdict.source
    return source is not None and source.path is not None and source.is_set


def _nodes(verdict: Verdict) -> Iterator[Verdict]:
    yield verdict
    for child in verdict.children:
        yield from _nodes(child)


_JOINED = {"all": "all of these", "any": "one of these", "not": "not all of these"}
"""What an unnamed node asks of its members, by what joins them; its mark says whether they fit."""


class VerdictLine(Struct, frozen=True):
    """A node of the tree. `joint`: it has no words of its own, and its members follow."""

    text: str
    ok: bool
    depth: int
    joint: bool
    verdict: Verdict


def lines_of(verdict: Verdict) -> Iterator[VerdictLine]:
    """The tree as lines; an unnamed `all` at the root is its members.

    A `not` of a fact has no line: its sentence says what is the case, and its mark is inverted. `not` one of these is
    each of them inverted; `not` all of these is a line that says so, with their own marks below. Nor has a joint that
    says nothing a line: one with a single member, or `all` under a named node.
    """
    return _once(_lines(verdict, 0, inverted=False))


def _once(lines: Iterator[VerdictLine]) -> Iterator[VerdictLine]:
    """Without what the lines around it say already: the same as a line before it, or as the line that it is under."""
    above: list[list[str]] = []  # by depth, what was said there under the line above
    skipped: int | None = None
    for line in lines:
        if skipped is not None and line.depth > skipped:
            continue
        skipped = None
        said = [texts[-1] for texts in above[: line.depth]]
        del above[line.depth + 1 :]
        if line.depth == len(above):
            above.append([])
        again = line.text in above[line.depth] and not line.joint
        if again or (line.text in said[-1:] and not line.verdict.children):
            skipped = line.depth
            continue
        above[line.depth].append(line.text)
        yield line


def _lines(verdict: Verdict, depth: int, *, inverted: bool, alone: bool = False) -> Iterator[VerdictLine]:
    """`alone`: the line above stands for this node only."""
    if verdict.op == "not" and not verdict.name:
        for child in verdict.children:
            yield from _lines(child, depth, inverted=not inverted, alone=alone)
        return
    op = {"all": "not", "any": "all"}.get(verdict.op, verdict.op) if inverted else verdict.op
    ok = verdict.ok != inverted
    joint = op in _JOINED and bool(verdict.children) and not verdict.name
    single = len(verdict.children) == 1
    if joint and (single or (op == "all" and (alone or not depth))):
        inner = depth
    else:
        yield VerdictLine(_JOINED[op] if joint else verdict.text, ok, depth, joint, verdict)
        inner, inverted = depth + 1, inverted and op != "not"
    for child in verdict.children:
        yield from _lines(child, inner, inverted=inverted, alone=single and not joint)
