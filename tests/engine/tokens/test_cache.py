"""The cache survives everything that a disk and other processes can do to it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.tokens.cache import CountCache, count_key


def key(number: int) -> bytes:
    return count_key("o200k_base", str(number))


def fill(folder: Path, start: int, stop: int, capacity: int = 20_000) -> None:
    cache = CountCache(folder, capacity)
    for number in range(start, stop):
        cache.put(key(number), number)
    cache.flush()


def held(folder: Path, numbers: range) -> list[int]:
    cache = CountCache(folder)
    return [number for number in numbers if cache.get(key(number)) == number]


def test_counts_come_back_in_another_run(tmp_path: Path) -> None:
    fill(tmp_path / "new" / "folder", 0, 5)
    assert held(tmp_path / "new" / "folder", range(7)) == [0, 1, 2, 3, 4]


def test_nothing_is_written_before_flush_and_nothing_when_nothing_is_new(tmp_path: Path) -> None:
    cache = CountCache(tmp_path)
    cache.get(key(1))
    cache.flush()
    cache.put(key(1), 1)
    assert list(tmp_path.iterdir()) == []
    assert cache.get(key(1)) == 1


@given(st.text(), st.text())
def test_every_text_has_a_key_of_its_own(one: str, other: str) -> None:
    assert len(count_key("o200k_base", one)) == 16
    assert (count_key("o200k_base", one) == count_key("o200k_base", other)) == (one == other)
    assert count_key("o200k_base", one) != count_key("cl100k_base", one)


def test_half_a_surrogate_pair_has_a_key() -> None:
    assert count_key("o200k_base", "\ud800") != count_key("o200k_base", "\ufffd")


DAMAGE = {
    "empty": lambda _raw: b"",
    "cut short": lambda raw: raw[:-7],
    "one bit": lambda raw: raw[:-1] + bytes([raw[-1] ^ 1]),
    "another format": lambda raw: b"SQLite format 3\0" + raw[16:],
    "too long": lambda raw: raw + b"\0" * 500_000,
    "header only, torn": lambda raw: raw[:18],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_started_again(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    fill(tmp_path, 0, 3)
    file = tmp_path / "counts"
    file.write_bytes(damage(file.read_bytes()))
    assert held(tmp_path, range(3)) == []
    fill(tmp_path, 1, 3)
    assert held(tmp_path, range(3)) == [1, 2]


def test_a_second_run_adds_to_what_another_wrote_meanwhile(tmp_path: Path) -> None:
    first, second = CountCache(tmp_path), CountCache(tmp_path)
    for number, cache in enumerate((first, second)):
        cache.get(key(9))
        cache.put(key(number), number)
    first.flush()
    second.flush()
    assert held(tmp_path, range(3)) == [0, 1]


def test_processes_at_the_same_time_leave_a_whole_file(tmp_path: Path) -> None:
    code = """
import sys
from promptscope_engine.tokens.cache import CountCache, count_key
cache = CountCache(sys.argv[1])
start = int(sys.argv[2])
for number in range(start, start + 100):
    cache.put(count_key("o200k_base", str(number)), number)
cache.flush()
"""
    writers = [subprocess.Popen([sys.executable, "-c", code, tmp_path, str(n * 100)]) for n in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    kept = held(tmp_path, range(400))
    # A flush may miss another's, but never half of it, and the last one's own is there.
    assert len(kept) >= 100
    assert len(kept) % 100 == 0
    assert [file.name for file in tmp_path.iterdir()] == ["counts"]


def test_the_longest_unused_are_dropped(tmp_path: Path) -> None:
    fill(tmp_path, 0, 4, capacity=4)
    cache = CountCache(tmp_path, capacity=4)
    assert cache.get(key(0)) == 0
    cache.put(key(4), 4)
    cache.put(key(5), 5)
    cache.flush()
    assert held(tmp_path, range(6)) == [0, 3, 4, 5]


def test_the_file_is_bounded(tmp_path: Path) -> None:
    fill(tmp_path, 0, 50, capacity=10)
    assert (tmp_path / "counts").stat().st_size == 20 + 10 * 20
    assert held(tmp_path, range(50)) == list(range(40, 50))


def test_a_folder_that_cannot_be_made_leaves_a_cache_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = CountCache(tmp_path / "file" / "folder")
    cache.put(key(1), 1)
    cache.flush()
    assert cache.get(key(1)) == 1


def test_a_folder_in_the_files_place_leaves_a_cache_in_memory(tmp_path: Path) -> None:
    (tmp_path / "counts").mkdir()
    fill(tmp_path, 0, 3)
    assert [file.name for file in tmp_path.iterdir()] == ["counts"]


def test_the_environment_names_the_folder_and_an_argument_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "environment"))
    assert CountCache().path() == tmp_path / "environment" / "counts"
    assert CountCache(tmp_path / "argument").path() == tmp_path / "argument" / "counts"


def test_without_either_it_is_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROMPTSCOPE_CACHE", raising=False)
    monkeypatch.setattr("promptscope_engine.tokens.cache.own_folder", lambda use: tmp_path / use)
    assert CountCache().path() == tmp_path / "cache" / "counts"


def test_without_a_home_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROMPTSCOPE_CACHE", raising=False)
    monkeypatch.setattr("promptscope_engine.tokens.cache.own_folder", lambda use: Path("~") / use)
    monkeypatch.chdir(tmp_path)
    cache = CountCache()
    cache.put(key(1), 1)
    cache.flush()
    assert cache.path() is None
    assert cache.get(key(1)) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_file_and_the_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = CountCache(tmp_path)
    first.put(b"a" * 16, 1)
    first.flush()
    before = (tmp_path / "counts").read_bytes()
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        write(self, data[:7])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        first.put(b"b" * 16, 2)
        first.flush()
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("counts", before)]
    first.flush()  # there is room again
    assert CountCache(tmp_path).get(b"b" * 16) == 2


def test_20_000_counts_are_kept(tmp_path: Path) -> None:
    cache = CountCache(tmp_path)
    for number in range(20_001):
        cache.put(number.to_bytes(16, "big"), number)
    cache.flush()
    assert (tmp_path / "counts").stat().st_size == 20 + 20_000 * 20
    kept = CountCache(tmp_path)
    assert [kept.get(number.to_bytes(16, "big")) for number in (0, 1, 20_000)] == [None, 1, 20_000]
