"""promptscope's own folders are where platformdirs has them."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from promptscope_engine.own_folders import Use, own_folder


@pytest.mark.parametrize("use", ["cache", "config", "state"])
@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": "/home/me"},
        {"HOME": "/home/me/"},
        {"HOME": "/"},
        {"HOME": ""},
        {"HOME": "here"},
        {},
        {"HOME": "/home/me", "XDG_CACHE_HOME": "/else", "XDG_CONFIG_HOME": "/else", "XDG_STATE_HOME": "/else"},
        {"HOME": "/home/me", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": " ", "XDG_STATE_HOME": "else"},
    ],
)
def test_folders_are_the_platforms(monkeypatch: pytest.MonkeyPatch, use: Use, variables: dict[str, str]) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    theirs: Path = getattr(platformdirs, f"user_{use}_path")("promptscope", appauthor=False)
    assert own_folder(use) == theirs
