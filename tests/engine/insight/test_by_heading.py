"""A prediction and a text are cut at the headings that both have."""

from __future__ import annotations

import pytest

from promptscope_engine.insight.by_heading import Cut, Heading, Range, by_heading, matches

A, B, C = Heading("a", "# A"), Heading("b", "# B"), Heading("c", "# C")
ABSENT = Heading("x", "# X", present=False)
OURS = ["-hello", "a# A", "ax", "b# B", "by", "c# C", "cz"]
"""Lines, each with its section before it."""


def cut(headings: list[Heading], theirs: str, ours: list[str] = OURS, *, alike: bool = True) -> Cut:
    """The text's lines are parted by slashes."""
    return by_heading(headings, [(line[0], line[1:]) for line in ours], theirs.split("/"), lambda *_: alike)


def by_section(found: Cut, ours: list[str] = OURS) -> dict[str, tuple[Range, Range]]:
    """The pairs by the section that their first own line is of."""
    return {ours[mine[0]][0]: (mine, its) for mine, its in found.pairs if mine[0] < mine[1]}


def test_each_section_is_paired_with_the_lines_up_to_the_next_heading() -> None:
    found = cut([A, B, C], "hi/you/# A/1/2/# B/# C/3")
    assert found.pairs == (((0, 1), (0, 2)), ((1, 3), (2, 5)), ((3, 5), (5, 6)), ((5, 7), (6, 8)))
    assert (found.extra, found.missing, found.moved, found.last, found.end) == ((), frozenset(), {}, "c", "c")


def test_a_text_without_any_heading_is_one_span() -> None:
    found = cut([A, B, C], "hi/you")
    assert found == Cut((((0, 7), (0, 2)),), (), frozenset("abc"), {}, None, None)
    assert cut([], "hi").missing == frozenset()


def test_a_section_whose_heading_is_missing_belongs_to_the_one_before_it() -> None:
    found = cut([A, B, C], "hi/# A/1/# C/3")
    assert found.pairs == (((0, 1), (0, 1)), ((1, 5), (1, 3)), ((5, 7), (3, 5)))
    assert (found.missing, found.last) == (frozenset("b"), "c")


def test_a_section_that_is_not_predicted_is_extra() -> None:
    found = cut([A, ABSENT, B, C], "hi/# A/1/# X/new/# B/2/# C/3")
    assert found.extra == (("x", (3, 5)),)
    assert by_section(found)["a"] == ((1, 3), (1, 3))
    assert (found.missing, found.last, found.end) == (frozenset(), "c", "c")
    last = cut([A, B, C, ABSENT], "# A/1/# B/# C/# X")
    assert (last.extra, last.last, last.end) == ((("x", (4, 5)),), "c", None)
    assert cut([A, ABSENT], "# A").missing == frozenset(), "what is not predicted is not missed"


def test_a_section_that_begins_with_its_own_words_is_not_missed() -> None:
    assert cut([A, Heading("b", "# B", is_text=True), C], "# A/# C").missing == frozenset()
    assert cut([A, Heading("b", "# B", is_text=True), C], "# A/# B/# C").pairs[2] == ((3, 5), (1, 2))


def test_a_heading_that_its_section_does_not_have_is_not_looked_for() -> None:
    found = cut([A, Heading("b", "# Other"), C], "# A/# Other/# C")
    assert (found.missing, by_section(found)["a"]) == (frozenset("b"), ((1, 5), (0, 2)))


@pytest.mark.parametrize(
    ("theirs", "moved", "last", "end"),
    [
        ("hi/# C/3/# A/1/# B/2", {"c": ""}, "b", "b"),
        ("hi/# B/2/# A/1/# C/3", {"a": "b"}, "c", "c"),
        ("hi/# A/1/# C/3/# B/2", {"b": "c"}, "c", "b"),
    ],
)
def test_a_section_that_stands_elsewhere_is_moved(theirs: str, moved: dict[str, str], last: str, end: str) -> None:
    found = cut([A, B, C], theirs)
    lines = theirs.split("/")
    assert (found.moved, found.missing, found.last, found.end) == (moved, frozenset(), last, end)
    assert {name: its for name, (_, its) in by_section(found).items() if name != "-"} == {
        name: (lines.index(f"# {name.upper()}"), lines.index(f"# {name.upper()}") + 2) for name in "abc"
    }


