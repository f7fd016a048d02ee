"""A recording under way, as rows: what will be run, the requests as they arrive, how it ended."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.captures.exchange import labelled
from promptscope_engine.captures.model import Capture, Fidelity, Label, Recorded
from promptscope_engine.captures.recipes import DUMMY_KEY
from promptscope_tui.capturing.plan import Plan, warnings
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row
from promptscope_tui.text.words import many

_TONES: dict[Label, Tone] = {"main": "accent", "other": "faint"}
_LABEL, _PROTOCOL = 10, 10
_LOG_LINES = 500


def plan_rows(plan: Plan, url: str, folder: str) -> Iterator[Row]:
    """The exact command with its variables, where it runs and is recorded, and what to know before it is run."""
    yield _told("runs", shlex.join(plan.words(url)), "strong")
    yield _told("in", plan.folder)
    for name, value in plan.changes(url).items():
        yield _told("with", f"{name}={value.replace(DUMMY_KEY, '(a made-up key)')}")
    yield _told("into", f"{folder}, for you alone to read")
    yield BLANK
    yield from (paragraph(Span("  " + words.strip(), "warn"), indent=4) for words in warnings(plan))
    yield paragraph(Span("  it has no terminal: what it prints is shown here, and it cannot ask", "warn"), indent=4)
    yield paragraph(Span(f"  stopped after {plan.timeout:g} seconds", "dim"), indent=4)
    yield BLANK
    yield paragraph(Span("  enter", "accent"), Span(" runs it; nothing was run yet", "dim"))


def _told(what: str, words: str, tone: Tone = "text") -> Row:
    return paragraph(Span(f"  {what:<6}", "dim"), Span(words, tone), indent=8)


def request_rows(requests: Sequence[Recorded], prompt: str | None, tokens: Mapping[int, int]) -> list[Row]:
    """A row for each request that arrived, by its place: label, protocol, path, bytes, tokens as far as counted."""
    return [
        row(
            Span(f"  {request.label:<{_LABEL}}", _TONES.get(request.label, "text")),
            Span(f" {request.protocol or '':<{_PROTOCOL}}", "dim"),
            Span(f" {request.method} {request.path.partition('?')[0]}"),
            Span(f"  {_answer(request)}{f'  {request.note}' if request.note else ''}", "faint"),
            right=[
                Span(f"{request.bytes / 1000:,.1f} kB" if request.bytes else "", "dim"),
                Span(f"{f'  ≈{tokens[at]:,} tok' if at in tokens else '':>14}", "dim"),
            ],
        )
        for at, request in enumerate(labelled(requests, prompt))
    ]


def _answer(request: Recorded) -> str:
    return str(request.response.status) if request.response else "no answer"


def log_rows(text: str) -> list[Row]:
    """What the command printed, the end of it."""
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    left = [row(Span(f"… {len(lines) - _LOG_LINES:,} lines before", "faint"))] if len(lines) > _LOG_LINES else []
    return [*left, *(paragraph(Span(line, "dim")) for line in lines[-_LOG_LINES:])]


GRADES = {
    "unredirected": "as sent without redirection",
    "redirected": "redirected",
    "unknown": "it is not known what the redirection changes",
}


def request_line(request: Recorded) -> str:
    """`POST /v1/messages  200  50.3 kB`."""
    size = f"{request.bytes / 1000:,.1f} kB" if request.bytes else ""
    parts = (f"{request.method} {request.path}", _answer(request), size, request.note)
    return "  ".join(filter(None, parts))


def fidelity(of: Fidelity) -> str:
    """The grade with its notes."""
    return "; ".join((GRADES[of.grade], *of.notes))


def verdict(capture: Capture) -> str:
    """How many requests of which kinds came, and how near they are to real ones."""
    counts = Counter(request.label for request in capture.requests)
    kinds = ", ".join(f"{count} {label}" for label, count in counts.items())
    left = f"; {capture.end.left_out} did not fit" if capture.end.left_out else ""
    return f"recorded {many(len(capture.requests), 'request')}: {kinds}{left}\n{fidelity(capture.header.fidelity)}"
