"""What the header and the note say of watching."""

from __future__ import annotations

import pytest

from promptscope_tui.watching.status import Polled, WatchStatus

LIMIT = Polled("limit", 100, 900, "fs.inotify.max_user_watches=524288")


@pytest.mark.parametrize(
    ("status", "forms"),
    [
        (WatchStatus("live", 312, 900, 212), ("live, 312 watched", "live")),
        (WatchStatus("live", 0, 1203, 212), ("live, no files yet, watching 1,203 paths", "live")),
        (
            WatchStatus("live", 312, 2000, 100, (LIMIT,)),
            (
                "live, 212 watched, 100 polled: raise fs.inotify.max_user_watches",
                "100 polled: raise max_user_watches",
                "100 polled: inotify limit",
                "100 polled",
            ),
        ),
        (
            WatchStatus("polling", 100, 900, 0, (LIMIT,)),
            (
                "100 polled: raise fs.inotify.max_user_watches",
                "100 polled: raise max_user_watches",
                "100 polled: inotify limit",
                "100 polled",
            ),
        ),
        (
            WatchStatus("live", 9, 2000, 300, (Polled("limit", 0, 1848, "fs.inotify.max_user_instances=1024"),)),
            (
                "live, 9 watched, 1,848 paths polled: raise fs.inotify.max_user_instances",
                "1,848 paths polled: raise max_user_instances",
                "1,848 paths polled: inotify limit",
                "1,848 paths polled",
            ),
        ),
        (
            WatchStatus("polling", 0, 900, 0, (Polled("failure", 0, 900, "how odd"),)),
            ("live, no files yet, 900 paths polled: watching failed", "900 paths polled: failed", "900 paths polled"),
        ),
        (
            WatchStatus("live", 3, 9, 9, (Polled("unreadable", 1, 1, "/w/a"), Polled("shared", 1, 2, "/w/b"))),
            ("live, 1 watched, 2 polled: unreadable folder", "2 polled: unreadable", "2 polled"),
        ),
        (
            WatchStatus("live", 3, 9, 9, (Polled("shared", 3, 9, "/w"),)),
            ("3 polled: network folder", "3 polled: network", "3 polled"),
        ),
    ],
)
def test_the_forms_for_the_header(status: WatchStatus, forms: tuple[str, ...]) -> None:
    assert status.forms == forms


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (
            WatchStatus("live", 312, 900, 212),
            "watching 312 files, and 588 paths where one may appear, in 212 folders",
        ),
        (
            WatchStatus("live", 312, 2000, 100, (LIMIT, Polled("unreadable", 1, 1, "/w/a"))),
            "checking 1 of 312 files every second, because you can't list /w/a; "
            "checking 100 of 312 files every second, because a limit of the system is reached. "
            "To raise it: sudo sysctl fs.inotify.max_user_watches=524288",
        ),
        (
            WatchStatus("live", 9, 2000, 300, (Polled("shared", 0, 1848, "/w"),)),
            "checking 1,848 of 2,000 paths every second, because other machines can change what is in /w",
        ),
        (WatchStatus("off", 0, 0, failure="OSError: how odd"), "not watching: OSError: how odd"),
    ],
)
def test_the_note(status: WatchStatus, words: str) -> None:
    assert status.detail == words
