"""Phrases: sizes, origins, levers, paths as people read them."""

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.json import decode as json_decode

from promptscope_engine.insight.repeats import Copy
from promptscope_engine.learning.mod_effects import Effect, last_run
from promptscope_engine.prompt.model import (
    Assembly,
    Confidence,
    FileLimit,
    Fragment,
    ModeChoice,
    Origin,
    OriginKind,
    Program,
    Section,
    SourceFile,
    Tool,
)
from promptscope_engine.workspace.paths import home_short as home_short

Kind = Literal["builtin", "tool", "environment", "param", "file"]
"""What a colour means."""


class OriginWords(Struct, frozen=True):
    """What an origin is shown with: what its colour means, its colour and sign where colours are few, and its words."""

    kind: Kind
    colour: str
    sign: str
    said: str
    legend: str
    why: str


ORIGINS = json_decode(Path(__file__).with_name("origins.json").read_bytes(), type=dict[OriginKind, OriginWords])
"""Every kind of origin, in the order of a legend."""

MARKS: dict[Confidence, str] = {"exact": "=", "stand-in": "≈", "estimated": "≈"}
CONFIDENCE: dict[Confidence, str] = {"exact": "exact", "stand-in": "reworded", "estimated": "estimate"}
LOADS = {"always": "●", "conditional": "◐", "on-demand": "○", "import": "@"}
_EIGHTHS = " ▏▎▍▌▋▊▉"


def number(value: int | None) -> str:
    """`1,934`; `…` for what is not counted yet."""
    return "…" if value is None else f"{value:,}"


def difference(tokens: int | None) -> str:
    """`+1,240`, `−612`, `±0`; `…` while it is unknown."""
    return number(tokens) if tokens is None else "±0" if tokens == 0 else f"{tokens:+,}".replace("-", "−")


_WEEK, _MONTH, _YEAR = 7, 30.4, 365
_AGES = ((2 * _YEAR, _YEAR, "years"), (2 * _MONTH, _MONTH, "months"), (2 * _WEEK, _WEEK, "weeks"))


