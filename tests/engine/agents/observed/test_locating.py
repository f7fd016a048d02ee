"""Text that is in a file is found: byte for byte, indented, wrapped, cut, beside tags."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.observed.gather import Candidate
from promptscope_engine.agents.observed.locating import LocatedFile, Match, locate, stretches, traced
from promptscope_engine.agents.observed.materials import FromFile

FILE = """# House rules

Use tabs for indentation in every file of this repository.
Never commit a generated file, whatever it is called.

<!-- for people only: nobody sends this -->

## Tests

- Write one for each rule, and keep all of them fast.
- Name what a person would see.
"""
LINES = FILE.split("\n")


def find(*texts: str, file: str = FILE, kind: str = "claude-md") -> list[LocatedFile]:
    found = locate(texts, [(Candidate("/ws/CLAUDE.md", kind), file)])
    for text, parts in zip(texts, traced(texts, found), strict=True):
        assert "".join(part.text for part in parts) == text
        assert all(part.text for part in parts)
        for part in parts:
            if part.origin.path:
                assert part.origin.start_line is not None
                assert part.text in "\n".join(file.split("\n")[part.origin.start_line - 1 : part.origin.end_line])
    return found


def lines(*texts: str, file: str = FILE, kind: str = "claude-md") -> list[tuple[int, int]]:
    return [each for found in find(*texts, file=file, kind=kind) for each in found.lines]


def test_a_whole_file_byte_for_byte() -> None:
    (found,) = find(f"Contents of it:\n\n{FILE}\n\nAnd more.")
    assert found.lines == [(1, 11)]
    assert len(found.matches) == 1
    assert found.has_start
    assert found.has_end


def test_a_file_without_its_comment_is_two_stretches() -> None:
    sent = FILE.replace("<!-- for people only: nobody sends this -->\n\n", "")
    assert lines(sent) == [(1, 4), (8, 11)]


def test_an_indented_file_is_found_line_by_line() -> None:
    (found,) = find(textwrap.indent(FILE, "    "))
    assert found.lines == [(1, 11)]
    assert len(found.matches) == len([line for line in LINES if line])


def test_a_wrapped_file_is_found() -> None:
    assert lines("\n".join(textwrap.fill(line, 30) for line in LINES)) == [(1, 11)]


def test_lines_that_were_joined_are_found() -> None:
    assert lines(" ".join(FILE.split())) == [(1, 11)]


def test_a_file_with_other_line_breaks_is_found() -> None:
    assert lines(FILE, file=FILE.replace("\n", "\r\n")) == [(1, 11)]


def test_a_file_that_is_cut_within_a_word() -> None:
    (found,) = find(f"{FILE[:148]}\n[…]")
    assert found.has_start
    assert not found.has_end
    (match,) = found.matches
    assert (match.start, match.end) == (0, 148)


def test_tags_beside_the_text_do_not_hide_it() -> None:
    assert lines(f"<rules>{FILE.strip()}</rules>") == [(1, 11)]
    assert lines("<rules>Use tabs.</rules>", file="Use tabs.\n") == [(1, 1)]


def test_a_short_file_has_to_fill_its_lines() -> None:
    assert lines("Rules:\nUse tabs.\nEnd.", file="Use tabs.\n") == [(1, 1)]
    assert lines("They said: Use tabs. Or not.", file="Use tabs.\n") == []


def test_a_text_that_is_sent_twice_is_found_twice() -> None:
    (found,) = find(FILE, f"again\n{FILE}")
    assert [match.text for match in found.matches] == [0, 1]


def test_common_phrases_are_no_part_of_a_source_file() -> None:
    source = 'HELP = "You are a helpful assistant."\n'
    assert lines("You are a helpful assistant. Be kind.", file=source, kind="") == []
    assert lines(f"before\n{FILE}", kind="") == [(1, 11)]


def test_of_two_files_with_one_text_the_named_one_is_the_origin() -> None:
    files = [(Candidate(f"/ws/{name}", "agents-md"), FILE) for name in ("AGENTS.md", "GEMINI.md")]
    (found,) = locate([f"--- Context from: /ws/GEMINI.md ---\n{FILE}"], files)
    assert found.candidate.path == "/ws/GEMINI.md"


def test_of_two_files_the_one_with_the_longer_stretch_is_the_origin() -> None:
    part = "\n".join(LINES[2:4])
    files = [(Candidate("/ws/a.md", "rules"), part), (Candidate("/ws/b.md", "rules"), FILE)]
    (found,) = locate([FILE], files)
    assert found.candidate.path == "/ws/b.md"


@pytest.mark.slow
def test_work_is_bounded_where_everything_repeats() -> None:
    (found,) = find("a b " * 5_000, file="a b " * 50_000)
    assert found.matches


# --- edges ------------------------------------------------------------------------------------------------------------

WORDS = ("this", "line", "is", "said", "in", "no", "other", "place")
GUIDE = [" ".join(f"{word}-{number}" for word in WORDS) for number in range(12)]


def of_guide(*numbers: int, before: str = "") -> list[tuple[int, int]]:
    """Which lines of the guide are found where these were sent."""
    return lines(before + "\n".join(GUIDE[n] for n in numbers), file="\n".join(GUIDE))


def test_a_sentence_from_the_middle_is_a_coincidence_unless_its_file_is_named() -> None:
    assert of_guide(0) == [(1, 1)]
    assert of_guide(5) == [(6, 6)]  # the head of a file is its first lines
    assert of_guide(6) == []
    assert of_guide(6, before="From CLAUDE.md:\n") == [(7, 7)]
    assert of_guide(6, 7) == []
    assert of_guide(6, 7, 8) == []
    assert of_guide(6, 7, 8, 9) == [(7, 10)]  # long enough to be none
    assert of_guide(6, 0) == [(1, 1), (7, 7)]


@pytest.mark.parametrize(("chars", "is_found"), [(159, False), (160, True), (161, True)])
def test_so_long_a_stretch_is_no_coincidence(chars: int, is_found: bool) -> None:
    stretch = " ".join(f"{number:04}" for number in range(40))[: chars - 1].rstrip().ljust(chars, "x")
    file = "\n".join([*(f"{number} of the first lines" for number in range(6)), stretch, "the last words"])
    assert bool(lines(f"Before it.\n{stretch}\nBehind it.", file=file)) is is_found


@pytest.mark.parametrize(("far", "is_found"), [(391, True), (392, True), (393, False)])
def test_a_name_counts_so_near(far: int, is_found: bool) -> None:
    assert bool(of_guide(6, before="\nCLAUDE.md" + "\n".rjust(far - 1, "-"))) is is_found


@pytest.mark.parametrize(("chars", "is_found"), [(39, False), (40, True), (41, True)])
def test_a_whole_file_that_is_no_instruction_has_to_be_so_long(chars: int, is_found: bool) -> None:
    file = "a b c d e f g ".ljust(chars + 7, "x")  # white space does not count
    assert bool(lines(f"Before.\n{file}\nBehind.", file=file, kind="")) is is_found


@pytest.mark.parametrize(
    ("words", "is_found"),
    [("w" * 9 + " ", False), ("w" * 10 + " ", True), ("v" * 7 + " ", False), ("v" * 8 + " ", True)],
)
def test_a_part_of_a_file_that_is_no_instruction_has_to_be_so_long(words: str, is_found: bool) -> None:
    length = 10 if "v" in words else len(words) - 1  # ten words of so many characters, or so many words of ten
    size = len(words) - 1 if "v" in words else 10
    part = " ".join(f"{number}".rjust(size, "x") for number in range(length))
    assert bool(lines(f"Before.\n{part}\nBehind.", file=f"{part}\nmore", kind="")) is is_found


@pytest.mark.parametrize(
    ("file", "is_found"), [("ab", False), ("abc", True), ("abcd", True), ("a b", False), ("a b c", True)]
)
def test_the_shortest_file_that_is_found(file: str, is_found: bool) -> None:
    assert bool(lines(f"Before.\n{file}\nBehind.", file=file)) is is_found


@pytest.mark.parametrize(
    ("sent", "is_found"),
    [("{}", True), ("Use\n{}\nnow", True), ("Use\n {} \nnow", True), ("Use {}", False), ("{} now", False)],
)
@pytest.mark.parametrize("chars", [23, 24])
def test_a_file_of_few_characters_has_to_fill_its_lines(sent: str, is_found: bool, chars: int) -> None:
    file = "four words in it".ljust(chars + 3, "x")  # white space does not count
    assert bool(lines(sent.format(file), file=file)) is (is_found or chars == 24)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("<a>eleven twelve thirteen fourteen fifteen sixteen</a>", "eleven twelve thirteen fourteen fifteen sixteen"),
        (
            "<a>eleven twelve thirteen fourteen fifteen sixteen seventeen",
            "eleven twelve thirteen fourteen fifteen sixteen seventeen",
        ),
        (
            "Xeleven twelve thirteen fourteen fifteen sixteen seventeen",
            "twelve thirteen fourteen fifteen sixteen seventeen",
        ),
        (
            "eleven twelve thirteen fourteen fifteen sixteen seven",
            "eleven twelve thirteen fourteen fifteen sixteen seven",
        ),
        (
            "eleven twelve thirteen fourteen fifteen sixteen seventeenX",
            "eleven twelve thirteen fourteen fifteen sixteen",
        ),
        ("eleven twelve thirteen fourteen fifteen sixteen seven.", "eleven twelve thirteen fourteen fifteen sixteen"),
        (
            "eleven twelve thirteen fourteen fifteen sixteen seventeen.",
            "eleven twelve thirteen fourteen fifteen sixteen seventeen",
        ),
        (
            "(eleven twelve thirteen fourteen fifteen sixteen seventeen)",
            "eleven twelve thirteen fourteen fifteen sixteen seventeen",
        ),
    ],
)
def test_a_word_beside_other_signs(sent: str, text: str) -> None:
    found = find(sent, file="eleven twelve thirteen fourteen fifteen sixteen seventeen eight nine ten")
    assert ["".join(sent[match.start : match.end] for match in each.matches) for each in found] == [text]


def test_which_of_two_names_is_nearer() -> None:
    files = [(Candidate(path, "agents-md"), FILE) for path in ("/a/x/AGENTS.md", "/b/x/AGENTS.md", "/a/y/AGENTS.md")]
    for said, wanted in (
        ("/b/x/AGENTS.md", "/b/x/AGENTS.md"),
        ("y/AGENTS.md", "/a/y/AGENTS.md"),
        ("AGENTS.md", "/a/x/AGENTS.md"),
        ("nothing", "/a/x/AGENTS.md"),
    ):
        (found,) = locate([f"From {said}:\n\n{FILE}"], files)
        assert found.candidate.path == wanted, said


@pytest.mark.parametrize("longer", ["", "a longer beginning of "])
def test_files_that_follow_each_other_without_a_space_are_both_found(longer: str) -> None:
    one, two = f"{longer}eleven twelve thirteen fourteen (fifteen)", "<sixteen> seventeen eighteen nineteen twenty"
    found = locate([one + two], [(Candidate("/ws/a.md", "rules"), one), (Candidate("/ws/b.md", "rules"), two)])
    assert {each.candidate.path: [(p.start, p.end) for p in each.matches] for each in found} == {
        "/ws/a.md": [(0, len(one))],
        "/ws/b.md": [(len(one), len(one + two))],
    }


def test_an_instruction_file_is_the_origin_rather_than_a_copy_of_it() -> None:
    files = [(Candidate("/ws/a.txt", ""), FILE), (Candidate("/ws/docs/AGENTS.md", "agents-md"), FILE)]
    (found,) = locate([FILE], files)
    assert found.candidate.path == "/ws/docs/AGENTS.md"


def test_neighbouring_stretches_of_a_file_are_one_and_short_ones_none() -> None:
    sent = f"{GUIDE[0]}\n{'-' * 100}\n{GUIDE[1]}\n{'-' * 500}\n{GUIDE[2]}\n{GUIDE[3]}"
    found = find(sent, "other", file="\n".join(GUIDE))
    one, two = stretches(0, found)
    assert (one.start, one.end) == (0, sent.index(GUIDE[1]) + len(GUIDE[1]))
    assert (two.start, two.end) == (sent.index(GUIDE[2]), len(sent))
    assert stretches(1, found) == ()
    assert stretches(0, find("Use tabs.", file="Use tabs.")) == ()


@given(st.text(alphabet="ab \n<>#-", max_size=200), st.text(alphabet="ab \n<>#-", max_size=200))
def test_the_pieces_are_verbatim_whatever_the_texts(sent: str, file: str) -> None:
    find(sent, sent + file, file + "\n" + sent, file=file)


def placed(*places: tuple[int, int], path: str = "/ws/CLAUDE.md") -> LocatedFile:
    """A file whose matches are at these characters of the first text."""
    return LocatedFile(Candidate(path, "claude-md"), "", tuple(Match(0, start, end, 1, 1) for start, end in places))


@pytest.mark.parametrize(("length", "is_part"), [(59, False), (60, True), (61, True)])
def test_so_long_a_stretch_is_a_part_of_its_own(length: int, is_part: bool) -> None:
    assert stretches(0, [placed((5, 5 + length))]) == ((FromFile(5, 5 + length, "/ws/CLAUDE.md"),) if is_part else ())


@pytest.mark.parametrize(("gap", "count"), [(0, 1), (399, 1), (400, 2), (401, 2)])
def test_stretches_so_near_are_one(gap: int, count: int) -> None:
    found = stretches(0, [placed((0, 100), (100 + gap, 200 + gap))])
    assert [(each.start, each.end) for each in found] == (
        [(0, 200 + gap)] if count == 1 else [(0, 100), (100 + gap, 200 + gap)]
    )


def test_stretches_of_two_files_stay_apart() -> None:
    found = stretches(0, [placed((0, 100), (200, 300)), placed((100, 200), path="/ws/AGENTS.md")])
    assert [(each.start, each.end, each.path) for each in found] == [
        (0, 100, "/ws/CLAUDE.md"), (100, 200, "/ws/AGENTS.md"), (200, 300, "/ws/CLAUDE.md"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("matches", "text", "start", "end", "lines"),
    [
        ([(1, 3)], "a\nb\nc", True, True, [(1, 3)]),
        ([(1, 2)], "a\nb\nc", True, False, [(1, 2)]),
        ([(2, 3)], "a\nb\nc", False, True, [(2, 3)]),
        ([(2, 2)], "a\nb\nc\n\n", False, False, [(2, 2)]),
        ([(2, 3)], "\nb\nc\n\n", True, True, [(2, 3)]),
        ([(1, 1), (2, 2)], "a\nb\nc", True, False, [(1, 2)]),
        ([(1, 1), (3, 3)], "a\n \nc", True, True, [(1, 3)]),
        ([(1, 1), (3, 3)], "a\nb\nc", True, True, [(1, 1), (3, 3)]),
        ([(1, 3), (2, 2)], "a\nb\nc", True, True, [(1, 3)]),
    ],
)
def test_which_lines_of_a_file_were_found(
    matches: list[tuple[int, int]], text: str, start: bool, end: bool, lines: list[tuple[int, int]]
) -> None:
    found = LocatedFile(Candidate("/f", ""), text, tuple(Match(0, 0, 1, first, last) for first, last in matches))
    assert (found.has_start, found.has_end, found.lines) == (start, end, lines)


# --- how much is looked at --------------------------------------------------------------------------------------------

OTHERS = [f"word-{number}" for number in range(4_000)]


@pytest.mark.parametrize("file", ["Use tabs.\n", " ".join(OTHERS[:20])])
@pytest.mark.parametrize(("times", "found"), [(7, 7), (8, 8), (9, 8)])
def test_a_file_is_found_in_eight_places(file: str, times: int, found: int) -> None:
    assert sum(len(each.matches) for each in find(*[file] * times, file=file)) == found


@pytest.mark.parametrize(
    ("words", "start", "is_found"),
    [(4_000, 1, True), (4_000, 3_996, True), (4_001, 0, True), (4_001, 1, False), (4_001, 3_996, True)],
)
def test_in_a_long_file_only_every_fourth_word_begins_a_run(words: int, start: int, is_found: bool) -> None:
    file = " ".join([*OTHERS, "last"][:words])
    assert bool(lines(" ".join(OTHERS[start : start + 4]), file=file)) is is_found


@pytest.mark.parametrize(("times", "found"), [(7, 7), (8, 8), (9, 8)])
def test_a_short_file_between_signs_is_found_in_eight_places_of_a_text(times: int, found: int) -> None:
    assert sum(len(each.matches) for each in find("<rules>Use tabs.</rules>\n" * times, file="Use tabs.\n")) == found


def test_a_run_in_a_long_file_begins_where_it_begins() -> None:
    file = " ".join([*OTHERS, "last"])
    sent = f"before {' '.join(OTHERS[1:9])} behind"
    assert [sent[match.start : match.end] for each in find(sent, file=file) for match in each.matches] == [
        " ".join(OTHERS[1:9])
    ]


def test_a_run_may_begin_within_the_words_that_end_another() -> None:
    file = " ".join(OTHERS[:7])
    one, two = " ".join(OTHERS[:5]), " ".join(OTHERS[2:6])
    assert [match.text for each in find(one, two, file=file) for match in each.matches] == [0, 1]


@pytest.mark.parametrize(("length", "is_found"), [(2, False), (3, True), (2_000, True), (2_001, False)])
def test_a_word_between_signs_is_found_if_it_is_so_long(length: int, is_found: bool) -> None:
    assert bool(lines(f"<rules>{'x' * length}</rules>", file="x" * length)) is is_found


@pytest.mark.parametrize(
    ("file", "place"), [("\nUse tabs.\n", (2, 2)), ("Use\ntabs.", (1, 2)), (" \n \nUse tabs.", (3, 3))]
)
def test_a_short_file_between_signs_has_its_lines(file: str, place: tuple[int, int]) -> None:
    assert lines(f"<rules>{file.strip()}</rules>", file=file) == [place]


def test_between_signs_only_instructions_are_found() -> None:
    assert lines("<rules>Use tabs.</rules>", file="Use tabs.", kind="") == []
    assert lines("<rules>xUse tabs.</rules> Use tabs.x", file="Use tabs.") == []


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("leven twelve thirteen fourteen fifteen", "leven twelve thirteen fourteen fifteen"),
        ("twelve thirteen fourteen fifteen ", "twelve thirteen fourteen fifteen"),
        ("twelve thirteen fourteen fifteen sixteen.x", "twelve thirteen fourteen fifteen sixteen"),
        ("twelve  thirteen fourteen fifteen", "twelve|thirteen fourteen fifteen"),
        ("twelve thirteen fourteen  fifteen", "twelve thirteen fourteen|fifteen"),
    ],
)
def test_where_a_run_begins_and_ends(sent: str, text: str) -> None:
    found = find(sent, file="\neleven twelve thirteen fourteen fifteen sixteen")
    assert "|".join(sent[match.start : match.end] for each in found for match in each.matches) == text


@pytest.mark.parametrize(("length", "is_found"), [(29, False), (30, True), (31, True)])
def test_what_is_left_over_of_a_stretch_counts_if_it_is_half_of_it(length: int, is_found: bool) -> None:
    one, two = "one two three four five six s".ljust(30, "x"), "six five four three two one s".ljust(length, "x")
    longer = f"{'this file begins with more words than that ' * 2}{one}"
    files = [(Candidate("/ws/a.md", "rules"), longer), (Candidate("/ws/b.md", "rules"), f"{one}\n{two}")]
    found = {each.candidate.path: len(each.matches) for each in locate([f"{longer}\n  {two}"], files)}
    assert found == {"/ws/a.md": 1} | ({"/ws/b.md": 1} if is_found else {})
