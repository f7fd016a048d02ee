"""`@path` imports of instruction files: where one leads.

What counts as an import, how deep they go, and whether a text stands in its place or behind is each agent's own.
"""

from __future__ import annotations

from promptscope_engine.javascript.path import resolve

from .paths import absolute

_LONGEST = 4_096
"""Characters of a path: no system opens a longer one."""


def target_of(token: str, folder: str, home: str | None = None) -> str | None:
    """The absolute path that a token in a file of `folder` names; None if it cannot be one.

    `~` stands for `home` where that is given.
    """
    if "\0" in token or len(token) > _LONGEST:
        return None
    return resolve(folder, token) if home is None else absolute(token, folder, home)
