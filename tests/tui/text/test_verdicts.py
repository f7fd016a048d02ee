"""Verdicts as lines: which nodes speak for themselves, and which are what joins their members."""

from __future__ import annotations

from promptscope_engine.prompt.model import Verdict
from promptscope_tui.text.reasons import how_many, lines_of


def leaf(text: str, *, ok: bool = True) -> Verdict:
    return Verdict("test", text, True, ok, ok, text)


def lines(verdict: Verdict) -> list[tuple[int, str, bool]]:
    return [(line.depth, line.text, line.ok) for line in lines_of(verdict)]


def node(op: str, text: str, *children: Verdict, ok: bool = True, name: str = "") -> Verdict:
    return Verdict(op, name, True, ok, ok, text, children)


def test_an_unnamed_all_at_the_root_is_its_members() -> None:
    assert lines(node("all", "", leaf("a"), leaf("b"))) == [(0, "a", True), (0, "b", True)]


def test_a_joint_says_what_it_asks_for() -> None:
    inner = node("any", "", leaf("a", ok=False), leaf("b", ok=False), ok=False)
    assert lines(inner)[0] == (0, "one of these", False)
    both = node("all", "", leaf("c"), leaf("d"))
    assert lines(node("any", "", leaf("a"), leaf("b"), both))[3] == (1, "all of these", True)


def test_a_joint_under_not_is_its_opposite() -> None:
    neither = node("any", "", leaf("a", ok=False), leaf("b", ok=False), ok=False)
    assert lines(node("not", "", neither)) == [(0, "a", True), (0, "b", True)], "each of them is not so"
    both = node("all", "", leaf("`x` is on"), leaf("`y` is on"))
    assert lines(node("not", "", both, ok=False)) == [
        (0, "all of these together", False), (1, "`x` is on", False), (1, "`y` is on", False)
    ]  # fmt: skip


def test_only_what_decides_is_said() -> None:
    enough = node("any", "", leaf("a"), leaf("b", ok=False), leaf("c"))
    assert lines(enough) == [(0, "one of these", True), (1, "a", True), (1, "c", True)]
    assert lines(node("any", "", leaf("a"), leaf("b", ok=False))) == [(0, "a", True)]
    lacks = node("all", "", leaf("a"), leaf("b", ok=False), ok=False)
    assert lines(node("any", "", lacks, leaf("c", ok=False), ok=False)) == [
        (0, "one of these", False), (1, "b", False), (1, "c", False)
    ]  # fmt: skip


def test_what_an_absent_thing_has_is_said_beside_what_it_lacks() -> None:
    there = node("flag", "d is on", node("any", "", leaf("e"), leaf("f")), name="d")
    assert lines(node("all", "", leaf("a"), there, leaf("b", ok=False), ok=False)) == [
        (0, "a", True), (0, "d is on", True), (0, "b", False)
    ]  # fmt: skip


def test_a_fact_has_one_mark() -> None:
    """Where it fits one condition and not another, it is what keeps the thing away."""
    version = leaf("the version is 2")
    wanted = node("all", "", version, node("not", "", version, ok=False), ok=False)
    assert lines(wanted) == [(0, "the version is 2", False)]


def test_a_name_without_words_of_its_own_has_no_line() -> None:
    inner = node("all", "b", leaf("a"), leaf("b", ok=False), ok=False)
    assert lines(node("file", "b", inner, name="x", ok=False)) == [(0, "a", True), (0, "b", False)]


def test_the_conditions_are_counted_where_the_tree_ends() -> None:
    bare = node("flag", "bare mode is off", leaf("--bare is not given"), leaf("BARE is not set"), name="bare")
    assert how_many(lines_of(node("all", "", bare, leaf("a")))) == 3
    assert how_many([]) == 0


def test_a_node_of_any_other_kind_says_its_own_sentence_without_a_name() -> None:
    version = node("version", "2.1.329 has it", leaf("the version is 2.1.329"))
    assert lines(version) == [(0, "2.1.329 has it", True), (1, "the version is 2.1.329", True)]


def test_a_joint_that_says_nothing_has_no_line() -> None:
    joint = node("all", "", leaf("a"), leaf("b"))
    assert lines(node("flag", "bare mode is off", joint, name="bare")) == [
        (0, "bare mode is off", True), (1, "a", True), (1, "b", True)
    ]  # fmt: skip
    assert lines(node("any", "", leaf("a"))) == [(0, "a", True)]
    assert lines(node("flag", "on", node("any", "", leaf("a"), leaf("b")), name="x"))[1] == (1, "one of these", True)


def test_nothing_is_said_twice() -> None:
    bare = node("flag", "bare mode is off", leaf("--bare is not given"), name="bare")
    assert lines(node("all", "", bare, leaf("a"), bare, leaf("b"))) == [
        (0, "bare mode is off", True), (1, "--bare is not given", True), (0, "a", True), (0, "b", True)
    ]  # fmt: skip
    assert lines(node("flag", "`X` is set", node("all", "", leaf("`X` is set"), leaf("c")), name="x")) == [
        (0, "`X` is set", True), (1, "c", True)
    ]  # fmt: skip
    assert lines(node("any", "", node("all", "", leaf("a"), leaf("b")), node("all", "", leaf("a"), leaf("c")))) == [
        (0, "one of these", True), (1, "all of these", True), (2, "a", True), (2, "b", True),
        (1, "all of these", True), (2, "a", True), (2, "c", True),
    ]  # fmt: skip
