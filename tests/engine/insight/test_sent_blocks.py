"""Blocks of a prediction and of a capture side by side, and what of their lines nobody can predict."""

from __future__ import annotations

import pytest

from promptscope_engine.captures.model import Block as Sent
from promptscope_engine.captures.model import Content, Message, Protocol
from promptscope_engine.insight.sent_blocks import MARK, Block, Unpredictable, blocks_of, lines_of, paired

PLAIN = Unpredictable(())


def block(text: str, index: int = 0) -> Block:
    return Block("system", index, lines_of(text, PLAIN))


def pairs(ours: list[str], theirs: list[str]) -> list[tuple[str | None, str | None]]:
    found = paired([block(text) for text in ours], [block(text) for text in theirs])
    return [(one and one.masked, other and other.masked) for one, other in found]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (["a"], ["a"], [("a", "a")]),
        (["a"], [], [("a", None)]),
        ([], ["a"], [(None, "a")]),
        (["a", "b"], ["b"], [("a", None), ("b", "b")]),
        (["b"], ["a", "b"], [(None, "a"), ("b", "b")]),
        (["a", "b"], ["a"], [("a", "a"), ("b", None)]),
        (["a"], ["a", "b"], [("a", "a"), (None, "b")]),
        (["one", "b"], ["b", "one"], [(None, "b"), ("one", "one"), ("b", None)]),  # the longer line is worth more
        (["b", "one"], ["one", "b"], [("b", None), ("one", "one"), (None, "b")]),
        (["x\nx\nx"], ["x", "x\nx"], [(None, "x"), ("x\nx\nx", "x\nx")]),  # as often as both have it
        (["x" * 9], ["y" * 30, "z" * 8], [(None, "y" * 30), ("x" * 9, "z" * 8)]),  # nothing shared: by size
        (["x" * 9], ["y" * 8, "z" * 30], [("x" * 9, "y" * 8), (None, "z" * 30)]),
        (["x" * 9 + "\na"], ["y" * 11, "z\na"], [(None, "y" * 11), ("x" * 9 + "\na", "z\na")]),  # by what is shared
        (["", "abc"], ["abc"], [("", None), ("abc", "abc")]),
    ],
)  # fmt: skip
def test_blocks_that_share_most_stand_side_by_side(
    ours: list[str], theirs: list[str], expected: list[tuple[str | None, str | None]]
) -> None:
    assert pairs(ours, theirs) == expected


@pytest.mark.parametrize(
    ("mine", "theirs", "all_are_compared"), [(200, 199, True), (200, 200, True), (181, 221, False)]
)
def test_of_many_blocks_each_stands_beside_the_one_of_its_number(
    mine: int, theirs: int, all_are_compared: bool
) -> None:
    """40,000 pairs are compared with each other; of 40,001 nobody notices that the first block is missing."""
    ours = [block(f"{n}") for n in range(mine)]
    found = paired(ours, [block(f"{n}") for n in range(1, theirs + 1)])
    assert sum(one is not None and other is not None and one.masked == other.masked for one, other in found) == (
        min(theirs, 199) if all_are_compared else 0
    )
    assert (found[0][1] is None) is all_are_compared


def test_by_number_what_is_left_over_on_either_side_stands_alone() -> None:
    many, few = ([block(f"{n}") for n in range(size)] for size in (202, 200))
    assert paired(many, few)[199:] == [(many[199], few[199]), (many[200], None), (many[201], None)]
    assert paired(few, many)[199:] == [(few[199], many[199]), (None, many[200]), (None, many[201])]


@pytest.mark.parametrize(
    ("folders", "text", "masked"),
    [
        (("/home/u",), "/home/u/x", f"{MARK}/x"),
        (("/home/u/",), "/home/u/x", f"{MARK}/x"),
        (("/home/u",), "/home/u2 /home/u-x", "/home/u2 /home/u-x"),
        (("/home/u", "/home/u/shop"), "/home/u/shop/a", f"{MARK}/a"),
        (("/w",), "/w/a -w-", f"{MARK}/a -w-"),
        (("/",), "a / b", "a / b"),
        (("", None), "a", "a"),
        ((), "0123456 abcdefa 12ab34 1a2b3c4", f"0123456 abcdefa 12ab34 {MARK}"),
    ],
)
def test_folders_and_hashes_of_a_run_are_marks(folders: tuple[str | None, ...], text: str, masked: str) -> None:
    assert Unpredictable(folders).line(text) == masked


CHANGING = Unpredictable((), [[("run ", False), ("4711", True), (" of ", False), ("shop-1", True)], [("plain", False)]])


@pytest.mark.parametrize(
    ("line", "predicted", "masked"),
    [
        ("run 12 of bakery", "run 4711 of shop-1", f"run {MARK} of {MARK}"),
        ("run 4711 of shop-1", "run 4711 of shop-1", f"run {MARK} of {MARK}"),
        ("run 12 of the bakery", "run 12 of the bakery", "run 12 of the bakery"),
        ("run  of bakery", "run  of bakery", "run  of bakery"),
        ("plain", "plain", "plain"),
    ],
)
def test_a_line_with_values_that_change_is_the_predicted_one(line: str, predicted: str, masked: str) -> None:
    assert CHANGING.as_predicted(line) == predicted
    assert CHANGING.as_predicted(f"a\n{line}\nb") == f"a\n{predicted}\nb"
    assert CHANGING.line(line) == masked


def test_a_line_may_end_in_what_does_not_change() -> None:
    changing = Unpredictable((), [[("4711", True), (" is the run", False)]])
    assert changing.as_predicted("12 is the run") == "4711 is the run"
    assert changing.line("12 is the run") == f"{MARK} is the run"


def test_lines_have_places_and_sizes_without_marks() -> None:
    found = lines_of("one\n12:30\n\nend", PLAIN)
    assert [(line.offset, line.text, line.masked, line.size) for line in found] == [
        (0, "one", "one", 4),
        (4, "12:30", MARK, 1),
        (10, "", "", 1),
        (11, "end", "end", 3),  # no line feed behind it
    ]
    assert [(line.offset, line.text, line.size) for line in lines_of("", PLAIN)] == [(0, "", 0)]
    assert [line.size for line in lines_of("\n", PLAIN)] == [1, 0]


def test_a_block_is_as_long_as_it_was_sent() -> None:
    assert block("one\n12:30").length == 9
    assert block("").length == 0


@pytest.mark.parametrize(
    ("protocol", "system", "said"),
    [("responses", ["a", "late", "later"], ["hi"]), ("anthropic", ["a"], ["late", "hi", "later"])],
)
def test_what_developers_say_late_is_system_where_developers_speak(
    protocol: Protocol, system: list[str], said: list[str]
) -> None:
    messages = (
        Message("developer", (Sent("late"),)),
        Message("user", (Sent("hi"),)),
        Message("system", (Sent("later"),)),
    )
    found = blocks_of(Content(protocol, system=(Sent("a"),), messages=messages), PLAIN)
    assert [(each.channel, each.index, each.masked) for each in found["system"]] == [
        ("system", n, text) for n, text in enumerate(system)
    ]
    assert [(each.channel, each.index, each.masked) for each in found["messages"]] == [
        ("messages", n, text) for n, text in enumerate(said)
    ]
