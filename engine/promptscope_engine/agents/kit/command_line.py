"""What a command line says of an agent's params."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from promptscope_engine.formats.document import Json


def said_by(command: Sequence[str], options: Mapping[str, str], many: Mapping[str, str] = {}) -> dict[str, Json]:
    """The values of options by the params' dotted names: `--x VALUE` or `--x=VALUE`. An option of `many` may come
    more than once, and its values are a list."""
    found: dict[str, Json] = {}
    for at, word in enumerate(command):
        name, equals, value = word.partition("=")
        if not equals:
            value = command[at + 1] if at + 1 < len(command) else ""
        if name in options:
            found[options[name]] = value
        elif name in many:
            found.setdefault(many[name], []).append(value)
    return found
