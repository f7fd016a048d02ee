"""Why a part of a captured request is there: it was sent."""

from __future__ import annotations

from promptscope_engine.prompt.conditions import Condition, Observed

SENT = Observed("flag", "capture", True, "it was sent", "it was not sent", remedy="capture another run")


def stands_in_request(path: str, where: str) -> Condition:
    """A file of which something stands in the request; `where` says what: "lines 3-40"."""
    return Observed("file", path, True, f"in the request: {where}", "not in the request")


def not_in_request(path: str) -> Condition:
    """An instruction file of which nothing stands in the request."""
    no = "none of its text stands in the request"
    return Observed("file", path, False, "in the request", no, remedy="capture a run that sends it")
