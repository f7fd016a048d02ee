"""The machine's facts, on machines that this one is not."""

from __future__ import annotations

import platform

import pytest

from promptscope_engine.inputs.machine import complete
from promptscope_engine.inputs.scenario import Environment


@pytest.mark.parametrize(
    ("system", "release", "name"),
    [
        ("Darwin", "17.7.0", "macOS"),
        ("Darwin", "18.0.0", "macOS Mojave"),
        ("Darwin", "25.1.0", "macOS Tahoe"),
        ("Darwin", "26.0.0", "macOS"),
        ("Darwin", "unknown", "Darwin unknown"),
        ("Linux", "6", "Linux 6"),
        ("Linux", "6.1", "Linux 6.1"),
        ("Linux", "6.1.0-13-amd64", "Linux 6.1"),
        ("Windows", "11", "Windows 11"),
        ("FreeBSD", "14.1", "FreeBSD 14.1"),
    ],
)
def test_the_name_of_the_system(monkeypatch: pytest.MonkeyPatch, system: str, release: str, name: str) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "release", lambda: release)
    assert complete(Environment(), {}).os_name == name
