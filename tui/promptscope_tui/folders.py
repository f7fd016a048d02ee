"""The folders that promptscope keeps things in, by the platform's rules (XDG on Linux)."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs  # 4 ms

from promptscope_engine.tokens.cache import ENVIRONMENT

APP = "promptscope"


def cache() -> Path:
    """Token counts; may be deleted at any time. The variable PROMPTSCOPE_CACHE names another folder."""
    return Path(os.environ.get(ENVIRONMENT) or platformdirs.user_cache_path(APP, appauthor=False))


def state() -> Path:
    """What the app remembers between runs."""
    return platformdirs.user_state_path(APP, appauthor=False)


def config() -> Path:
    """What the user sets."""
    return platformdirs.user_config_path(APP, appauthor=False)
