"""What was made of files is kept until one of them is forgotten; no disk is needed for that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from promptscope_engine.workspace.memo import Memo


@pytest.fixture
def memo() -> Memo:
    return Memo()


def reading(memo: Memo, *paths: str) -> Callable[[], int]:
    numbers = count()

    def compute() -> int:
        memo.note_read(paths)
        return next(numbers)

    return compute


def test_a_value_is_computed_once(memo: Memo) -> None:
    compute = reading(memo)
    assert [memo.get("key", compute, tracked=False) for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("tracked", "forgotten", "is_kept"), [(True, "/b", True), (True, "/a", False), (False, "/b", False)]
)
def test_a_tracked_value_depends_on_the_files_that_were_read(
    memo: Memo, tracked: bool, forgotten: str, is_kept: bool
) -> None:
    compute = reading(memo, "/a")
    memo.get("key", compute, tracked=tracked)
    memo.forget([forgotten])
    assert (memo.get("key", compute, tracked=tracked) == 0) is is_kept


@pytest.mark.parametrize("inner_is_tracked", [True, False])
def test_a_value_depends_on_what_its_parts_depend_on(memo: Memo, inner_is_tracked: bool) -> None:
    inner, numbers = reading(memo, "/a"), count()

    def outer() -> int:
        memo.get("inner", inner, tracked=inner_is_tracked)
        return next(numbers)

    memo.get("outer", outer, tracked=True)
    memo.forget(["/b"])
    assert memo.get("outer", outer, tracked=True) == (0 if inner_is_tracked else 1)
    memo.forget(["/a"])
    assert memo.get("outer", outer, tracked=True) == (1 if inner_is_tracked else 2)


def test_a_computation_that_fails_leaves_no_trace(memo: Memo) -> None:
    def fail() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        memo.get("key", fail, tracked=True)
    assert memo.get("key", lambda: 7, tracked=True) == 7


def test_of_many_files_only_the_forgotten_are_made_again(memo: Memo) -> None:
    asked = tuple((f"/{number}.md", "key") for number in range(100))
    made: list[int] = []

    def make(index: int, text: str) -> str:
        made.append(index)
        return text

    first = memo.of_each(asked, make, str.upper)
    assert first[7] == "/7.MD"
    made.clear()
    assert memo.of_each(asked, make, str.upper) == first
    assert made == []
    memo.forget(["/7.md"])
    memo.of_each(asked, make, str.upper)
    assert made == [7]
    memo.forget_computed()
    assert memo.of_file("/8.md", "key", lambda: "new") == "/8.MD", "what was made of one file's content stays"
    memo.clear()
    assert memo.of_file("/8.md", "key", lambda: "new") == "new"


def test_equal_values_become_one_object(memo: Memo) -> None:
    first, second = [1], [1]
    assert memo.same("name", first) is first
    assert memo.same("name", second) is first
    assert memo.same("name", [True]) is not first, "True is 1, but is not written so"
