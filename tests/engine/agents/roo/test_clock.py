"""The time as the environment details tell it."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.roo.clock import Moment, moment
from promptscope_engine.inputs.scenario import Environment


@pytest.mark.parametrize(
    ("date", "zone", "told"),
    [
        ("2026-01-02T03:04:05.678Z", "UTC", Moment("2026-01-02T03:04:05.678Z", "UTC", 0)),
        ("2026-07-02T12:00:00", "Europe/Vienna", Moment("2026-07-02T10:00:00.000Z", "Europe/Vienna", 120)),
        ("2026-01-02", "America/New_York", Moment("2026-01-02T05:00:00.000Z", "America/New_York", -300)),
        ("2026-01-02T00:00:00+05:30", "Not/A_Zone", Moment("2026-01-01T18:30:00.000Z", "Not/A_Zone", 330)),
        ("nonsense", "UTC", Moment("1970-01-01T00:00:00.000Z", "UTC", 0)),
    ],
)
def test_moments(date: str, zone: str, told: Moment) -> None:
    assert moment(Environment(date=date, timezone=zone)) == told
