"""The date as `toLocaleDateString` writes it with weekday and month in words (specs/gemini.md 4).

The words of each language are in agent.toml.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from zoneinfo import ZoneInfo

from .texts import FOLDER

DEFAULT = "en-US"


def local_day(moment: str, zone: str | None) -> date:
    """The day of an ISO 8601 moment in a time zone. A day without a time is that day everywhere."""
    at = datetime.fromisoformat(moment)
    if at.tzinfo is None or zone is None:
        return at.date()
    try:
        return at.astimezone(ZoneInfo(zone)).date()
    except (OSError, ValueError, LookupError, OverflowError):
        return at.date()


def writer(locale: str | None) -> Callable[[date], str] | None:
    """How a locale writes a day; None for one that is not known here."""
    parts = (locale or "").replace("_", "-").split(".")[0].split("-")
    language, rest = parts[0].lower(), parts[1:]
    region = next((part.upper() for part in rest if len(part) == 2), "")
    script = next((part.title() for part in rest if len(part) == 4), "")
    if language in ("", "c", "posix") or (language == "en" and not region):
        return partial(_written, DEFAULT)
    same, known = FOLDER.agent["same_language"], FOLDER.agent["languages"]
    names = (same.get(name, name) for name in (f"{language}-{region}", f"{language}-{script}", language))
    return next((partial(_written, name) for name in names if name in known), None)


def _written(language: str, day: date) -> str:
    said = FOLDER.agent["languages"][language]
    months = said.get("months", "").split()
    return str(said["form"]).format(
        weekday=said["weekdays"].split()[day.weekday()],
        month=months[day.month - 1] if months else "",
        number=day.month,
        day=day.day,
        year=day.year,
    )


def long_date(moment: str, zone: str | None, locale: str | None) -> str:
    """The day in words, in American English where the locale is not known."""
    write = writer(locale) or partial(_written, DEFAULT)
    return write(local_day(moment, zone))
