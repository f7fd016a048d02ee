"""Looks at what no event reports."""

import time

from .plan import Plan, Unseen, looks_of, place_and_time

AT_EVERYTHING = 60
"""Every which look is at everything: no event tells that a folder was mounted over another, or that the kernel
dropped some."""

_COARSE = 3_000_000_000
"""Nanoseconds for which a folder may change again without a new time: FAT keeps times to two seconds."""


class Rounds:
    """Looks again and again at what no event reports, and every so often at everything."""

    def __init__(self, plan: Plan, unseen: Unseen, seconds: float) -> None:
        """`seconds` are between two looks at what is unseen."""
        self._plan, self._unseen = plan, unseen
        self._every = AT_EVERYTHING if unseen.asked or unseen.anchors else 1
        self._pause = seconds * AT_EVERYTHING / self._every
        self._before = dict(plan.looks)
        self._times: dict[str, int] = {}
        self.number = 0
        """How many there were."""
        self.due = time.monotonic() + self._pause
        """When the next is."""

    def look(self) -> tuple[set[str], bool]:
        """The asked paths that look different, and whether the plan depends on something that does.

        Of a folder that is as it was only what is in it is looked at: nothing came, and most that was asked for is not
        there.
        """
        self.number += 1
        self.due = time.monotonic() + self._pause
        looked, shared = self._unseen if self.number % self._every else self._plan, self._plan.shared
        places = {each: place_and_time(each, shared) for each in looked.anchors}
        recent = time.time_ns() - _COARSE
        same = {each for each, (_, changed) in places.items() if changed < recent and self._times.get(each) == changed}
        self._times |= {each: changed for each, (_, changed) in places.items()}
        inside, before = self._plan.inside, self._before
        now = looks_of((path for path in looked.asked if before[path][0] or inside[path] not in same), shared)
        different = {path for path, look in now.items() if look != before[path]}
        self._before |= now
        return different, any(place != self._plan.anchors[each] for each, (place, _) in places.items())
