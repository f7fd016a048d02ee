"""The time as the environment details show it."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.roo.gather.editor import LocalTime, local_time
from promptscope_engine.inputs.scenario import Environment


@pytest.mark.parametrize(
    ("date", "zone", "expected"),
    [
        ("2026-01-02T03:04:05.678Z", "UTC", LocalTime("2026-01-02T03:04:05.678Z", "UTC", 0)),
        ("2026-07-02T12:00:00", "Europe/Vienna", LocalTime("2026-07-02T10:00:00.000Z", "Europe/Vienna", 120)),
        ("2026-01-02", "America/New_York", LocalTime("2026-01-02T05:00:00.000Z", "America/New_York", -300)),
        ("2026-01-02T00:00:00+05:30", "Not/A_Zone", LocalTime("2026-01-01T18:30:00.000Z", "Not/A_Zone", 330)),
        ("2026-07-02T10:00:00Z", "Europe/Vienna", LocalTime("2026-07-02T10:00:00.000Z", "Europe/Vienna", 120)),
        ("2026-01-02", "Not/A_Zone", LocalTime("2026-01-02T00:00:00.000Z", "Not/A_Zone", 0)),
        ("nonsense", "UTC", LocalTime("1970-01-01T00:00:00.000Z", "UTC", 0)),
    ],
)
def test_local_time(date: str, zone: str, expected: LocalTime) -> None:
    assert local_time(Environment(date=date, timezone=zone)) == expected


def test_without_a_zone_the_time_is_that_of_greenwich() -> None:
    found = local_time(Environment(date="2026-01-02T03:04:05+02:00", timezone=None))
    assert found == LocalTime("2026-01-02T01:04:05.000Z", "UTC", 0)
