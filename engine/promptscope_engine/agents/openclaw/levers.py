"""Switches over the configuration: which value, laid over it, would let a tool or a skill pass.

A lever sets a key of the param `configOverlay`, so that the user's file stays what it is. Where the deciding value
stands in an agent's own entry of `agents.list`, a list that an overlay could only replace whole, there is none.
"""

from __future__ import annotations

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Lever

from .tool_policy import Policy, expand, matches, normal

Levers = tuple[Lever, ...]

OVERLAY = "configOverlay"


def overlay(path: tuple[str, ...], value: Json) -> Lever:
    """The lever that lays a value over the configuration; keys with a dot of their own are nested into the value."""
    plain = next((n for n, key in enumerate(path) if "." in key), len(path))
    for key in reversed(path[plain:]):
        value = {key: value}
    return Lever(".".join((OVERLAY, *path[:plain])), value)


def setting(path: str, value: Json) -> Levers:
    """`overlay` for a path without such keys, as a condition takes it."""
    return (overlay(tuple(path.split(".")), value),)


def admitting(policy: Policy, name: str) -> Levers | None:
    """What makes a step keep the tool `name`; None where no overlay reaches it."""
    if not policy.path:
        return None
    name = normal(name)
    levers = []
    left = [entry for pattern in policy.deny for entry in _without(pattern, name)]
    if left != list(policy.deny):
        levers.append(overlay((*policy.path, "deny"), left))
    if policy.allow and not any(matches(name, pattern) for pattern in expand(policy.allow)):
        key, known = ("alsoAllow", policy.also) if policy.profile else ("allow", policy.allow)
        levers.append(overlay((*policy.path, key), [*known, name]))
    return tuple(levers)


def _without(pattern: str, name: str) -> list[str]:
    """A denial without the tool: a group is written out, a pattern that fits is dropped."""
    names = expand([pattern])
    return [pattern] if not any(matches(name, each) for each in names) else [n for n in names if not matches(name, n)]


def denied_by(policy: Policy, name: str) -> str | None:
    """The entry of a step's denials that fits the tool, as the configuration has it."""
    fits = (p for p in policy.deny if any(matches(normal(name), each) for each in expand([p])))
    return next(fits, None)
