"""The time as Roo shows it: UTC to the millisecond, the zone, and its offset (specs/roo-user-messages.md 4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.scenario import Environment


@frozen
class LocalTime:
    """`utc` is ISO 8601 with milliseconds and Z, `zone` an IANA name, `offset` minutes east."""

    utc: str
    zone: str
    offset: int


def local_time(environment: Environment) -> LocalTime:
    """The environment's date in its time zone; a date without an offset is meant in that zone."""
    name = environment.timezone or "UTC"
    zone = _zone(name)
    try:
        given = datetime.fromisoformat(environment.date or "")
    except ValueError:
        given = datetime.fromtimestamp(0, UTC)
    there = given.replace(tzinfo=zone or UTC) if given.tzinfo is None else given.astimezone(zone or given.tzinfo)
    offset = (there.utcoffset() or timedelta()) // timedelta(minutes=1)
    utc = there.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
    return LocalTime(f"{utc}Z", name, offset)


def _zone(name: str) -> tzinfo | None:
    """The zone, if the machine knows it: else the date's own offset counts."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
