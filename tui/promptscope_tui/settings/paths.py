"""The folders that promptscope uses: the platform's (XDG on Linux), or those that the environment names."""

from __future__ import annotations

import os
from pathlib import Path

from promptscope_engine.tokens.cache import ENVIRONMENT as CACHE_ENVIRONMENT

STATE_ENVIRONMENT = "PROMPTSCOPE_STATE"
"""The environment variable that names the state folder."""

# platformdirs costs 15 ms, so it is imported only if the environment names no folder.


def cache_folder() -> Path:
    """Token counts and last frames; safe to delete."""
    if named := os.environ.get(CACHE_ENVIRONMENT):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("promptscope", appauthor=False)


def state_folder() -> Path:
    """Saved screenshots, scenarios and captures; it need not exist."""
    if named := os.environ.get(STATE_ENVIRONMENT):
        return Path(named)
    from platformdirs import user_state_path

    return user_state_path("promptscope", appauthor=False)
