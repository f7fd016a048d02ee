"""What is looked at every second: all that may have changed, and little else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk
from promptscope_tui.watching import plan as plan_module
from promptscope_tui.watching.plan import Plan, looks_of, plan_of
from promptscope_tui.watching.rounds import AT_EVERYTHING, Rounds

LONG_AGO = 1_700_000_000


class CountingDisk(RealDisk):
    """A disk that knows what was looked at."""

    def __init__(self) -> None:
        self.looked: list[str] = []

    def lstat(self, path: str) -> os.stat_result:
        self.looked.append(path)
        return super().lstat(path)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> CountingDisk:
    made = CountingDisk()
    monkeypatch.setattr(plan_module, "_DISK", made)
    return made


def planned(folder: Path, *names: str) -> Plan:
    """A plan for names in a folder in which nothing happened for long."""
    workspace = Workspace()
    workspace.allow([str(folder)])
    for name in names:
        workspace.read(str(folder / name))
    os.utime(folder, (LONG_AGO, LONG_AGO))
    return plan_of(workspace, looks_of(workspace.asked, frozenset()), frozenset())


def test_a_missing_name_is_looked_at_when_its_folder_changed(tmp_path: Path, disk: CountingDisk) -> None:
    (tmp_path / "there.md").write_text("one")
    there, missing = str(tmp_path / "there.md"), str(tmp_path / "missing.md")
    plan = planned(tmp_path, "there.md", "missing.md")
    rounds = Rounds(plan, plan.unseen({str(tmp_path)}), 1.0)
    looked = []
    for _ in range(3):
        disk.looked.clear()
        assert rounds.look() == (set(), False)
        looked.append(set(disk.looked) & {there, missing})
    assert looked == [{there, missing}, {there}, {there}]
    (tmp_path / "missing.md").write_text("new")
    (tmp_path / "there.md").write_text("changed")
    assert rounds.look() == ({there, missing}, False)
    assert rounds.look() == (set(), False)


def test_a_folder_that_changed_a_moment_ago_may_have_changed_again_since(tmp_path: Path, disk: CountingDisk) -> None:
    plan = planned(tmp_path, "missing.md")
    os.utime(tmp_path)
    rounds = Rounds(plan, plan.unseen({str(tmp_path)}), 1.0)
    rounds.look()
    before = tmp_path.stat().st_mtime_ns
    (tmp_path / "missing.md").write_text("new")
    os.utime(tmp_path, ns=(before, before))  # as with clocks that tick slowly
    assert rounds.look()[0] == {str(tmp_path / "missing.md")}
    assert disk.looked


def test_now_and_then_a_look_is_at_everything(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    plan = planned(tmp_path, "a.md", "b.md")
    (tmp_path / "a.md").write_text("two")
    rounds = Rounds(plan, plan.unseen({"/"}), 1.0)
    found = [rounds.look()[0] for _ in range(AT_EVERYTHING + 1)]
    assert [len(each) for each in found] == [0] * (AT_EVERYTHING - 1) + [1, 0]


def test_where_events_tell_of_everything_there_are_few_looks(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    plan = planned(tmp_path, "a.md", "b.md")
    (tmp_path / "a.md").write_text("two")
    before = time.monotonic()
    rounds = Rounds(plan, plan.unseen(()), 1.0)
    assert rounds.due >= before + AT_EVERYTHING
    assert rounds.look()[0] == {str(tmp_path / "a.md")}


def test_the_plan_fits_no_more_when_a_folder_is_another_one(tmp_path: Path) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    plan = planned(folder, "a.md")
    rounds = Rounds(plan, plan.unseen({str(folder)}), 1.0)
    assert not rounds.look()[1]
    folder.chmod(0o700)
    assert rounds.look()[1]
    folder.chmod(0o755)
    folder.rename(tmp_path / "aside")
    folder.mkdir()
    assert rounds.look()[1]


def test_an_inode_that_is_new_each_time_means_nothing_on_a_shared_disk(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("one")
    device = frozenset({tmp_path.stat().st_dev})
    before = looks_of([str(file)], device)
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    (tmp_path / "draft").write_text("two")
    os.utime(tmp_path / "draft", ns=times)
    (tmp_path / "draft").replace(file)
    assert looks_of([str(file)], device) == before
    assert looks_of([str(file)], frozenset()) != before