def age(day: str, today: date) -> str:
    """`today`, `yesterday`, `5 days ago`, `3 weeks ago`: of a day in ISO 8601; of one to come, the day itself."""
    days = (today - date.fromisoformat(day)).days
    if days < 0:
        return day
    for least, unit, name in _AGES:
        if days >= least:
            return f"{int(days / unit)} {name} ago"
    return {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


def total(counts: Iterable[int | None]) -> int | None:
    """The sum; None while one of the counts is missing."""
    known = list(counts)
    return None if None in known else sum(count or 0 for count in known)


def size(section: Section) -> str:
    """`≈1,934 tok`, as the agent sends it."""
    return f"{MARKS[section.confidence]}{number(section.expected_tokens)} tok"


def edits_only(mode: ModeChoice) -> str:
    """Which files a mode may edit, with the place that says so."""
    limit = mode.edits_only
    if limit is None:
        return "edits any file" if not mode.groups or "edit" in mode.groups else "edits no file"
    source = limit.source
    place = f", {source.shown}:{source.line}" if source and source.line else f", {mode.source}"
    return f"edits only files that match {only(limit)}{place}"


def only(limit: FileLimit) -> str:
    """The pattern, and what its author calls the files."""
    return limit.pattern + (f" ({limit.description})" if limit.description else "")


def percent(part: int | None, whole: int | None) -> str:
    """`12.3%`; nothing while either is unknown."""
    return "" if part is None or not whole else f"{part / whole:.1%}"


def bar(part: int | None, whole: int | None, width: int = 24) -> str:
    """The share as a bar of at most `width` cells, to an eighth of a cell."""
    eighths = round(width * 8 * (part or 0) / whole) if whole else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def who(assembly: Assembly) -> str:
    """`roo 3.28.16 › code › claude-sonnet-4-5`."""
    parts = [f"{assembly.agent} {assembly.shown_version}", assembly.mode, assembly.model]
    return " › ".join(part for part in parts if part)


def total_mark(assembly: Assembly) -> str:
    """`=` if all that is sent is counted exactly, else `≈`."""
    parts: list[Section | Tool] = [*assembly.sections, *assembly.tools]
    exact = assembly.tokens.exact and all(part.confidence == "exact" for part in parts if part.present)
    return MARKS["exact" if exact else "estimated"]


def assumptions(assembly: Assembly) -> str:
    """`assumed: interactive, trusted`; "" where nothing was."""
    return f"assumed: {', '.join(each.text for each in assembly.assumed)}" if assembly.assumed else ""


def summary(assembly: Assembly) -> Iterator[str]:
    """The line about the window, then what was assumed."""
    yield budget(assembly)
    if assumed := assumptions(assembly):
        yield assumed


def budget(assembly: Assembly) -> str:
    """One line about the window."""
    tokens, mark = assembly.tokens, total_mark(assembly)
    share = percent(tokens.expected, tokens.window)
    line = f"{mark}{number(tokens.expected)} of {tokens.window:,} tokens" + (f" ({share})" if share else "")
    if tokens.band:
        line += f", between {tokens.band[0]:,} and {tokens.band[1]:,}"
    if tokens.compact_at is not None:
        line += f"; compacts at {tokens.compact_at:,}"
    return f"{line}; counted as {tokens.tokenizer}"


def compaction(at: int | None, sure: str) -> str:
    """Where an agent compacts: `at 167,000 tok`, `off by DISABLE_AUTO_COMPACT`, `not observed`."""
    if at is None:
        return sure or _UNKNOWN
    return f"at {at:,} tok" + (f" ({sure})" if sure else "")


_UNKNOWN = "not observed"


def compacts(at: int | None, sure: str) -> str:
    """The same in few words, where it is known: `compacts at 167,000`, `compaction off by DISABLE_AUTO_COMPACT`."""
    if at is not None:
        return f"compacts at {at:,}"
    return "" if not sure or sure.startswith(_UNKNOWN) else f"compaction {sure.partition(':')[0]}"


def many(count: int, noun: str) -> str:
    """`1 file`, `1,200 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def place(path: str | None, line: int | None) -> str:
    """`CLAUDE.md:12`, without a line that is not known; "" without a path."""
    return f"{path or ''}{f':{line}' if line else ''}"


def origin(of: Origin, assembly: Assembly) -> str:
    """An origin in words; labels count as built-in wording."""
    if of.kind == "file":
        lines = f"{of.start_line}" if of.start_line == of.end_line else f"{of.start_line}-{of.end_line}"
        return f"{short_path(of.path or '', assembly)}:{lines}"
    if of.kind == "edit":
        return f"edit {(of.index or 0) + 1} of the scenario"
    kind = ORIGINS[of.kind].said
    return f"{kind} {of.name}" if of.kind in ("param", "environment", "computed") else kind


def lines_of(origin: Origin) -> str:
    """`lines 120-214` for a part of a file, nothing for other origins."""
    if origin.kind != "file" or origin.start_line is None:
        return ""
    return line_range(origin.start_line, origin.end_line)


def line_range(start: int, end: int | None) -> str:
    """`line 7` or `lines 7-9`."""
    return f"line {start}" if end in (None, start) else f"lines {start}-{end}"


def is_users(origin: Origin) -> bool:
    """Whether a text is the user's own: from a file or a setting."""
    return ORIGINS[origin.kind].kind in ("file", "param")


def origins(fragments: Iterable[Fragment]) -> Iterable[Origin]:
    """Where the text comes from, in order; the parts of one file are joined."""
    found: dict[object, Origin] = {}
    for here in (fragment.origin for fragment in fragments):
        if here.kind != "file":
            found[here] = here
            continue
        before = found.get(here.path, here)
        first = min(before.start_line or 1, here.start_line or 1)
        last = max(before.end_line or 1, here.end_line or 1)
        found[here.path] = Origin("file", path=here.path, start_line=first, end_line=last)
    return found.values()


def sources(fragments: Iterable[Fragment], assembly: Assembly) -> tuple[str, ...]:
    """Where the text comes from in words, each source once."""
    return tuple(dict.fromkeys(origin(each, assembly) for each in origins(fragments)))


def excerpt(text: str, most: int = 60) -> str:
    """The beginning of a text, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def injected_of(file: SourceFile) -> str:
    """`130 of 131 characters`, or both sizes where imports or labels make the text longer than the file."""
    if file.injected_chars > file.raw_chars:
        return f"{file.raw_chars:,} characters, {file.injected_chars:,} as injected"
    return f"{file.injected_chars:,} of {file.raw_chars:,} characters"


def loaded(file: SourceFile) -> str:
    """How a file gets into the prompt: a mark and a word."""
    return f"{LOADS[file.load]} {file.load}" if file.present else "✗ not loaded"


def copy_place(copy: Copy, assembly: Assembly | None = None) -> str:
    """`.roorules:4`, or a section and a line of it, from 1."""
    if copy.path is None:
        return f"{copy.section}:{copy.line + 1}"
    path = short_path(copy.path, assembly) if assembly else copy.path
    return place(path, copy.file_line)


def program_place(program: Program, assembly: Assembly) -> str:
    """Where a hook or a mod is; whose it is, where it is in no file."""
    return place(short_path(program.path, assembly), program.line) if program.path else program.source


def runs(assembly: Assembly) -> tuple[str, ...]:
    """The hooks and mods that the agent runs here, with their places: the first of them one by one."""
    found = [each for each in assembly.programs if each.present and each.path]
    named = (f"the hook {e.event}: {excerpt(e.name)}" if e.kind == "hook" else f"the mod {e.name}" for e in found)
    lines = [f"{name} ({program_place(each, assembly)})" for name, each in zip(named, found, strict=True)]
    more = len(lines) - _MOST_PROGRAMS
    return (*lines[:_MOST_PROGRAMS], *([f"{more} more"] * (more > 0)))


_MOST_PROGRAMS = 8
"""Hooks and mods that are named one by one."""


def rewritten(mod: Program, assembly: Assembly, part: Section | Tool | SourceFile) -> str:
    """What is said of a part that a mod may rewrite: what it did when it was run, as far as that is known."""
    may = f"the mod {mod.name} ({program_place(mod, assembly)}) may rewrite or drop it: this is the text before mods"
    name = part.path if isinstance(part, SourceFile) else part.name if isinstance(part, Tool) else ""
    run = last_run(assembly.programs) if name else None
    if run is None:
        return may
    found = next((each for each in run.effects if (each.mod, each.name) == (mod.id, name)), None)
    did = f"it {found.did} it ({change_of(found)})" if found else "it left it alone"
    return f"{may}; as run on {run.date}, {did}"


def change_of(effect: Effect) -> str:
    """`2,110 → 7 characters`."""
    return f"{effect.before:,} → {effect.after:,} characters"


def deed(effect: Effect, assembly: Assembly) -> str:
    """`removed the file CLAUDE.md, 18 → 0 characters`."""
    name = short_path(effect.name, assembly) if effect.kind == "file" else effect.name
    return f"{effect.did} the {' '.join(filter(None, (effect.kind, name)))}, {change_of(effect)}"


def deeds(mod: Program, assembly: Assembly) -> list[str]:
    """What a mod did when it was last run as it is now, below the date; nothing if it was not."""
    run = last_run(assembly.programs)
    if run is None or mod.id not in run.mods:
        return []
    did = [deed(each, assembly) for each in run.effects if each.mod == mod.id]
    none = "it was in every run, so what it does isn't known" if mod.id in run.held else ""
    return [f"as run on {run.date}:", *(did or [none or "nothing to the first request"])]


def contains(text: str, typed: str) -> bool:
    """Whether a text contains all words that were typed, in any order and any case; nothing typed is in all texts."""
    folded = text.casefold()
    return all(word in folded for word in typed.casefold().split())


def short_path(path: str, assembly: Assembly) -> str:
    """A path without the workspace in front, or with the home folder as `~`."""
    base = assembly.workspace.rstrip("/") + "/"
    if base != "/" and path.startswith(base):
        return path[len(base) :]
    return home_short(path, assembly.home)


def short_text(text: str, assembly: Assembly) -> str:
    """A sentence with its paths shortened."""
    return assembly.shortened(text)
