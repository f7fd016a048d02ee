"""Findings as lines of text, as commands print them below their tables."""

from collections.abc import Iterator, Sequence

from promptscope_engine.checks.findings import Finding

from .words import number

MOST = 8
"""Findings that are printed."""


def finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each finding with the tokens that are lost or at risk, and how many more there are."""
    width = max((len(number(each.tokens)) for each in findings[:MOST] if each.tokens), default=0)
    for each in findings[:MOST]:
        cost = f"{number(each.tokens):>{width}} tok" if each.tokens else " " * (width and width + 4)
        yield f"  {cost}  {named(each)}"
    if len(findings) > MOST:
        yield f"  … {len(findings) - MOST} more: promptscope check"


def named(finding: Finding) -> str:
    """`AGENTS.md:12: what is wrong`, without the place where the message begins with it."""
    message = " ".join(finding.message.split())
    return message if message.startswith(f"{finding.path} ") else f"{finding.place}: {message}".removeprefix(": ")
