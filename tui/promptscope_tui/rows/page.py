"""A page of explanations: titled blocks of wrapped rows, some of which act when they are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from promptscope_engine.prompt.conditions import show
from promptscope_engine.prompt.model import Lever, Reason, Verdict
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.intents import ApplyLevers, Intent, OpenSource
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row

_JOINED = {
    ("all", True): "all of these",
    ("all", False): "not all of these",
    ("any", True): "one of these",
    ("any", False): "none of these",
}
"""How an unnamed node is said, by what joins its members and whether it holds."""


class Page:
    """Collects rows; `links` are the intents that rows with a number as key stand for."""

    def __init__(self, shorten: Callable[[str], str] = str) -> None:
        """`shorten` is done to the paths in titles and sentences."""
        self.shorten = shorten
        self.rows: list[Row] = []
        self.links: list[Intent] = []

    def heading(self, title: str, tone: Tone = "strong") -> None:
        """The page's own title."""
        self.rows.append(paragraph(Span(self.shorten(title), tone)))

    def line(self, *parts: Span | str, indent: int = 1, hang: int = 0) -> None:
        """A wrapped line under the block's title, `indent` cells in, its further lines `hang` cells more."""
        self.rows.append(paragraph(" " * indent, *parts, indent=indent + hang))

    def pair(self, name: str, value: str, tone: Tone = "text") -> None:
        """A name and its value, values aligned."""
        self.rows.append(paragraph(Span(f" {name:<10} ", "dim"), Span(self.shorten(value), tone), indent=12))

    def block(self, title: str) -> None:
        """An empty line and a block's title."""
        self.rows += [BLANK, row(Span(title.upper(), "title"))]

    def link(self, words: Iterable[Span | str], intent: Intent) -> None:
        """A line that acts."""
        self.links.append(intent)
        self.rows.append(paragraph(Span(" → ", "accent"), *words, indent=3, key=len(self.links) - 1))

    # --- what several subjects share ----------------------------------------------------------------------------

    def reason(self, why: Reason | None, present: bool, inputs: AgentInputs) -> None:
        """Why it is here, or not: the sentence or the tree behind it, and the levers that would flip it."""
        self.block("Why it is here" if present else "Why it is not here")
        if why is None or why.condition is None:
            self.line(Span("✓ ", "good"), why.text if why else "it always stands here", hang=2)
        else:
            for told in _flat(why.condition):
                self._verdict(told)
        if why and why.levers:
            self.block("To take it out" if present else "To bring it in")
            words: list[Span | str] = []
            levers = inputs.folded(why.levers)
            for number, lever in enumerate(levers):
                words += [", " if number else "set ", Span(lever.param, "param"), " to ", lever_value(lever, inputs)]
            self.link(words, ApplyLevers(levers))

    def _verdict(self, told: _Told) -> None:
        verdict = told.verdict
        indent = 2 * told.depth + 1
        leaf = not verdict.children
        words: list[Span | str] = [Span(" " * indent), Span("✓ ", "good") if told.ok else Span("✗ ", "error")]
        words += (
            sentence(self.shorten(verdict.text)) if leaf or verdict.name else [Span(_JOINED[told.op, told.ok], "dim")]
        )
        actual = verdict.actual
        says = (
            leaf
            and verdict.op in ("flag", "model", "version")
            and not isinstance(actual, bool)
            and actual not in (None, "")
        )
        if says and show(actual) not in verdict.text:
            words.append(Span(f"  is {show(actual)}", "param"))
        self.rows.append(paragraph(*words, indent=indent + 2))

    def source(self, path: str, real_path: str, start: int | None, end: int | None, note: str = "") -> None:
        """A file and its lines, to be opened in the editor."""
        lines = "" if start is None else f":{start}" if end in (None, start) else f":{start}-{end}"
        words: Sequence[Span] = [Span(path, "file"), Span(lines, "dim"), Span(f"  {note}" if note else "", "faint")]
        self.link(words, OpenSource(real_path, start or 1))


def lever_value(lever: Lever, inputs: AgentInputs) -> Span:
    """The lever's value as its choice is called."""
    return Span(inputs.label(lever.param, lever.value), "strong")


@dataclass(frozen=True, slots=True)
class _Told:
    """A line of a condition's tree: a node, and how it reads where the nodes above turn it round."""

    verdict: Verdict
    op: str
    ok: bool
    depth: int


def _flat(verdict: Verdict, depth: int = 0, turned: bool = False) -> Iterable[_Told]:
    """The tree as lines; an unnamed `all` at the root is its members.

    A `not` has no line: its sentence says what is the case, so what is under it is told turned round, and so is the
    way in which its members are joined.
    """
    if verdict.op == "not" and not verdict.name:
        for child in verdict.children:
            yield from _flat(child, depth, not turned)
        return
    op = {"all": "any", "any": "all"}.get(verdict.op, verdict.op) if turned else verdict.op
    inner = depth
    if depth or op != "all" or verdict.name or not verdict.children:
        yield _Told(verdict, op, verdict.ok != turned, depth)
        inner = depth + 1
    for child in verdict.children:
        yield from _flat(child, inner, turned)


def sentence(text: str) -> list[Span | str]:
    """A reason's sentence: names between backticks stand out instead of standing in backticks."""
    return [Span(part, "param" if n % 2 else "text") for n, part in enumerate(text.split("`")) if part]
