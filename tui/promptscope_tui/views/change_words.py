"""An entry of Changes in words: what it is called, in few words, and what it did beside the sections that it lists."""

from pathlib import PurePath

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.snapshot import Change, Step
from promptscope_tui.text.words import difference, many, number, short_path, total

_VALUE, _BRIEF = 40, 20
"""Characters of a switch's value that its entry, and the header, show: a message may be one."""

_NAMED_BY_VALUE = ("agent", "version", "mode", "model", "edit")
"""The steps whose value alone says what they are: `plan`."""


def unlisted(change: Change) -> str:
    """What an entry says in place of sections; "" for one that has some, or that changed the tools alone."""
    before, after = map(number, change.totals)
    if change.is_other:
        return f"{before} → {after} tok: another prompt; c compares the two"
    return "" if change.sections or change.tokens else "the prompt is the same"


def change_title(change: Change, assembly: Assembly | None) -> tuple[str, str]:
    """What an entry is called, and what came with it: a switch or a checkout, the user's files, or git's status."""
    files = [path for path in change.paths if "/.git/" not in path]
    names = [short_path(path, assembly) if assembly else path for path in files]
    if change.steps:
        first, *others = change.steps
        more = [f"{len(others)} more"] * bool(others) + [many(len(names), "file")] * bool(names)
        return f"{change.how}: {_step(first)}".removeprefix(": "), "".join(f" and {each}" for each in more)
    if not change.paths:
        return "reloaded by hand", ""
    if not names:
        return "git: what is staged or committed", ""
    return names[0], f" and {len(names) - 1} more" if len(names) > 1 else ""


def _step(step: Step) -> str:
    """`mode auto → plan`, `edit rules dropped`."""
    before = f"{_short(step.before)} → " if step.before else ""
    return f"{step.name} {before}{_short(step.after)}"


def _short(value: str, most: int = _VALUE) -> str:
    return value if len(value) <= most else f"{value[: most - 1]}…"


def change_words(change: Change) -> str:
    """A change in few words, for the header: `CLAUDE.md +15`, `plan +1,546`."""
    names = [_brief(step) for step in change.steps] or [PurePath(path).name for path in change.paths] or ["reloaded"]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more} {difference(change.tokens)}"


def _brief(step: Step) -> str:
    value = _short(step.after, _BRIEF)
    return value if step.name in _NAMED_BY_VALUE else f"{step.name} {value}"


def beside_sections(change: Change) -> int:
    """What a change adds to the total beside the sections that it lists, in tokens: tools."""
    known = None if change.is_other else total(section.tokens for section in change.sections)
    return 0 if change.tokens is None or known is None else change.tokens - known
