"""Files that a pattern names, as npm's `glob` has them; literal exports; binary files, as `isbinaryfile` judges."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.javascript.packages import exports, globbed, is_binary
from promptscope_engine.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in ("a.md", ".b.md", "docs/c.md", "docs/deep/d.md", "docs/e.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    (tmp_path / "link").symlink_to("docs")
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("a.md", ["a.md"]),
        ("*.md", [".b.md", "a.md"]),
        ("docs/*.{md,txt}", ["docs/c.md", "docs/e.txt"]),
        ("**/d.md", ["docs/deep/d.md"]),
        ("link/*.md", ["link/c.md"]),
        ("docs", []),
    ],
)
def test_files_are_named_with_hidden_ones_and_through_links_that_are_written_out(
    folder: Path, pattern: str, named: list[str]
) -> None:
    workspace = Workspace()
    workspace.allow([str(folder)])
    found = globbed(workspace, str(folder), pattern, most=10)
    assert [path.removeprefix(f"{folder}/") for path in found] == named


def test_a_pattern_names_no_more_files_than_it_may(folder: Path) -> None:
    workspace = Workspace()
    workspace.allow([str(folder)])
    assert len(globbed(workspace, str(folder), "**", most=2)) == 2


def test_objects_by_their_names() -> None:
    text = "export const a = {description: 'one'}\nconst b = {}\nexport default {description: \"two\", args: {x: {}}}\n"
    assert [(each.name, each.value("description")) for each in exports(text)] == [("a", "one"), ("", "two")]


def test_the_argument_of_a_function_counts() -> None:
    [found] = exports("export default tool({ args: {a: {type: 'string'}}, async execute() { return '}' } })")
    assert found.value("args") == {"a": {"type": "string"}}


@pytest.mark.parametrize("text", ["export default {description: made()}", "export default {args: {a: made()}}"])
def test_what_is_made_when_it_runs_is_not_known(text: str) -> None:
    [found] = exports(text)
    assert found.value("description") is None
    assert found.value("args") is None


@pytest.mark.parametrize(
    ("content", "binary"),
    [
        (b"", False),
        (b"text\n", False),
        (b"a\0b", True),
        (b"%PDF-1.7 text", True),
        (b"\xef\xbb\xbf\0", False),
        (b"\xff\xfea\0b\0", False),
        (b"\x84\x31\x95\x33\0", False),
        ("é€😀".encode() * 9, False),
        (b"caf\xe9", True),
        (b"a" * 100 + b"\xe9", False),
        # The last byte that continues a character, and the first that does not.
        (b"\xc3\xbf" * 20, False),
        (b"\xc3\xc0" * 20, True),
        (b"a" * 600 + b"\0", False),
        # Each byte that begins no character counts: 22 in 202 are more than a tenth.
        (b"a" * 180 + b"\x80\x80" * 11, True),
        (b"g" * 180 + b"\x80\x80" * 11, True),
        (b"g" * 180 + b"\x80g" * 11, False),
        # A byte that begins a character takes the next one along, also if that is none.
        (b"g" * 180 + b"\xc3\xc3" * 11, False),
        (b"g" * 180 + b"\xe2gg" * 11, False),
        (b"g" * 179 + b"\x80" * 20, True),
        (b"g" * 180 + b"\x80" * 20, False),
        (b"\x01" + b"a" * 8, True),
        # A few control characters in what reads as protobuf: field 1, a text of 44 bytes.
        (b"\x0a\x2c" + b"a" * 40 + b"\x01\x02\x03\x04", True),
        (b"\x0b\x2c" + b"a" * 40 + b"\x01\x02\x03\x04", False),
    ],
)
def test_bytes(content: bytes, binary: bool) -> None:
    assert is_binary(content) is binary


@pytest.mark.parametrize(
    ("byte", "is_text"),
    [(1, False), (6, False), (7, True), (14, True), (15, False), (31, False), (32, True), (127, True), (128, False)],
)
def test_bytes_of_a_text(byte: int, is_text: bool) -> None:
    assert is_binary(b"g" * 8 + bytes([byte])) is not is_text, "one in nine is more than a tenth"
    assert not is_binary(b"g" * 9 + bytes([byte])), "one in ten is not"


@pytest.mark.parametrize(
    ("sequence", "is_text"),
    [
        ("bf 80", False), ("c0 80", True), ("df bf", True), ("e0 80", False), ("e0 80 80", True), ("ef bf bf", True),
        ("f0 80 80", False), ("f0 80 80 80", True), ("f7 bf bf bf", True), ("f8 80 80 80", False), ("c0 7f", False),
    ],
)  # fmt: skip
def test_sequences_of_utf_8(sequence: str, is_text: bool) -> None:
    assert is_binary(b"ggggg" + bytes.fromhex(sequence)) is not is_text


def test_a_broken_sequence_takes_one_byte_along() -> None:
    assert is_binary(b"g" * 120 + b"\xc3g\x80" * 10)


@pytest.mark.parametrize("at", [511, 512])
def test_the_first_bytes_are_looked_at(at: int) -> None:
    assert is_binary(b"g" * at + b"\0") is (at == 511)


TEXT = b"\x0a\x3c" + b"g" * 60
"""A field that is a text of 60 bytes."""


@pytest.mark.parametrize(
    ("content", "binary"),
    [
        (b"\x0a\x2c" + b"g" * 43 + b"\x01", False),  # one control character is none too many
        (b"\x0a\x2c" + b"g" * 42 + b"\x01\x02", True),
        (b"\x08\x01\x08\x02" + TEXT, True),
        (b"\x09\x01\x02gggggg" + TEXT, True),
        (b"\x0d\x01\x02gg" + TEXT, True),
        (b"\x0b\x01\x02gg" + TEXT, False),
        (b"\x0a\x7f" + b"g" * 40 + b"\x01\x02", False),  # cut off before the end of the first field
        (TEXT + b"\x0a\x7f" + b"g" * 40 + b"\x01\x02", True),
        (b"\x08\x01\x08\x02" + TEXT + b"\x0b", False),
        ("é".encode() * 20 + b"\x80\x80", False),  # a key without an end
        (b"\x0a\xc8\x01\x01" + b"g" * 199, True),
        (b"\x0a\xff\xff\xff\xff\x0f" + TEXT, True),  # a length below zero
        (b"\x0a\x80\x80\x80\x80\x80\x01" + b"g" * 8 + TEXT, True),  # 1 << 35 is 8 in JavaScript
    ],
)
def test_fields_of_protobuf(content: bytes, binary: bool) -> None:
    assert is_binary(content) is binary


@given(st.binary(max_size=600))
def test_any_bytes_can_be_judged(content: bytes) -> None:
    assert is_binary(content) in (True, False)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=100))
def test_whole_texts_are_text(text: str) -> None:
    # A byte order mark of GB 18030 or UTF-16 cannot begin a text in UTF-8; "%PDF-" could.
    assert is_binary(text.encode()) is text.startswith("%PDF-")
