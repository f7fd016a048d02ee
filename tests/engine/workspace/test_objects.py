"""What is asked of git's objects, how much of it is kept, and for how long an answer is waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

import pytest
from tests.support.objects import GitOf

from promptscope_engine.workspace.objects import Objects

MIB = 1024 * 1024


def _objects(contents: Mapping[str, bytes]) -> Objects:
    return Objects(GitOf(contents))


def test_one_process_tells_sizes_and_one_contents() -> None:
    git = GitOf({"a": b"one\n", "b": b""})
    objects = Objects(git)
    assert [objects.size("a"), objects.size("b"), objects.size("a")] == [4, 0, 4]
    assert git.asked == ["cat-file --batch-check"]
    assert [objects.read("a"), objects.read("b"), objects.read("a")] == [b"one\n", b"", b"one\n"]
    assert git.asked == ["cat-file --batch-check", "cat-file --batch"]
    objects.close()
    with pytest.raises(OSError, match="the revision was closed"):
        objects.size("c")


def test_an_object_that_this_clone_has_not_got_is_said() -> None:
    objects = _objects({"b": b"there"})
    with pytest.raises(OSError, match="this clone is partial, or damaged"):
        objects.size("a")
    assert objects.size("b") == 5


@pytest.mark.parametrize(("size", "is_kept"), [(1_023, True), (1_024, True), (1_025, False)])
def test_a_content_of_1024_bytes_is_kept(size: int, is_kept: bool) -> None:
    objects = _objects({"a": b"x" * size})
    first = objects.read("a")
    assert objects.read("a") == first == b"x" * size
    assert (objects.read("a") is first) is is_kept


def test_an_object_may_have_32_mebibytes() -> None:
    objects = _objects({"a": bytes(32 * MIB), "b": bytes(32 * MIB + 1)})
    assert len(objects.read("a")) == 32 * MIB
    with pytest.raises(OSError, match="33,554,433 bytes in git are more than 33,554,432"):
        objects.read("b")


def test_one_watch_over_the_time_serves_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends anyone who is asked when it is over, so a later question needs another one."""
    watches: list[tuple[float, str]] = []
    now = 100.0

    class Timer:
        daemon = False

        def __init__(self, seconds: float, over: Callable[[], None]) -> None:
            assert seconds == 5
            self.over = over

        def start(self) -> None:
            watches.append((now, "start"))

        def cancel(self) -> None:
            watches.append((now, "cancel"))

    monkeypatch.setattr(threading, "Timer", Timer)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    objects = _objects(dict.fromkeys("abcd", b""))
    for now, oid in ((100.0, "a"), (101.0, "b"), (101.5, "c"), (102.0, "d")):  # noqa: B007
        objects.size(oid)
    assert watches == [(100, "start"), (101.5, "cancel"), (101.5, "start")]
    objects.close()
    assert watches[-1] == (102, "cancel")
