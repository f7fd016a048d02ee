"""Names of a package that are imported when they are first used. This module itself imports nothing new."""

from __future__ import annotations

import sys

# Type checkers take this name as true; importing it from typing would cost 4 ms where nothing else has yet.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable


def imported_when_used(package: str, homes: dict[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package. `homes` has the module of each name, relative to the package."""

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(__import__(f"{package}.{homes[name]}", fromlist=[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
