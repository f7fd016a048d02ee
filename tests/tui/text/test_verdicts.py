"""Verdicts as lines: which nodes speak for themselves, and which are what joins their members."""

from __future__ import annotations

from promptscope_engine.prompt.model import Verdict
from promptscope_tui.text.reasons import lines_of


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
    assert lines(node("any", "", leaf("c"), node("all", "", leaf("a", ok=False), leaf("b"), ok=False)))[2] == (
        1, "all of these", False
    )  # fmt: skip


def test_a_joint_under_not_prints_as_not() -> None:
    neither = node("any", "", leaf("a", ok=False), leaf("b", ok=False), ok=False)
    assert lines(node("not", "", neither)) == [(0, "a", True), (0, "b", True)], "each of them is not so"
    both = node("all", "", leaf("`x` is on"), leaf("`y` is on"))
    assert lines(node("not", "", both, ok=False)) == [
        (0, "not all of these", False), (1, "`x` is on", True), (1, "`y` is on", True)
    ]  # fmt: skip


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
