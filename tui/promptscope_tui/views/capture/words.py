"""A recording in words."""

from __future__ import annotations

from promptscope_engine.captures.model import Capture, Fidelity, Recorded

GRADES = {
    "unredirected": "as sent without redirection",
    "redirected": "redirected",
    "unknown": "it is not known what the redirection changes",
}


def request_line(request: Recorded) -> str:
    """`POST /v1/messages  200  50.3 kB`."""
    status = f"{request.response.status}" if request.response else "no answer"
    parts = (f"{request.method} {request.path}", status, f"{request.bytes / 1000:,.1f} kB" if request.bytes else "")
    return "  ".join(part for part in (*parts, request.note) if part)


def fidelity(of: Fidelity) -> str:
    """The grade with its notes."""
    return "; ".join((GRADES[of.grade], *of.notes))


def verdict(capture: Capture) -> str:
    """How many requests of which kinds came, and how near they are to real ones."""
    counts: dict[str, int] = {}
    for request in capture.requests:
        counts[request.label] = counts.get(request.label, 0) + 1
    kinds = ", ".join(f"{count} {label}" for label, count in counts.items())
    many = "request" if len(capture.requests) == 1 else "requests"
    left = f"; {capture.end.left_out} did not fit" if capture.end.left_out else ""
    return f"recorded {len(capture.requests)} {many}: {kinds}{left}\n{fidelity(capture.header.fidelity)}"
