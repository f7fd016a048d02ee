"""What a program does with settings that do not fit: one algorithm, and a policy per file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Literal

from promptscope_engine.formats.document import Json, Path
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.model import Diagnostic

from .settings_schema import UNKNOWN, UNKNOWN_KEY, Finding, Schema

Consequence = Literal["file", "value", "start", "told", "ignored"]
"""Of a value that does not fit: the whole file is dropped, the value is, the program does not start, it is told and
taken all the same, or passed over."""

Place = Callable[[Path], tuple[str | None, int | None]]
"""The path and line of a key: None where it has none."""


@frozen
class Policy:
    """How one kind of settings file is held to its schema. `table` is how the format writes the name of an object."""

    agent: str
    schema: Callable[[], Schema]
    misfit: Consequence
    unknown: Consequence = "ignored"
    because: str = ""
    """Why an unknown key stops the start, where it does not always: `, and --strict-config is given`."""
    table: str = "`{}`"
    inner: tuple[str, ...] = ()
    """Objects of which one value is dropped, and not the whole object."""
    instead: Callable[[str, Json], Json] | None = None
    """What a setting of a wrong type counts as, by its key and value; None where it is dropped."""


@frozen
class Checked:
    """What is left of the values, and what is said of them. `dropped` says why none is left."""

    values: Mapping[str, Json]
    problems: tuple[Diagnostic, ...] = ()
    refusals: tuple[Diagnostic, ...] = ()
    dropped: str = ""


def checked(values: Mapping[str, Json], policy: Policy, place: Place) -> Checked:
    """The values as the program takes them."""
    problems: list[Diagnostic] = []
    refusals: list[Diagnostic] = []
    lost: list[Path] = []
    taken: dict[str, Json] = {}
    dropped = ""
    for finding in policy.schema().findings(values) if values else ():
        path, line = _line(finding, place)
        what = _consequence(finding, policy)
        if what == "start":
            refusals.append(refusal(finding, policy, place))
        elif finding.kind in UNKNOWN:
            text = f"{policy.agent} knows no setting `{finding.key}` and ignores it{finding.hint(policy.table)}"
            problems.append(Diagnostic("warning", "unknown-setting", text, path, line))
        else:
            reason = f"is an {finding.reason}" if finding.reason == UNKNOWN_KEY else finding.reason
            instead = _instead(what, finding, values, policy)
            taken |= instead
            text = f"`{finding.key}` {reason}{finding.hint(policy.table)}{_ending(what, finding, policy, instead)}"
            problems.append(Diagnostic("warning", "bad-settings", text, path, line))
        if what == "file":
            dropped = dropped or f"`{finding.key}` {finding.reason}"
        elif what == "value":
            lost.append(_of_value(finding, policy))
    kept = {} if dropped else {**without(values, lost), **taken}
    return Checked(kept, tuple(problems), tuple(refusals), dropped)


def refusal(finding: Finding, policy: Policy, place: Place) -> Diagnostic:
    """That the program does not start, and why."""
    because = policy.because if finding.kind == "unknown" else ""
    text = f"{policy.agent} does not start: `{finding.key}`: {finding.said(policy.table)}{because}"
    return Diagnostic("error", "agent-refuses", text, *_line(finding, place))


def _consequence(finding: Finding, policy: Policy) -> Consequence:
    if finding.kind in UNKNOWN:
        return policy.unknown if finding.kind == "unknown" else "ignored"
    return "value" if finding.mild else policy.misfit


def _of_value(finding: Finding, policy: Policy) -> Path:
    """The path of what is dropped: the setting, or its part where the parts count one by one."""
    if finding.mild:
        return finding.path
    return finding.path[: 2 if finding.path[0] in policy.inner else 1]


def _instead(what: Consequence, finding: Finding, values: Mapping[str, Json], policy: Policy) -> dict[str, Json]:
    """The setting with the value that it counts as, where the whole of it is lost and counts as another one."""
    if what != "value" or policy.instead is None or len(lost := _of_value(finding, policy)) > 1:
        return {}
    value = policy.instead(str(lost[0]), values[str(lost[0])])
    return {} if value is None else {str(lost[0]): value}


def _ending(what: Consequence, finding: Finding, policy: Policy, instead: Mapping[str, Json]) -> str:
    if instead:
        return f": {policy.agent} takes it for {json.dumps(next(iter(instead.values())))}"
    if what == "file":
        return f": {policy.agent} drops the whole file"
    if what == "value":
        lost = ".".join(str(part) for part in _of_value(finding, policy))
        return f": {policy.agent} drops {'this value' if finding.mild else f'`{lost}`'}"
    return f" ({policy.agent} warns of it)"


def _line(finding: Finding, place: Place) -> tuple[str | None, int | None]:
    """Where the key is; that of what holds it, where it is missing."""
    file: str | None = None
    for length in range(len(finding.path), 0, -1):
        file, line = place(finding.path[:length])
        if line is not None:
            return file, line
    return file, None


def without(values: Mapping[str, Json], paths: list[Path]) -> Mapping[str, Json]:
    """The values without those under the paths; items of a list stay in their places, as None."""
    kept: Json = values
    for path in paths:
        kept = _without(kept, path)
    return dict(kept) if paths else values


def _without(value: Json, path: Path) -> Json:
    key, rest = path[0], path[1:]
    if isinstance(value, dict) and key in value:
        if rest:
            return {**value, key: _without(value[key], rest)}
        return {name: inner for name, inner in value.items() if name != key}
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return [*value[:key], _without(value[key], rest) if rest else None, *value[key + 1 :]]
    return value
