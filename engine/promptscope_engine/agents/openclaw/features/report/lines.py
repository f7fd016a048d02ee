"""The report's texts line by line, each with what it leaves out or gets wrong beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from promptscope_engine.agents.features import AgentReport, ReportLine

from .report import BlindSpot, ContextReport


def agent_report(report: ContextReport) -> AgentReport:
    """`/context` as `list`, `detail` and `json`."""
    spots = report.blind_spots
    text = json.dumps(report.json, indent=2, ensure_ascii=False)
    return AgentReport(
        "/context",
        {
            "list": tuple(_lines(report.list, [(spot.beside, spot) for spot in spots])),
            "detail": tuple(_lines(report.detail, [(spot.beside, spot) for spot in spots])),
            "json": tuple(_lines(text, [(spot.key and f'"{spot.key}', spot) for spot in spots])),
        },
        report.json,
        tuple(spot.message for spot in spots if not spot.beside),
    )


def _lines(text: str, spots: Sequence[tuple[str, BlindSpot]]) -> Iterator[ReportLine]:
    """The lines, each blind spot beside the first line that begins as `start` says."""
    left = [(start, spot.message) for start, spot in spots if start]
    for line in text.split("\n"):
        here = [found for found in left if line.lstrip().startswith(found[0])]
        left = [found for found in left if found not in here]
        yield ReportLine(line, tuple(message for _, message in here))
