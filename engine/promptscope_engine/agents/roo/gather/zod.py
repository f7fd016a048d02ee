"""Validation with the messages of zod 3, as Roo shows them: `• <path.joined.by.dots>: <message>`.

A check collects issues and says how bad it is: `aborted` values have the wrong type, `dirty` ones only break a rule.
Rules of a whole (no duplicates) are looked at unless a part aborted, which is zod's own order of things.
"""

import math
from collections.abc import Callable, Iterable
from enum import IntEnum, auto
from functools import partial

from msgspec import Struct

from promptscope_engine.formats.document import Json

Path = tuple[str | int, ...]


class Status(IntEnum):
    """How a value fared; a whole fares as its worst part."""

    VALID = auto()
    DIRTY = auto()
    ABORTED = auto()


class Issue(Struct, frozen=True):
    """One thing that is wrong."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path))}: {self.message}" if self.path else self.message


class _Missing:
    """JavaScript's undefined."""


MISSING = _Missing()

Issues = list[Issue]
Check = Callable[[Json, Path, Issues], Status]


_TYPE_NAMES: dict[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    type(None): "null",
    list: "array",
    _Missing: "undefined",
}


def type_name(value: object) -> str:
    """The word zod has for a value's type."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return "nan" if is_nan else _TYPE_NAMES.get(type(value), "object")


def issues_of(check: Check, value: Json) -> Issues:
    """Everything that the check finds wrong with a whole value."""
    issues: Issues = []
    check(value, (), issues)
    return issues


def _note(issues: Issues, path: Path, message: str, status: Status = Status.DIRTY) -> Status:
    issues.append(Issue(path, message))
    return status


def wrong_type(wanted: str, value: object, path: Path, issues: Issues) -> Status:
    """The message for a value of another type; a missing one is "Required"."""
    actual = type_name(value)
    message = "Required" if actual == "undefined" else f"Expected {wanted}, received {actual}"
    return _note(issues, path, message, Status.ABORTED)


def _of_type(kind: type, word: str, look: Check) -> Check:
    """`look` at values of one type; what else comes has the wrong one."""

    def check(value: Json, path: Path, issues: Issues) -> Status:
        return (look if isinstance(value, kind) else partial(wrong_type, word))(value, path, issues)

    return check


def string(rule: Callable[[str], bool] = lambda _: True, message: str = "") -> Check:
    """z.string(), with at most one rule."""
    return _of_type(str, "string", refine(lambda *_: Status.VALID, rule, message))


def boolean(value: object, path: Path, issues: Issues) -> Status:
    """z.boolean()."""
    return Status.VALID if isinstance(value, bool) else wrong_type("boolean", value, path, issues)


def number(low: float, high: float) -> Check:
    """z.number().min(low).max(high)."""

    def check(value: Json, path: Path, issues: Issues) -> Status:
        if type_name(value) != "number":
            return wrong_type("number", value, path, issues)
        if value < low:
            return _note(issues, path, f"Number must be greater than or equal to {low}")
        if value > high:
            return _note(issues, path, f"Number must be less than or equal to {high}")
        return Status.VALID

    return check


def one_of(*words: str) -> Check:
    """z.enum(words)."""
    listed = " | ".join(f"'{word}'" for word in words)

    def check(value: str, path: Path, issues: Issues) -> Status:
        if value in words:
            return Status.VALID
        message = f"Invalid enum value. Expected {listed}, received '{value}'"
        return _note(issues, path, message, Status.ABORTED)

    return _of_type(str, listed, check)


def optional(inner: Check) -> Check:
    """.optional(): a missing value is fine, null is not."""
    return lambda value, path, issues: Status.VALID if value is MISSING else inner(value, path, issues)


def absent(value: object, path: Path, issues: Issues) -> Status:
    """z.undefined()."""
    return Status.VALID if value is MISSING else wrong_type("undefined", value, path, issues)


def array(item: Check) -> Check:
    """z.array(item)."""

    def check(value: list[Json], path: Path, issues: Issues) -> Status:
        return worst(item(part, (*path, n), issues) for n, part in enumerate(value))

    return _of_type(list, "array", check)


def record(item: Check) -> Check:
    """z.record(item)."""

    def check(value: dict[str, Json], path: Path, issues: Issues) -> Status:
        return worst(item(part, (*path, key), issues) for key, part in value.items())

    return _of_type(dict, "object", check)


def shape(**fields: Check) -> Check:
    """z.object(fields): unknown keys are dropped, the fields are looked at in the schema's order."""

    def check(value: dict[str, Json], path: Path, issues: Issues) -> Status:
        return worst(field(value.get(name, MISSING), (*path, name), issues) for name, field in fields.items())

    return _of_type(dict, "object", check)


def pair(first: Check, second: Check) -> Check:
    """z.tuple([first, second]): too few abort, too many only break a rule."""

    def check(value: list[Json], path: Path, issues: Issues) -> Status:
        if not value[1:]:
            return _note(issues, path, "Array must contain at least 2 element(s)", Status.ABORTED)
        status = Status.VALID
        if value[2:]:
            status = _note(issues, path, "Array must contain at most 2 element(s)")
        return worst((status, first(value[0], (*path, 0), issues), second(value[1], (*path, 1), issues)))

    return _of_type(list, "array", check)


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
        return _note(issues, path, "Invalid input", Status.ABORTED)

    return check


def refine(inner: Check, rule: Callable[[Json], bool], message: str) -> Check:
    """.refine(rule): looked at unless a part aborted."""

    def check(value: object, path: Path, issues: Issues) -> Status:
        status = inner(value, path, issues)
        return status if status is Status.ABORTED or rule(value) else _note(issues, path, message)

    return check


def worst(statuses: Iterable[Status]) -> Status:
    """All are looked at, so that every issue is collected."""
    return max(list(statuses), default=Status.VALID)