def test_what_is_not_alike_is_not_moved_but_missing() -> None:
    found = cut([A, B, C], "# C/3/# A/1/# B/2", alike=False)
    assert (found.moved, found.missing, found.last) == ({}, frozenset("c"), "b")
    assert found.pairs[0][1] == (0, 2), "its lines stand before the first section"


def test_of_lines_that_stand_elsewhere_only_a_single_one_counts() -> None:
    assert cut([A, B, C], "# C/# C/# A/# B").missing == frozenset("c")
    assert cut([A, B, C], "# C/# A/# B").missing == frozenset()
    absent = Heading("x", "# X", present=False)
    assert cut([absent, A, B], "# A/# B/# X").extra == (), "what is not predicted is not looked for elsewhere"


@pytest.mark.parametrize(("before", "is_in_order"), [(98, True), (99, True), (100, False)])
def test_the_first_hundred_lines_of_a_text_may_be_a_heading(before: int, is_in_order: bool) -> None:
    """With so many lines before the section's, the one behind the other section is the hundredth at most."""
    found = cut([B, A], "/".join([*["# A"] * before, "# B", "# A"]), ["b# B", "a# A"])
    ends = [its for mine, its in found.pairs if mine != (0, 0)]
    assert (ends == [(before, before + 1), (before + 1, before + 2)]) is is_in_order


RULED = ["-hello", "-", "a====", "a", "a# A", "ax", "b# B"]


@pytest.mark.parametrize(
    ("theirs", "start"),
    [
        ("hi/====//# A/1", 1),
        ("hi///====//# A/1", 3),  # as many lines as the section has in the prediction: the blank ones are the intro's
        ("hi//# A/1", 1),
        ("hi/# A/1", 1),
        ("====//# A/1", 0),
        ("//# A/1", 0),
        ("hi/a rule ==/# A/1", 2),
    ],
)
def test_a_rule_above_a_heading_is_its_section_s(theirs: str, start: int) -> None:
    """The section of the prediction has two lines above its heading."""
    found = cut([A, B], theirs, RULED)
    assert found.pairs == (((0, 2), (0, start)), ((2, 7), (start, len(theirs.split("/")))))


@pytest.mark.parametrize(
    ("ours", "start"),
    [
        (["-hello", "-", "a# A"], 2),  # the blank line is another section's
        (["a", "a# A"], 0),
        (["a====", "a", "a# A"], 0),
        (["aintro", "a", "a# A"], 1),
        (["a# A"], 0),
        (["a# A", "a"], 0),
    ],
)
def test_lines_above_a_heading_are_its_own_as_far_as_they_are_of_its_section(ours: list[str], start: int) -> None:
    assert cut([A], "# A", ours).pairs[1][0] == (start, len(ours))


@pytest.mark.parametrize(
    ("theirs", "extra"),
    [
        ("# A/1/====//# X/new", (2, 6)),
        ("# A/1///====//# X/new", (4, 8)),
        ("# A/1///# X/new", (4, 6)),
        ("====/# X/new", (0, 3)),
        ("//# X/new", (2, 4)),
        ("# X/new/====", (0, 3)),
    ],
)
def test_above_what_is_not_predicted_the_rule_is_its_own_and_blank_lines_are_not(theirs: str, extra: Range) -> None:
    assert cut([A, ABSENT], theirs).extra == (("x", extra),)


def test_predicted_headings_are_counted_once() -> None:
    assert matches([A, Heading("a2", "# A"), B, ABSENT], ["# A", "# A", "# X", "text"]) == (1, 2)
    assert matches([], ["# A"]) == (0, 0)
