"""What is part of promptscope as it is installed."""

from functools import cache
from pathlib import Path

import promptscope_engine
import promptscope_tui
from promptscope_engine.workspace.paths import real


@cache
def _packages() -> tuple[str, ...]:
    return tuple(real(str(Path(str(each.__file__)).parent)) for each in (promptscope_engine, promptscope_tui))


def is_packaged(path: str) -> bool:
    """Whether a file, or what it is a link to, is part of promptscope as it is installed: nobody may write there."""
    try:
        return real(path).startswith(tuple(f"{package}/" for package in _packages()))
    except ValueError:  # what no path can be
        return False
