"""promptscope's own folders are where platformdirs has them."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from promptscope_engine.app_dirs import Use, own_folder


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


def test_platformdirs_is_imported_where_something_says_otherwise_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "ANDROID_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_STATE_HOME", "/else")
    assert own_folder("cache") == Path("/home/me/.cache/promptscope")
    with pytest.raises(ImportError):
        own_folder("state")
    monkeypatch.setenv("ANDROID_ROOT", "/system")
    with pytest.raises(ImportError):
        own_folder("cache")
