"""Validation with the messages of zod 3, as Roo shows them: `• <path.joined.by.dots>: <message>`.

A check collects issues and says how bad it is: `aborted` values have the wrong type, `dirty` ones only break a rule.
Rules of a whole (no duplicates) are looked at unless a part aborted, which is zod's own order of things.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from promptscope_engine.formats.document import Json

Path = tuple[str | int, ...]


class Status(IntEnum):
    """How a value fared; a whole fares as its worst part."""

    VALID = 0
    DIRTY = 1
    ABORTED = 2


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path))}: {self.message}" if self.path else self.message


class _Missing:
    """JavaScript's undefined."""


MISSING = _Missing()

Issues = list[Issue]
Check = Callable[[object, Path, Issues], Status]


def type_name(value: object) -> str:
    """The word zod has for a value's type."""
    match value:
        case bool():
            return "boolean"
        case float() if math.isnan(value):
            return "nan"
        case int() | float():
            return "number"
        case str():
            return "string"
        case None:
            return "null"
        case list():
            return "array"
        case _Missing():
            return "undefined"
        case _:
            return "object"


def wrong_type(wanted: str, value: object, path: Path, issues: Issues) -> Status:
    """The message for a value of another type; a missing one is "Required"."""
    actual = type_name(value)
    issues.append(Issue(path, "Required" if actual == "undefined" else f"Expected {wanted}, received {actual}"))
    return Status.ABORTED


def string(rule: Callable[[str], bool] = lambda _: True, message: str = "") -> Check:
    """z.string(), with at most one rule."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        if not isinstance(value, str):
            return wrong_type("string", value, path, issues)
        if rule(value):
            return Status.VALID
        issues.append(Issue(path, message))
        return Status.DIRTY

    return check


def boolean(value: object, path: Path, issues: Issues) -> Status:
    """z.boolean()."""
    return Status.VALID if isinstance(value, bool) else wrong_type("boolean", value, path, issues)


def number(low: float, high: float) -> Check:
    """z.number().min(low).max(high)."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        if type_name(value) != "number" or not isinstance(value, (int, float)):
            return wrong_type("number", value, path, issues)
        if value < low:
            issues.append(Issue(path, f"Number must be greater than or equal to {low}"))
        elif value > high:
            issues.append(Issue(path, f"Number must be less than or equal to {high}"))
        else:
            return Status.VALID
        return Status.DIRTY

    return check


def one_of(*words: str) -> Check:
    """z.enum(words)."""
    listed = " | ".join(f"'{word}'" for word in words)

    def check(value: object, path: Path, issues: Issues) -> Status:
        if not isinstance(value, str):
            return wrong_type(listed, value, path, issues)
        if value in words:
            return Status.VALID
        issues.append(Issue(path, f"Invalid enum value. Expected {listed}, received '{value}'"))
        return Status.ABORTED

    return check


def optional(inner: Check) -> Check:
    """.optional(): a missing value is fine, null is not."""
    return lambda value, path, issues: Status.VALID if value is MISSING else inner(value, path, issues)


def absent(value: object, path: Path, issues: Issues) -> Status:
    """z.undefined()."""
    return Status.VALID if value is MISSING else wrong_type("undefined", value, path, issues)


def array(item: Check) -> Check:
    """z.array(item)."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        if not isinstance(value, list):
            return wrong_type("array", value, path, issues)
        return worst(item(part, (*path, n), issues) for n, part in enumerate(value))

    return check


def record(item: Check) -> Check:
    """z.record(item)."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        if not isinstance(value, dict):
            return wrong_type("object", value, path, issues)
        return worst(item(part, (*path, key), issues) for key, part in value.items())

    return check


def shape(**fields: Check) -> Check:
    """z.object(fields): unknown keys are dropped, the fields are looked at in the schema's order."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        if not isinstance(value, dict):
            return wrong_type("object", value, path, issues)
        return worst(field(value.get(name, MISSING), (*path, name), issues) for name, field in fields.items())

    return check


def pair(first: Check, second: Check) -> Check:
    """z.tuple([first, second]): too few abort, too many only break a rule."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        if not isinstance(value, list):
            return wrong_type("array", value, path, issues)
        if len(value) < 2:
            issues.append(Issue(path, "Array must contain at least 2 element(s)"))
            return Status.ABORTED
        status = Status.VALID
        if len(value) > 2:
            issues.append(Issue(path, "Array must contain at most 2 element(s)"))
            status = Status.DIRTY
        parts = (first(value[0], (*path, 0), issues), second(value[1], (*path, 1), issues))
        return worst((status, *parts))

    return check


def either(*options: Check) -> Check:
    """z.union(options): the issues of the first option that only broke a rule, else "Invalid input" and no more."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        dirty: Issues | None = None
        for option in options:
            found: Issues = []
            status = option(value, path, found)
            if status is Status.VALID:
                return status
            if status is Status.DIRTY and dirty is None:
                dirty = found
        if dirty is not None:
            issues += dirty
            return Status.DIRTY
        issues.append(Issue(path, "Invalid input"))
        return Status.ABORTED

    return check


def refine(inner: Check, rule: Callable[[Json], bool], message: str) -> Check:
    """.refine(rule): looked at unless a part aborted."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        status = inner(value, path, issues)
        if status is Status.ABORTED or rule(value):
            return status
        issues.append(Issue(path, message))
        return Status.DIRTY

    return check


def worst(statuses: Iterable[Status]) -> Status:
    """All are looked at, so that every issue is collected."""
    return max(list(statuses), default=Status.VALID)
