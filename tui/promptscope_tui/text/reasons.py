"""Reasons as sentences and as lines.

Of an agent that does not start, the cause is said once, not in every row.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.prompt.conditions import in_a_sentence
from promptscope_engine.prompt.model import Assembly, Program, Reason, Section, Server, SourceFile, Tool, Verdict

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


Thing = Section | Tool | Server | SourceFile | Program

_LISTED = frozenset(("skill", "command", "agent", "output-style"))
"""Kinds of files of which a prompt has a name and a description."""


def usual(thing: Thing) -> str:
    """The word for something that is there as anybody has it; "" where there is no such word."""
    if isinstance(thing, SourceFile):
        by_load = {"always": "always" if thing.injected_chars else "read", "import": "imported"}
        return "listed" if thing.kind in _LISTED else by_load.get(thing.load, "")
    if isinstance(thing, Program):
        return "runs" if thing.kind == "hook" else "loaded"
    return {Section: "always", Tool: "offered", Server: "connected"}[type(thing)]


def sentence(thing: Thing, refused: str | None = None) -> str:
    """Why something is there, or not, as a person says it, with names between backticks.

    What is absent is so for the facts that fail. Of what is there only that is said which is not the usual case: what
    the agent makes of a file, and what somebody has set. `refused` is why the agent does not start.
    """
    why = thing.why
    if not thing.present:
        return own_reason(why, refused).removeprefix("absent: ")
    return _unusual(why) or usual(thing) or why.because


def _unusual(why: Reason) -> str:
    """What became of a file, or which other file brought it in; else what somebody has set."""
    verdict = why.condition
    if verdict is None:
        return ""
    members = verdict.children if verdict.op == "all" and not verdict.name else (verdict,)
    for each in members:
        if each.op == "file" and (each.children or isinstance(each.actual, str)):
            return each.text
    return in_a_sentence(line.text for line in lines_of(verdict) if is_set(line.verdict))


def is_set(verdict: Verdict) -> bool:
    """Whether somebody has set what a fact is about, in a file or in the environment."""
    source = verdict.source
    return source is not None and source.is_set and bool(source.path or (source.overlay or "").startswith("env."))


def by_hand(thing: Thing) -> str:
    """What a person does to have no more of a file of their own in the prompt; "" for what is not one file's text."""
    match thing:
        case SourceFile(present=True, path=path, kind=kind) if thing.injected_chars and thing.bytes:
            is_listed = kind in _LISTED and sentence(thing) == "listed"
            return f"delete {path} or shorten its description" if is_listed else f"delete or shorten {path}"
        case Section(present=True):
            paths = {each.origin.path for each in thing.fragments if each.origin.kind == "file"}
            return f"delete or shorten {paths.pop()}" if len(paths) == 1 else ""
    return ""


def is_usual(thing: Thing) -> bool:
    """Whether something is there as anybody has it."""
    return thing.present and sentence(thing) == usual(thing)


def plain_reason(thing: Thing, assembly: Assembly) -> str:
    """The sentence for a cell, without backticks."""
    text = sentence(thing, refusal(assembly))
    return short_text(text.replace("`", ""), assembly)


_JOINED = {"all": "all of these", "any": "one of these", "not": "all of these together"}
"""What an unnamed node asks of its members, by what joins them; its mark says whether they fit."""


class VerdictLine(Struct, frozen=True):
    """A node of the tree. `joint`: it has no words of its own, and its members follow."""

    text: str
    ok: bool
    depth: int
    joint: bool
    verdict: Verdict


def lines_of(verdict: Verdict) -> list[VerdictLine]:
    """The tree as lines, of what decides: `✓` for what something is there for, `✗` for what keeps it away.

    Where something fails, what it also takes and has is a line each, without what is below; the same fact may fit one
    condition and not another, and is then only said where it fails. An unnamed `all` at the root is its members. A
    `not` of a fact has no line: its sentence says what is the case, and its mark is inverted. Nor has a joint that says
    nothing a line: one with a single member, or `all` under a named node.
    """
    lines = list(_lines(verdict, _At(), verdict.ok))
    failing = {line.text for line in lines if not line.ok}
    return list(_once(line for line in lines if not line.ok or line.text not in failing))


def how_many(lines: Sequence[VerdictLine]) -> int:
    """The conditions in a tree: the lines that have none below."""
    return sum(below.depth <= line.depth for line, below in pairwise(lines)) + bool(lines)


def _once(lines: Iterable[VerdictLine]) -> Iterator[VerdictLine]:
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


class _At(Struct, frozen=True):
    """Where a node is. `inverted`: under `not`. `alone`: the line above is for it only; `outer`: the whole tree is."""

    depth: int = 0
    inverted: bool = False
    alone: bool = False
    outer: bool = True


def _lines(verdict: Verdict, at: _At, decided: bool) -> Iterator[VerdictLine]:
    """`decided`: the verdict of the whole tree; of a node that has another one there is only its own line."""
    if verdict.op == "not" and not verdict.name:
        for child in verdict.children:
            yield from _lines(child, replace(at, inverted=not at.inverted), decided)
        return
    if verdict.name and (inner := verdict.children[:1]) and inner[0].children and inner[0].text == verdict.text:
        yield from _lines(inner[0], at, decided)  # it has no words of its own
        return
    ok = verdict.ok != at.inverted
    inverse = {"all": "any" if ok else "not", "any": "all"}
    op = inverse.get(verdict.op, verdict.op) if at.inverted else verdict.op
    children: Sequence[Verdict] = verdict.children if ok is decided else ()
    if not at.outer or op != "all":  # beside what decides in the end, the outermost conditions are shown
        children = [child for child in children if (child.ok != at.inverted) is ok]
    joint = op in _JOINED and bool(children) and not verdict.name
    single = len(children) == 1
    depth = at.depth
    if not (joint and (single or (op != "any" and at.alone) or (op == "all" and not depth))):
        yield VerdictLine(_JOINED[op] if joint else verdict.text, ok, depth, joint, verdict)
        depth += 1
    below = _At(depth, at.inverted, single and not joint, at.outer and len(verdict.children) == 1)
    for child in children:
        yield from _lines(child, below, decided)
