"""Phrases of the headless outputs: sizes, origins, levers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable

from promptscope_engine.prompt.model import Assembly, Confidence, Fragment, Lever, Origin, Section, SourceFile

from .paths import short_path

MARKS: dict[Confidence, str] = {"exact": "=", "stand-in": "≈", "estimated": "≈"}
LOADS = {"always": "●", "conditional": "◐", "on-demand": "○", "import": "@"}
_EIGHTHS = " ▏▎▍▌▋▊▉"


def number(value: int | None) -> str:
    """`1,934`; `…` for what is not counted yet."""
    return "…" if value is None else f"{value:,}"


def size(section: Section) -> str:
    """`≈1,934 tok`, as the real agent would send it."""
    return f"{MARKS[section.confidence]}{number(section.expected_tokens)} tok"


def percent(part: int | None, whole: int | None) -> str:
    return "" if part is None or not whole else f"{part / whole:.1%}"


def bar(part: int | None, whole: int | None, width: int = 24) -> str:
    """The share as a bar of at most `width` cells, to an eighth of a cell."""
    eighths = round(width * 8 * (part or 0) / whole) if whole else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def who(assembly: Assembly) -> str:
    """`roo 3.28.16 › code › claude-sonnet-4-5`."""
    parts = [f"{assembly.agent} {assembly.agent_version}", assembly.mode, assembly.model]
    return " › ".join(part for part in parts if part)


def budget(assembly: Assembly) -> str:
    """One line about the window."""
    tokens = assembly.tokens
    mark = "=" if tokens.exact and all(s.confidence == "exact" for s in assembly.sections if s.present) else "≈"
    share = percent(tokens.expected, tokens.window)
    line = f"{mark}{number(tokens.expected)} of {tokens.window:,} tokens" + (f" ({share})" if share else "")
    if tokens.band:
        line += f", between {tokens.band[0]:,} and {tokens.band[1]:,}"
    if tokens.compact_at is not None:
        line += f"; compacts at {tokens.compact_at:,}"
    return f"{line}; counted as {tokens.tokenizer}"


def origin(of: Origin, assembly: Assembly) -> str:
    """An origin in words; labels count as built-in wording."""
    match of.kind:
        case "file":
            lines = f"{of.start_line}" if of.start_line == of.end_line else f"{of.start_line}-{of.end_line}"
            return f"{short_path(of.path or '', assembly)}:{lines}"
        case "param":
            return f"setting {of.name}"
        case "environment":
            return f"machine {of.name}"
        case "computed":
            return f"computed {of.name}"
        case _:
            return "built-in wording"


def lines_of(origin: Origin) -> str:
    """`lines 120-214` for a part of a file, nothing for other origins."""
    if origin.kind != "file" or origin.start_line is None:
        return ""
    one = origin.end_line in (None, origin.start_line)
    return f"line {origin.start_line}" if one else f"lines {origin.start_line}-{origin.end_line}"


def sources(fragments: Iterable[Fragment], assembly: Assembly) -> tuple[str, ...]:
    """Where the text comes from, each source once, in order; parts of one file are joined."""
    found: dict[str, Origin] = {}
    for fragment in fragments:
        here = fragment.origin
        if here.kind != "file":
            found.setdefault(origin(here, assembly), here)
            continue
        key = f"file {here.path}"
        before = found.get(key, here)
        first = min(before.start_line or 1, here.start_line or 1)
        last = max(before.end_line or 1, here.end_line or 1)
        found[key] = Origin("file", path=here.path, start_line=first, end_line=last)
    return tuple(origin(each, assembly) for each in found.values())


def lever(what: Lever) -> str:
    """The option that applies a lever, quoted for a shell."""
    if what.param in ("mode", "model", "agent_version", "agent", "tokenizer"):
        return f"--{what.param.replace('_', '-')} {shlex.quote(str(what.value))}"
    return f"--set {shlex.quote(f'{what.param}={json.dumps(what.value)}')}"


def loaded(file: SourceFile) -> str:
    """How a file gets into the prompt: a mark and a word."""
    return f"{LOADS[file.load]} {file.load}" if file.present else "✗ not loaded"
