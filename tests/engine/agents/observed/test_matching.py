"""Text that stands in a file is found: byte for byte, indented, wrapped, cut, beside tags."""

from __future__ import annotations

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.observed.gather.candidates import Candidate
from promptscope_engine.agents.observed.gather.locating import Found, locate, traced

FILE = """# House rules

Use tabs for indentation in every file of this repository.
Never commit a generated file, whatever it is called.

<!-- for people only: nobody sends this -->

## Tests

- Write one for each rule, and keep all of them fast.
- Name what a person would see.
"""
LINES = FILE.split("\n")


def find(*texts: str, file: str = FILE, kind: str = "claude-md") -> list[Found]:
    found = locate(texts, [(Candidate("/ws/CLAUDE.md", kind), file)])
    for text, parts in zip(texts, traced(texts, found), strict=True):
        assert "".join(part.text for part in parts) == text
        for part in parts:
            if part.path:
                assert part.start_line is not None
                assert part.text in "\n".join(file.split("\n")[part.start_line - 1 : part.end_line])
    return found


def lines(*texts: str, file: str = FILE, kind: str = "claude-md") -> list[tuple[int, int]]:
    return [each for found in find(*texts, file=file, kind=kind) for each in found.lines]


def test_a_whole_file_byte_for_byte() -> None:
    (found,) = find(f"Contents of it:\n\n{FILE}\n\nAnd more.")
    assert found.lines == [(1, 11)]
    assert len(found.pieces) == 1
    assert found.has_start
    assert found.has_end


def test_a_file_without_its_comment_is_two_stretches() -> None:
    sent = FILE.replace("<!-- for people only: nobody sends this -->\n\n", "")
    assert lines(sent) == [(1, 4), (8, 11)]


def test_an_indented_file_is_found_line_by_line() -> None:
    (found,) = find(textwrap.indent(FILE, "    "))
    assert found.lines == [(1, 11)]
    assert len(found.pieces) == len([line for line in LINES if line])


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
    (piece,) = found.pieces
    assert (piece.start, piece.end) == (0, 148)


def test_tags_beside_the_text_do_not_hide_it() -> None:
    assert lines(f"<rules>{FILE.strip()}</rules>") == [(1, 11)]
    assert lines("<rules>Use tabs.</rules>", file="Use tabs.\n") == [(1, 1)]


def test_a_short_file_has_to_fill_its_lines() -> None:
    assert lines("Rules:\nUse tabs.\nEnd.", file="Use tabs.\n") == [(1, 1)]
    assert lines("They said: Use tabs. Or not.", file="Use tabs.\n") == []


def test_a_text_that_is_sent_twice_is_found_twice() -> None:
    (found,) = find(FILE, f"again\n{FILE}")
    assert [piece.text for piece in found.pieces] == [0, 1]


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


def test_work_is_bounded_where_everything_repeats() -> None:
    (found,) = find("a b " * 5_000, file="a b " * 50_000)
    assert found.pieces


@given(st.text(alphabet="ab \n<>#-", max_size=200), st.text(alphabet="ab \n<>#-", max_size=200))
def test_the_pieces_are_verbatim_whatever_the_texts(sent: str, file: str) -> None:
    find(sent, sent + file, file + "\n" + sent, file=file)
