"""The watcher at the limits of the system, in a namespace in which they are as low as a test needs them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.tui.support.limited import Limited, need_namespaces

Start = Callable[..., Limited]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Watch files of a folder with limits."""
    need_namespaces()
    made: list[Limited] = []

    def begin(*names: str, **limits: int) -> Limited:
        made.append(Limited(tmp_path.resolve(), *names, **limits))
        return made[-1]

    yield begin
    for each in made:
        each.close()


def packages(folder: Path, count: int) -> list[str]:
    """So many packages, each with a CLAUDE.md."""
    names = [f"packages/{number:03}/CLAUDE.md" for number in range(count)]
    for name in names:
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("one")
    return names


@pytest.mark.parametrize("most", [0, 100, 300])
def test_what_gets_no_watch_is_polled_until_there_are_enough(tmp_path: Path, start: Start, most: int) -> None:
    names = packages(tmp_path, 312)
    limited = start(*names, "packages/new.md", watches=most)
    limited.until(lambda: limited.status is not None)
    assert limited.status is not None
    assert limited.status.state == ("live" if most else "polling")
    assert (limited.status.folders, limited.watches) == (most, most)
    assert [each.files for each in limited.status.polled] == [312 - most]
    (problem,) = limited.status.problems
    assert problem.startswith("limit: fs.inotify.max_user_watches=")
    for name in ("packages/new.md", names[0], names[-1]):
        (tmp_path / name).write_text("two")
        limited.expect(name)
    limited.allow(watches=10_000)
    limited.until(lambda: limited.status is not None and not limited.status.problems)
    assert limited.watches == limited.status.folders > 312
    for name in (names[0], names[-1]):
        (tmp_path / name).write_text("three")
        limited.expect(name)


def test_without_an_instance_all_is_polled_until_there_is_one(tmp_path: Path, start: Start) -> None:
    (name,) = packages(tmp_path, 1)
    limited = start(name, instances=0)
    limited.until(lambda: limited.status is not None and limited.status.state == "polling")
    assert limited.status is not None
    (problem,) = limited.status.problems
    assert problem.startswith("limit: fs.inotify.max_user_instances=")
    (tmp_path / name).write_text("two")
    limited.expect(name)
    limited.allow(instances=10)
    limited.until(lambda: limited.status is not None and limited.status.state == "live")
    (tmp_path / name).write_text("three")
    limited.expect(name)


def test_a_watched_folder_is_deleted_and_made_again_where_none_above_is_watched(tmp_path: Path, start: Start) -> None:
    (name,) = packages(tmp_path, 1)
    limited = start(name, watches=1)
    limited.until(lambda: limited.watches == 1)
    for text in ("two", "three", "four"):
        shutil.rmtree(tmp_path / "packages")
        limited.expect(name)
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
        limited.expect(name)
        (tmp_path / name).write_text(f"{text}, saved")
        limited.expect(name)


def test_its_own_watches_are_given_back_before_there_are_new_ones(tmp_path: Path, start: Start) -> None:
    (name,) = packages(tmp_path, 1)
    above = len(tmp_path.resolve().parents) + 1
    limited = start(name, "packages/new/CLAUDE.md", watches=above + 3)  # packages, packages/000, packages/new
    limited.until(lambda: limited.watches == above + 2)
    (tmp_path / "packages" / "new").mkdir()
    limited.until(lambda: limited.watches == above + 3)
    assert limited.status is not None
    assert not limited.status.problems
