"""The folders that promptscope keeps things in: the platform's own (XDG on Linux), or those the environment names."""

from __future__ import annotations

import os
from pathlib import Path

from promptscope_engine.tokens.cache import ENVIRONMENT as CACHE_ENVIRONMENT

STATE_ENVIRONMENT = "PROMPTSCOPE_STATE"
"""The environment variable that names the state folder."""

# platformdirs costs 15 ms: a folder named by the environment does without.


def cache_folder() -> Path:
    """Token counts; may be deleted at any time."""
    if named := os.environ.get(CACHE_ENVIRONMENT):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("promptscope", appauthor=False)


def state_folder() -> Path:
    """Pictures and scenarios that the user saved; it need not exist."""
    if named := os.environ.get(STATE_ENVIRONMENT):
        return Path(named)
    from platformdirs import user_state_path

    return user_state_path("promptscope", appauthor=False)
