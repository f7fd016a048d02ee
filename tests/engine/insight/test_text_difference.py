"""Two texts side by side: which lines belong together, and which of their words differ."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.insight.text_difference import LinePair, LineRun, hunks, line_runs, rising, text_difference

LINES = st.lists(st.sampled_from(["", "one two", "one three", "x", "a b c d", "a b c e"]), max_size=12)


def shown(pairs: tuple[LinePair, ...]) -> list[str]:
    """The pairs as `-old +new`, the words that differ in brackets."""
    marks = {"same": " ", "changed": "~", "removed": "-", "added": "+"}
    return [
        marks[pair.kind]
        + " | ".join(
            "".join(f"[{part.text}]" if part.marked else part.text for part in line.stretches)
            for line in (pair.before, pair.after)
            if line
        )
        for pair in pairs
        if pair.kind != "same"
    ]


def test_words_that_differ_are_marked() -> None:
    before = "# Shop\n\nUse pnpm for everything.\nThe end\n"
    after = "# Shop\n\nUse npm for everything, always.\nNew\nThe end\n"
    assert shown(text_difference(before, after)) == [
        "~Use [pnpm] for everything. | Use [npm] for everything[, always].",
        "+New",
    ]


def test_lines_that_have_little_in_common_are_no_pair() -> None:
    assert shown(text_difference("alpha beta gamma", "one two three")) == ["-alpha beta gamma", "+one two three"]
    assert shown(text_difference("", "one")) == ["+one"]
    assert shown(text_difference("one", "")) == ["-one"]
    assert shown(text_difference("one", "one\n")) == ["+"]
    assert text_difference("", "") == ()


@pytest.mark.slow
@given(LINES, LINES)
def test_runs_of_lines_have_every_line_and_those_are_equal_that_the_difference_finds_so(
    old: list[str], new: list[str]
) -> None:
    before, after = "\n".join(old), "\n".join(new)
    pairs, runs = text_difference(before, after), list(line_runs(before, after))
    same = [(p.before.number - 1, p.after.number - 1) for p in pairs if p.kind == "same" and p.before and p.after]
    assert [at for run in runs if run.equal for at in zip(run.before, run.after, strict=True)] == same
    assert [at for run in runs for at in run.before] == list(range(sum(p.before is not None for p in pairs)))
    assert [at for run in runs for at in run.after] == list(range(sum(p.after is not None for p in pairs)))


def test_a_line_is_paired_with_the_one_most_like_it() -> None:
    found = shown(text_difference("use tabs in go code", "a first line\nuse tabs in all code"))
    assert found == ["+a first line", "~use tabs in [go] code | use tabs in [all] code"]
    found = shown(text_difference("use tabs in go code", "use tabs in all code\nuse tabs for it all"))
    assert found == ["~use tabs in [go] code | use tabs in [all] code", "+use tabs for it all"]


@given(LINES, LINES)
def test_each_side_is_whole_and_in_order(old: list[str], new: list[str]) -> None:
    pairs = text_difference("\n".join(old), "\n".join(new))
    for lines, side in ((old, [p.before for p in pairs]), (new, [p.after for p in pairs])):
        found = [line for line in side if line]
        assert "\n".join(line.text for line in found) == "\n".join(lines)
        assert [line.number for line in found] == list(range(1, len(found) + 1))
    for pair in pairs:
        same = pair.before and pair.after and pair.before.text == pair.after.text
        assert bool(same) == (pair.kind == "same")


def test_hunks_have_context_and_join_where_they_touch() -> None:
    lines = [str(number) for number in range(30)]
    other = ["x" if number in (5, 9, 25) else line for number, line in enumerate(lines)]
    pairs = text_difference("\n".join(lines), "\n".join(other))
    spans = [[line.number for pair in hunk if (line := pair.before)] for hunk in hunks(pairs, 2)]
    assert spans == [[*range(4, 13)], [*range(24, 29)]]
    assert list(hunks(text_difference("a", "a"), 3)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\n" * 20_000, "b\na\n" * 20_000),
        ("\n".join(f"line {n}" for n in range(20_000)), "\n".join(f"line {n}" for n in range(10, 20_010))),
        ("a b " * 20_000, "b a " * 20_000),
        ("\n".join(f"a b c {n} " * 20 for n in range(300)), "\n".join(f"a b d {n} " * 20 for n in range(300))),
    ],
    ids=["repeated", "shifted", "one line", "every line"],
)
def test_strangers_texts_take_no_longer_than_a_moment(before: str, after: str) -> None:
    start = time.process_time()
    pairs = text_difference(before, after)
    assert time.process_time() - start < 5
    assert "\n".join(pair.before.text for pair in pairs if pair.before) == before


def test_a_long_text_keeps_its_equal_lines() -> None:
    old = [f"line {number}" for number in range(3_000)]
    new = [*old[:1_000], "inserted", *old[1_010:]]
    pairs = text_difference("\n".join(old), "\n".join(new))
    assert sum(pair.kind == "same" for pair in pairs) == 2_990
    assert sum(pair.kind == "removed" for pair in pairs) == 10


def test_a_longest_rising_run() -> None:
    assert rising([]) == []
    assert rising([4, 0, 1, 2, 3]) == [1, 2, 3, 4]
    assert rising([2, 1, 0]) == [2]
    assert rising([1, 2, 3, 0, 4]) == [0, 1, 2, 4]


def nested(levels: int) -> tuple[str, str]:
    """Two texts in which a line that both have can be told by only after so many others, one inside the other."""
    old, new = ([f"{side}{n}" for n in range(150)] for side in "xy")
    old, new = [*old, "found", *old], [*new, "found", *new]
    for level in range(levels):
        inner = [f"level {n}" for n in range(level)] + ["found"]
        old, new = [*old, f"level {level}", *inner, "x"], [*new, f"level {level}", *inner, "y"]
    return "\n".join(old), "\n".join(new)


@pytest.mark.parametrize(("levels", "is_found"), [(18, True), (19, True), (20, False)])
def test_lines_inside_of_others_are_told_by_up_to_a_depth(levels: int, is_found: bool) -> None:
    pairs = text_difference(*nested(levels))
    same = [pair.before.text for pair in pairs if pair.kind == "same" and pair.before]
    assert same.count("found") == levels + is_found


@pytest.mark.parametrize(("more", "is_compared"), [(-1, True), (0, True), (1, False)])
def test_short_texts_are_compared_line_by_line_with_every_other(more: int, is_compared: bool) -> None:
    """200 lines with 200: beyond it only lines that stand once on each side are looked for, and there are none."""
    old = ["x", *["a", "b"] * 99, "x"]
    new = ["y", *(["b", "a"] * 100)[: 198 + more], "y"]
    pairs = text_difference("\n".join(old), "\n".join(new))
    assert any(pair.kind == "same" for pair in pairs) is is_compared


@pytest.mark.parametrize("moved", ["old", "new"])
def test_the_first_lines_of_long_texts_are_compared_too(moved: str) -> None:
    common = [f"line {number}" for number in range(300)]
    one, other = ["twice", *common, "twice", "end"], ["zero", "twice", *common, "twice", "last"]
    old, new = (one, other) if moved == "new" else (other, one)
    pairs = text_difference("\n".join(old), "\n".join(new))
    assert sum(pair.kind == "same" for pair in pairs) == 302


def test_equal_texts_are_one_run() -> None:
    assert list(line_runs("a\nb", "a\nb")) == [LineRun(True, range(2), range(2))]
    assert list(line_runs("", "")) == []
    assert list(line_runs("a\nb", "x\nb")) == [
        LineRun(False, range(1), range(1)),
        LineRun(True, range(1, 2), range(1, 2)),
    ]
    assert list(line_runs("b", "b\nx")) == [LineRun(True, range(1), range(1)), LineRun(False, range(1, 1), range(1, 2))]


@pytest.mark.parametrize(
    ("old", "new", "are_a_pair"),
    [
        ("a b c d e", "a b x y z", True),  # two words of five on each side
        ("a b c d e", "a w x y z", False),
        ("a b c", "a x y", False),
        ("a b", "a x", True),
        ("", " ", False),
    ],
)
def test_lines_that_share_two_words_of_five_are_a_pair(old: str, new: str, are_a_pair: bool) -> None:
    kinds = [pair.kind for pair in text_difference(f"{old}\n=", f"{new}\n=")]
    assert kinds == (["changed", "same"] if are_a_pair else ["removed", "added", "same"])


@pytest.mark.parametrize(
    ("lines", "new", "are_pairs"), [(20, 19, True), (20, 20, True), (20, 21, False), (1, 400, True), (1, 401, False)]
)
def test_of_many_changed_lines_none_is_looked_for_its_like(lines: int, new: int, are_pairs: bool) -> None:
    """400 pairs of lines are compared with each other."""
    old = "\n".join(f"use tabs in {n}" for n in range(lines))
    found = text_difference(old, "\n".join(f"use tabs in x{n}" for n in range(new)))
    assert any(pair.kind == "changed" for pair in found) is are_pairs


def test_a_space_between_two_words_that_differ_differs_with_them() -> None:
    assert shown(text_difference("alpha beta of the same", "gamma delta of the same")) == [
        "~[alpha beta] of the same | [gamma delta] of the same"
    ]
    assert shown(text_difference("of the same alpha beta", "of the same gamma delta")) == [
        "~of the same [alpha beta] | of the same [gamma delta]"
    ]
    assert shown(text_difference("of alpha the same", "of  beta  the same")) == [
        "~of[ alpha ]the same | of[  beta  ]the same"
    ]
    assert shown(text_difference("the same ", "the same  ")) == ["~the same[ ] | the same[  ]"]


@pytest.mark.parametrize(
    ("old", "new", "are_told"), [(1_999, 2_001, True), (2_000, 2_000, False), (2_001, 2_001, False)]
)
def test_words_of_very_long_lines_are_not_told_apart(old: int, new: int, are_told: bool) -> None:
    """Four million pairs of words are too many; spaces count."""
    before, after = ("".join(f"w{n // 2}" if n % 2 == 0 else " " for n in range(size)) for size in (old, new))
    ((kind, left, right),) = [
        (pair.kind, pair.before, pair.after) for pair in text_difference(before, after.replace("w0", "v0"))
    ]
    assert kind == "changed"
    assert left is not None
    assert right is not None
    assert [left.stretches[0].text, right.stretches[0].text] == (
        ["w0", "v0"] if are_told else [before, after.replace("w0", "v0")]
    )


def test_the_first_and_the_last_line_are_context_too() -> None:
    pairs = text_difference("0\n1\n2\n3", "0\nx\n2\n3")
    (hunk,) = hunks(pairs, 2)
    assert [pair.before.number for pair in hunk if pair.before] == [1, 2, 3, 4]


@pytest.mark.parametrize(("second", "hunk_sizes"), [(10, [10]), (11, [5, 5])])
def test_hunks_that_touch_are_one(second: int, hunk_sizes: list[int]) -> None:
    """With two lines around each change: up to line 7 around the first one, from line 8 on around the second."""
    lines = [str(number) for number in range(20)]
    other = ["x" if number in (5, second) else line for number, line in enumerate(lines)]
    pairs = text_difference("\n".join(lines), "\n".join(other))
    assert [sum(pair.before is not None for pair in hunk) for hunk in hunks(pairs, 2)] == hunk_sizes
