"""What in a modes file nobody reads, and what may have been meant: Roo drops it in silence (specs/roo.md 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from promptscope_engine.formats.document import Json, Parsed, Path
from promptscope_engine.inputs.errors import nearest

GROUPS = ("read", "edit", "browser", "command", "mcp", "modes")
FILE_KEYS = ("customModes",)
MODE_KEYS = (
    "slug", "name", "roleDefinition", "whenToUse", "description", "customInstructions", "groups", "source",
)  # fmt: skip
OPTION_KEYS = ("fileRegex", "description")

MAX_TOLD = 20
"""Keys of one file that are told of."""

_MEANT = {
    "terminal": "command", "shell": "command", "bash": "command", "execute": "command",
    "write": "edit", "files": "read", "web": "browser", "filePattern": "fileRegex",
}  # fmt: skip
"""Words that are no near spelling of what they are used for."""


def unread_keys(document: Parsed) -> Iterator[tuple[Path, str]]:
    """(place, message) of what no code of Roo looks at: keys, the first of its name on each level, and patterns."""
    yield from islice(_patterns_without_effect(document.value), MAX_TOLD)
    first: dict[tuple[tuple[str, ...], str], Path] = {}
    for path, known, key in _unread(document.value):
        first.setdefault((known, key), path)
    for (known, key), path in islice(first.items(), MAX_TOLD):
        # A pattern of files stands beside the group: the keys of its options are near ones, too.
        near = (*known, *OPTION_KEYS) if known is MODE_KEYS else known
        where = " (in a group's options: `[edit, {fileRegex: …}]`)" if "fileRegex" in _near(key, near) else ""
        yield path, f"Roo reads no key `{key}` here{hint(key, near, known)}{where}"


def _unread(settings: Json) -> Iterator[tuple[Path, tuple[str, ...], str]]:
    yield from _others((), settings, FILE_KEYS)
    for number, mode in enumerate(_modes(settings)):
        yield from _others(("customModes", number), mode, MODE_KEYS)
    for place, _, options in _group_options(settings):
        yield from _others(place, options, OPTION_KEYS)


def _patterns_without_effect(settings: Json) -> Iterator[tuple[Path, str]]:
    for place, group, options in _group_options(settings):
        if group in GROUPS and group != "edit" and isinstance(options, Mapping) and "fileRegex" in options:
            message = f"`fileRegex` limits the group edit alone: the group {group} stays without limits"
            yield (*place, "fileRegex"), message


def _modes(settings: Json) -> list[Json]:
    modes = settings.get("customModes") if isinstance(settings, Mapping) else None
    return modes if isinstance(modes, list) else []


def _group_options(settings: Json) -> Iterator[tuple[Path, Json, Json]]:
    """The place of the options of each group that has any, the group's name, the options."""
    for number, mode in enumerate(_modes(settings)):
        groups = mode.get("groups") if isinstance(mode, Mapping) else None
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            if isinstance(group, list) and len(group) > 1:
                yield ("customModes", number, "groups", at, 1), group[0], group[1]


def _others(place: Path, value: Json, known: tuple[str, ...]) -> Iterator[tuple[Path, tuple[str, ...], str]]:
    for key in value if isinstance(value, Mapping) else ():
        if isinstance(key, str) and key not in known:
            yield (*place, key), known, key


def group_hint(path: Path, settings: Json) -> str:
    """What may have been meant where the schema refused the name of a group; "" for any other place."""
    match path:
        case modes, mode, "groups", at, *_:
            value = settings[modes][mode]["groups"][at]
            name = value[0] if isinstance(value, list) and value else value
            return hint(name, GROUPS, GROUPS) if isinstance(name, str) and name not in GROUPS else ""
        case _:
            return ""


def hint(written: str, near: Iterable[str], known: Iterable[str]) -> str:
    """The nearest of `near` and all that is `known`, to stand behind a statement."""
    close = _near(written, near)
    meant = f"; did you mean {' or '.join(close)}?" if close else ""
    return f"{meant} (known: {', '.join(known)})"


def _near(written: str, known: Iterable[str]) -> tuple[str, ...]:
    names = tuple(known)
    meant = _MEANT.get(written)
    return (meant,) if meant in names else nearest(written, names, 1)
