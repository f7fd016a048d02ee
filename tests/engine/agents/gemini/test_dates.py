"""The date in the words of a locale (specs/gemini.md 4)."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.gemini.dates import long_date


@pytest.mark.parametrize(
    ("moment", "zone", "locale", "text"),
    [
        ("2026-11-20", "UTC", "en-US", "Friday, November 20, 2026"),
        ("2026-11-20", "UTC", "en-GB", "Friday, 20 November 2026"),
        ("2026-11-20", "UTC", "de-DE", "Freitag, 20. November 2026"),
        ("2026-11-20", "UTC", "zh-CN", "2026年11月20日星期五"),
        ("2026-11-20T23:30:00+00:00", "Asia/Tokyo", "en", "Saturday, November 21, 2026"),
        ("2026-11-20", None, "tlh", "Friday, November 20, 2026"),
    ],
)
def test_dates(moment: str, zone: str | None, locale: str, text: str) -> None:
    assert long_date(moment, zone, locale) == text
