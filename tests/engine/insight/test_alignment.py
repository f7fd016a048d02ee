"""A prediction and a text are cut at the headings that both have; exact parts are found, and what is between them."""

from __future__ import annotations

import pytest

from promptscope_engine.insight import alignment
from promptscope_engine.insight.alignment import Cut, Heading, Item, Range, aligned, by_heading, matches

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


def spans(items: list[Item], text: str) -> list[str | None]:
    return [None if span is None else text[slice(*span)] for span in aligned(items, text)]


def prose(size: float) -> Item:
    return Item(None, size)


def test_prose_lies_between_what_is_exact() -> None:
    items = [Item("# A\n"), prose(5), Item("\n\n# B\n"), prose(5)]
    assert spans(items, "# A\nhello\n\n# B\nworld") == ["# A\n", "hello", "\n\n# B\n", "world"]


def test_of_several_places_the_one_counts_that_fits_the_expected_sizes() -> None:
    text = "aa\n\nbbbb\n\ncccccc"
    assert spans([prose(8), Item("\n\n"), prose(6)], text) == ["aa\n\nbbbb", "\n\n", "cccccc"]
    assert spans([prose(2), Item("\n\n"), prose(12)], text) == ["aa", "\n\n", "bbbb\n\ncccccc"]


def test_prose_beside_a_part_that_was_not_sent_is_not_certain() -> None:
    items = [Item("# A\n"), prose(5), Item("[gone]"), prose(5), Item("\n# B\n"), prose(3)]
    assert spans(items, "# A\nhello world\n# B\nend") == ["# A\n", None, None, None, "\n# B\n", "end"]


def test_a_text_with_too_many_places_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine places from the start, and from each of them to the end; and once from the start to the end."""
    items = [prose(2), Item("x"), prose(2)]
    monkeypatch.setattr(alignment, "MAX_STEPS", 19)
    assert set(aligned(items, "x" * 9)) != {None}
    monkeypatch.setattr(alignment, "MAX_STEPS", 18)
    assert set(aligned(items, "x" * 9)) == {None}


@pytest.mark.parametrize(("size", "is_found"), [(2_039, True), (2_040, True), (2_041, False)])
def test_prose_may_be_four_times_as_long_as_expected_and_so_much_longer(size: int, is_found: bool) -> None:
    found = spans([Item("#"), prose(10), Item("=")], "#" + "x" * size + "=")
    assert (found == ["#", "x" * size, "="]) is is_found


@pytest.mark.parametrize(("size", "is_found"), [(399, True), (400, True), (401, False)])
def test_so_much_may_stand_between_neighbours(size: int, is_found: bool) -> None:
    found = spans([Item("#" * 50), Item("=" * 50)], "#" * 50 + "x" * size + "=" * 50)
    assert (found == ["#" * 50, "=" * 50]) is is_found


@pytest.mark.parametrize(("off", "is_found"), [(999, True), (1_000, True), (1_001, False)])
def test_a_part_that_stands_far_from_where_it_is_expected_is_another_one(off: int, is_found: bool) -> None:
    """Left out it costs 2,000 and its length; where it is, each of its neighbours is so much off."""
    found = spans([prose(off), Item("##"), prose(0)], "##" + "x" * off)
    assert (found[1] == "##") is is_found


@pytest.mark.parametrize(("gone", "is_found"), [("ABC", True), ("ABCD", False)])
def test_three_parts_in_a_row_may_be_left_out(gone: str, is_found: bool) -> None:
    """They are in front of the first part, in the other order: none of them is where it is expected."""
    items = [Item("#" * 50), *map(Item, gone), Item("=")]
    found = spans(items, gone[::-1] + "#" * 50 + "=")
    assert (found[0] == "#" * 50) is is_found


@pytest.mark.parametrize(("size", "last"), [(3_999, 3_998), (4_000, 3_999), (4_001, 3_999)])
def test_only_the_first_places_of_a_part_are_looked_at(size: int, last: int) -> None:
    assert aligned([prose(size), Item("x")], "x" * size)[1] == (last, last + 1)


def test_parts_that_are_empty_or_not_there_have_no_place() -> None:
    assert aligned([], "text") == []
    assert aligned([prose(3)], "text") == [(0, 4)]
    assert aligned([Item("#"), Item("")], "#") == [(0, 1), (1, 1)]
    assert aligned([Item("gone"), prose(3)], "text") == [None, None]
