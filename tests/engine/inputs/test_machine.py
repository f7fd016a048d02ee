"""The machine's facts, on machines that this one is not."""

from __future__ import annotations

import platform
from datetime import datetime, timedelta

import pytest

from promptscope_engine.inputs import scenario as scenario_module
from promptscope_engine.inputs.machine import complete
from promptscope_engine.inputs.scenario import Environment, Scenario


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


class Ticking(datetime):
    """A clock that is a second further at each look."""

    seconds = 0

    @classmethod
    def now(cls, tz: object = None) -> Ticking:  # type: ignore[override]  # noqa: ARG003
        cls.seconds += 1
        return cls(2026, 1, 2) + timedelta(seconds=cls.seconds)


def test_the_clock_is_read_once_for_a_scenario_and_its_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario_module, "datetime", Ticking)
    asked = Scenario(agent="roo")
    first = complete(asked.environment, {})
    assert complete(asked.with_value("mode", "ask").environment, {}) == first
    assert asked == Scenario(agent="roo"), "what was read is no part of the question"
    assert complete(Environment(), {}) != first
