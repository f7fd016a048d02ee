"""What the readers of conversations share: values of strangers, the count, and limits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Workspace
from promptscope_engine.agents.kit.sessions.conversation import (
    Document,
    Ledger,
    Lines,
    Message,
    Object,
    beginning,
    elements,
    estimate,
    files_below,
    first_words,
    found_files,
    head_of,
    head_value,
    number_of,
    object_of,
    objects_in,
    text_of,
)
from promptscope_engine.agents.transcripts import Result, Turn


@pytest.mark.parametrize(("length", "tokens"), [(0, 0), (1, 1), (3, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_four_characters_a_token(length: int, tokens: int) -> None:
    assert estimate("x" * length) == tokens


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0), (1, 1), (2.9, 2), (-1, 0), (10**15 - 1, 10**15 - 1), (10**15, 0), (1e300, 0), (True, 0), ("1", 0),
        (None, 0), ([], 0),
    ],
)  # fmt: skip
def test_a_count_is_a_number_that_is_none_too_large(value: Any, number: int) -> None:
    assert number_of(value) == number


def test_values_of_another_kind_are_empty() -> None:
    assert (text_of("a"), text_of(1), text_of(None)) == ("a", "", "")
    assert (object_of({"a": 1}), object_of([1])) == ({"a": 1}, {})
    assert [list(objects_in(value)) for value in ([{"a": 1}, 2, {}], {"a": 1}, None)] == [[{"a": 1}, {}], [], []]


@pytest.mark.parametrize(
    ("texts", "words"),
    [([], ""), (["  ", "b", "c"], "b"), (["x" * 199], "x" * 199), (["x" * 200], "x" * 200), (["x" * 201], "x" * 200)],
)
def test_a_message_shows_how_its_first_text_begins(texts: list[str], words: str) -> None:
    assert first_words(texts) == words


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("", {}),
        ("{}", {}),
        ('{"a": 1}', {"a": 1}),
        ('\ufeff [ {"a": 1, "b": [2]}, {"c": 3}]', {"a": 1, "b": [2]}),
        ('{ "a" : 1 , "b" : 2 } {"c": 3}', {"a": 1, "b": 2}),
        ('{"a": 1, "b": "cut o', {"a": 1, "b": None}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1,', {"a": 1}),
        ('{"a"', {"a": None}),
        ('{"a": 1 "b": 2}', {"a": 1}),
        ('{[1]: 1, "b": 2}', {}),
        ('"a"', {}),
        ("[[1]]", {}),
        ('{"a": ' + "[" * 100_000, {"a": None}),
    ],
)
def test_what_the_first_object_of_a_beginning_holds(head: str, found: dict[str, Any]) -> None:
    assert head_of(head.encode()) == found


@pytest.mark.parametrize(
    ("head", "value"),
    [
        ('{"a": {"cwd": "/x"}}', "/x"),
        ('{"cwd":"/x", "cwd":"/y"}', "/x"),
        ('{"cwd":\t "/x"', "/x"),
        ('{"cwd": 1, "cwd": "/y"}', ""),
        ('{"cwd": "/cut', ""),
        ('{"cwd":', ""),
        ('{"cw": "/x"}', ""),
        ('"cwd":"/x"', "/x"),
        ("", ""),
    ],
)
def test_the_first_text_under_a_key(head: str, value: str) -> None:
    assert head_value(head.encode(), "cwd") == value


def turn(role: Any, tokens: int, reported: int | None = None) -> Turn:
    return Turn(1, role, tokens, 0, reported)


def test_the_window_fills_from_the_prompt_on() -> None:
    ledger = Ledger(100)
    assert ledger.now == 100
    ledger.add(turn("user", 5))
    ledger.add(turn("assistant", 7, reported=200))
    ledger.add(turn("user", 0))
    assert ([each.fill for each in ledger.turns], ledger.now) == ([105, 200, 200], 200)
    ledger.compact(4, 20)
    ledger.add(turn("user", 1))
    ledger.compact(5, 20, total=90)
    assert [each.fill for each in ledger.turns[3:]] == [120, 121, 90]


def test_nothing_in_the_window_is_not_the_prompt() -> None:
    ledger = Ledger(100)
    ledger.add(turn("assistant", 1, reported=0))
    assert (ledger.fill, ledger.now) == (0, 0)


def test_a_further_part_of_a_message_is_added_to_it() -> None:
    ledger = Ledger(100)
    ledger.add(
        Turn(1, "assistant", 5, 0, text="", calls=("a",), results=1, result_tokens=2, returned=(Result("a", 2, 8),))
    )
    ledger.extend(Turn(2, "assistant", 6, 0, text="hi", calls=("b",), results=2, result_tokens=3))
    [found] = ledger.turns
    assert (found.line, found.tokens, found.fill, found.reported, found.text) == (1, 11, 111, None, "hi")
    assert (found.calls, found.results, found.result_tokens, len(found.returned)) == (("a", "b"), 3, 5, 1)
    ledger.extend(turn("assistant", 1, reported=50))
    ledger.extend(turn("assistant", 1))
    assert (ledger.turns[0].reported, ledger.turns[0].fill) == (50, 51)


@pytest.mark.parametrize(
    ("roles", "total", "fills"),
    [
        (["assistant"], 50, [50]),
        (["user", "assistant"], 50, [101, 50]),
        (["user", "assistant", "user", "user"], 50, [101, 50, 51, 52]),
        (["assistant", "user", "assistant"], 50, [101, 102, 50]),
        (["assistant", "user"], 50, [50, 51]),
        (["assistant", "user"], 0, [101, 102]),
        (["user", "user"], 50, [101, 102]),
        ([], 50, []),
    ],
)
def test_what_an_answer_used_is_told_behind_it(roles: list[str], total: int, fills: list[int]) -> None:
    ledger = Ledger(100)
    for role in roles:
        ledger.add(turn(role, 1))
    ledger.report(total)
    assert [each.fill for each in ledger.turns] == fills
    assert ledger.now == (fills[-1] if fills else 100)


def test_a_compaction_reports_nothing() -> None:
    ledger = Ledger(100)
    ledger.compact(1, 10)
    ledger.add(turn("user", 1))
    ledger.report(50)
    assert [each.fill for each in ledger.turns] == [110, 111]


def test_a_message_counts_texts_images_calls_and_results() -> None:
    message = Message(["", "four"], images=2, calls=[("a", "12345"), ("", "")], returned=[Result("a", 10, 40)] * 2)
    found = message.turn(3, "user", len)
    assert (found.tokens, found.results, found.result_tokens) == (4 + 2 * 1_600 + 5 + 20, 2, 20)
    assert (found.line, found.fill, found.text, found.calls) == (3, 0, "four", ("a", "?"))
    assert Message(["a"], shown=["b"]).turn(1, "user", len).text == "b"
    assert Message(["a"], shown=[]).turn(1, "user", len).text == ""


@dataclass
class Reader(Lines):
    """Takes every object for a message."""

    def take(self, entry: Object) -> None:
        self.ledger.add(turn("user", len(json.dumps(entry))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("above", "size", "too_long"), [(b"", 2**25 - 1, 0), (b"", 2**25, 0), (b"\n", 2**25, 0), (b"\n", 2**25 + 1, 1)]
)
def test_a_line_is_read_up_to_its_limit(above: bytes, size: int, too_long: int) -> None:
    reader = Reader(0)
    reader.feed(above + b" " * (size - 2))
    reader.feed(b"{}")
    reader.feed(b'\n{"a": 1}\n')
    found = reader.close()
    assert (found.too_long, found.broken, len(found.turns)) == (too_long, 0, 2 - too_long)
    assert [(flaw.line, "too long" in flaw.message) for flaw in found.flaws] == [(2, True)] * too_long


def test_blank_lines_count_as_lines_only() -> None:
    reader = Reader(0)
    reader.feed(b'\n  \n{"a": 1}\nx')
    found = reader.close()
    assert ([flaw.line for flaw in found.flaws], found.broken, len(found.turns)) == ([4], 1, 1)


@pytest.mark.parametrize(("lines", "told"), [(99, 99), (100, 100), (101, 100)])
def test_a_hundred_flaws_are_told(lines: int, told: int) -> None:
    reader = Reader(0)
    reader.feed(b"x\n" * lines)
    found = reader.transcript()
    assert (len(found.flaws), found.broken) == (told, lines)


@dataclass
class Chat(Document):
    """Takes every element for none of the conversation."""

    def read(self, messages: list[tuple[int, Object]], ledger: Ledger) -> tuple[int, str]:  # noqa: ARG002
        return len(messages), "m"


@pytest.mark.slow
@pytest.mark.parametrize(("size", "left_out"), [(2**26 - 1, 0), (2**26, 0), (2**26 + 1, 1)])
def test_a_document_is_read_up_to_its_limit(size: int, left_out: int) -> None:
    reader = Chat(0)
    reader.feed(b"[{}]" + b"x" * (size - 5))
    reader.feed(b"x")
    found = reader.close()
    assert (found.left_out, found.other, found.model) == (left_out, 1, "m")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n", []),
        ("[]", []),
        ('[{"a": 1},\n\n{"b": 2}]', [(1, {"a": 1}, ""), (3, {"b": 2}, "")]),
        ('\n[{"a": 1}]', [(2, {"a": 1}, "")]),
        ('{"messages":[{"a": 1}]}', [(1, {"a": 1}, "")]),
        ('\ufeff{"x": 1, "messages" : [\n{"a": 1}]}', [(2, {"a": 1}, "")]),
        ('{"x": [{"a": 1}]}', [(1, {}, "no list of messages")]),
        ('{"messages": {"a": 1}}', [(1, {}, "no list of messages")]),
        ('"messages"', [(1, {}, "no list of messages")]),
        ("[1,\n2]", [(1, {}, "no message"), (2, {}, "no message")]),
        ('[{"a": 1}', [(1, {"a": 1}, ""), (1, {}, "what follows is cut off")]),
        ('[{"a": 1},\n', [(1, {"a": 1}, ""), (2, {}, "what follows is cut off")]),
        ('[{"a": 1}, {"b', [(1, {"a": 1}, ""), (1, {}, "what follows is not valid JSON")]),
        ("[" * 100_000, [(1, {}, "nested too deeply; the rest is not read")]),
    ],
)
def test_the_elements_of_a_list(text: str, found: list[Any]) -> None:
    assert list(elements(text)) == found


def test_only_files_of_the_kind_count(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text("{}")
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to("b.jsonl")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    (tmp_path / "folder.jsonl" / "in").mkdir()
    (tmp_path / "folder.jsonl" / "in" / "c.json").write_text("{}")
    endings = (".jsonl", ".json")
    assert list(files_below(str(tmp_path), "", endings, workspace)) == [f"{tmp_path}/a.json", f"{tmp_path}/b.jsonl"]
    for pattern in ("*/*", "*/in"):
        assert list(files_below(str(tmp_path), pattern, endings, workspace)) == [f"{tmp_path}/folder.jsonl/in/c.json"]


def test_a_file_tells_its_size_and_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 5_000)
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    (file,) = found_files([str(path), str(tmp_path / "none")], workspace, lambda found: found == str(path))
    assert (file.path, file.bytes, file.here, file.group) == (str(path), 5_000, True, tmp_path.name)
    assert beginning(str(path), workspace) == b"x" * 4_096
    assert beginning(str(path), workspace, 10) == b"x" * 10
    assert beginning(str(tmp_path / "none"), workspace) == b""
