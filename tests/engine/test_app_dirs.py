"""promptscope's own folders are where platformdirs has them."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from promptscope_engine.app_dirs import Use, own_folder


@pytest.fixture(autouse=True)
def _nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for use in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.delenv(f"XDG_{use}_HOME", raising=False)
        monkeypatch.delenv(f"PROMPTSCOPE_{use}", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("ANDROID_ROOT", raising=False)


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
        {"HOME": "/home/me", "XDG_CACHE_HOME": "/a", "XDG_CONFIG_HOME": "/b", "XDG_STATE_HOME": "/c"},
        {"HOME": "/home/me", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": " ", "XDG_STATE_HOME": "else"},
    ],
)
def test_folders_are_the_platforms(monkeypatch: pytest.MonkeyPatch, use: Use, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    theirs: Path = getattr(platformdirs, f"user_{use}_path")("promptscope", appauthor=False)
    assert own_folder(use) == theirs


def test_platformdirs_is_imported_where_something_says_otherwise_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_STATE_HOME", "/else")
    assert own_folder("cache") == Path("/home/me/.cache/promptscope")
    with pytest.raises(ImportError):
        own_folder("state")
    monkeypatch.setenv("ANDROID_ROOT", "/system")
    with pytest.raises(ImportError):
        own_folder("cache")


@pytest.mark.parametrize("use", ["cache", "config", "state"])
def test_a_variable_names_another_folder(monkeypatch: pytest.MonkeyPatch, use: Use) -> None:
    monkeypatch.setenv(f"PROMPTSCOPE_{use.upper()}", "/else")
    assert own_folder(use) == Path("/else")


def test_state_is_apart_from_settings_where_the_platform_has_one_folder_for_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/here")
    monkeypatch.setenv("XDG_STATE_HOME", "/here")
    assert own_folder("config") == Path("/here/promptscope")
    assert own_folder("state") == Path("/here/promptscope/state")
