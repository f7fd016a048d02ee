from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.transcripts import Reader, is_transcript
from promptscope_engine.agents.claude_code.window import EXEMPT
from promptscope_engine.agents.kit.sessions import conversation
from promptscope_engine.agents.kit.sessions.conversation import IMAGE_TOKENS, estimate
from promptscope_engine.agents.transcripts import Transcript


def line(role: str, content: Any, **more: Any) -> str:
    message = {"role": role, "content": content} | more
    return json.dumps({"type": role, "message": message})


def read_transcript(text: str, base: int = 0) -> Transcript:
    """The transcript of a session whose prompt takes `base` tokens before the first message."""
    reader = Reader(base)
    reader.feed(text.encode("utf-8", "surrogatepass"))
    return reader.close()


USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 900, "output_tokens": 70}


def test_estimates_and_reported_usage() -> None:
    text = "\n".join(
        [
            line("user", "x" * 400),
            line("assistant", [{"type": "text", "text": "ok"}], usage=USAGE),
            line("user", "x" * 40),
        ]
    )
    found = read_transcript(text, base=500)
    assert [turn.fill for turn in found.turns] == [600, 1_000, 1_010]
    assert [turn.reported for turn in found.turns] == [None, 1_000, None]
    assert found.fill == 1_010


def test_kinds_of_content() -> None:
    content = [
        {"type": "image"},
        {"type": "tool_result", "content": [{"type": "text", "text": "x" * 40}, {"type": "image"}]},
        {"type": "tool_use", "input": {}},
        "odd",
    ]
    assert read_transcript(line("user", content)).turns[0].tokens == 2 * IMAGE_TOKENS + 10 + 1


def test_lines_that_do_not_parse_are_counted() -> None:
    text = "\n".join(["{", "[]", "", json.dumps({"type": "summary"}), line("user", "hi"), "nul\0l"])
    found = read_transcript(text)
    assert (found.broken, found.other, len(found.turns)) == (3, 1, 1)


def test_side_chains_are_left_out() -> None:
    entry = json.loads(line("user", "hi")) | {"isSidechain": True}
    assert read_transcript(json.dumps(entry)).turns == ()


def test_compaction_begins_anew() -> None:
    boundary = json.dumps({"type": "system", "subtype": "compact_boundary"})
    found = read_transcript("\n".join([line("user", "x" * 4_000), boundary, line("user", "x" * 40)]), base=100)
    assert [turn.fill for turn in found.turns] == [1_100, 100, 110]
    assert found.messages == 10
    assert (found.turns[1].role, found.turns[1].results) == ("compaction", 0)
    first = found.compacts_at(1_000)
    assert first is not None
    assert first.line == 1
    assert found.compacts_at(5_000) is None
    assert found.compacts_at(None) is None


@given(st.text(max_size=300))
def test_never_raises_on_text(text: str) -> None:
    assert read_transcript(text).turns == ()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "content", "text"]), inner)
        ),
        max_leaves=10,
    )
)
def test_never_raises_on_json(content: Any) -> None:
    assert read_transcript(line("user", content)).turns[0].tokens >= 0


def test_a_turn_has_the_line_that_it_begins_in() -> None:
    block = {"type": "text", "text": "a"}
    answer = [line("assistant", [block], id="one"), line("assistant", [block], id="one")]
    boundary = json.dumps({"type": "system", "subtype": "compact_boundary"})
    text = "\n".join([line("user", "hi"), "", *answer, "{", boundary, line("user", "more")])
    assert [turn.line for turn in read_transcript(text).turns] == [1, 3, 6, 7]


@pytest.mark.parametrize("length", [-1, 0, 1])
def test_a_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    written = line("user", "x" * 40)
    monkeypatch.setattr(conversation, "MAX_LINE", len(written) - length)
    found = read_transcript(f"{line('user', 'y')}\n{written}\n{written}")
    assert (found.too_long, len(found.turns)) == ((2, 1) if length > 0 else (0, 3))


@pytest.mark.parametrize(("length", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2)])
def test_four_characters_are_a_token(length: int, tokens: int) -> None:
    assert estimate("x" * length) == tokens


@pytest.mark.parametrize("length", [199, 200, 201])
def test_the_beginning_of_a_message_is_kept(length: int) -> None:
    [turn] = read_transcript(line("user", "x" * length)).turns
    assert turn.text == "x" * min(length, 200)
    [turn] = read_transcript(line("user", [{"type": "text", "text": "x" * length}])).turns
    assert turn.text == "x" * min(length, 200)


def test_other_notes_of_the_system_are_no_compaction() -> None:
    notes = [{"type": "system", "subtype": "informational"}, {"type": "user", "subtype": "compact_boundary"}]
    found = read_transcript("\n".join(map(json.dumps, notes)))
    assert (found.turns, found.other) == ((), 2)


def test_a_turn_tells_its_calls_and_results() -> None:
    asked = [
        {"type": "text", "text": "x" * 40},
        {"type": "tool_use", "name": "Read", "input": {}},
        {"type": "tool_use", "input": {}},
    ]
    given = [{"type": "tool_result", "content": "y" * 80}, {"type": "text", "text": "x" * 40}]
    answer, result = read_transcript("\n".join([line("assistant", asked), line("user", given)])).turns
    assert (answer.role, answer.calls, answer.results, answer.result_tokens) == ("assistant", ("Read", "?"), 0, 0)
    assert (result.role, result.calls, result.results, result.result_tokens) == ("user", (), 1, 20)
    assert (result.tokens, result.text) == (30, "x" * 40)


@pytest.mark.parametrize(
    ("first", "is_one"),
    [
        ({"type": "user", "sessionId": "s"}, True),
        ({"type": "assistant", "message": {}}, True),
        ({"type": "summary", "leafUuid": "u"}, True),
        ({"type": "file-history-snapshot", "snapshot": {}}, True),
        ({"type": "summary"}, False),
        ({"type": "session_meta", "sessionId": "s"}, False),
        ({"sessionId": "s"}, False),
    ],
)
def test_what_a_session_begins_with(first: dict[str, Any], is_one: bool) -> None:
    assert is_transcript(json.dumps(first).encode()) is is_one


def test_lines_without_an_answers_id_are_turns_of_their_own() -> None:
    one, other = line("assistant", "a" * 4, id="one"), line("assistant", "b" * 4, id="two")
    assert len(read_transcript("\n".join([line("assistant", "a"), line("assistant", "b")])).turns) == 2
    assert len(read_transcript("\n".join([one, other, one])).turns) == 3
    assert len(read_transcript("\n".join([one, line("user", "x"), one])).turns) == 3
    [turn] = read_transcript("\n".join([one, one])).turns
    assert (turn.tokens, turn.fill) == (2, 2)


@pytest.mark.parametrize(
    ("content", "tokens", "text"),
    [
        ("said", 1, "said"),
        ([{"type": "thinking", "thinking": "x" * 8}, {"type": "text", "text": "said"}], 3, "said"),
        ([{"type": "thinking", "thinking": "x" * 8}], 2, ""),
        ([{"type": "document"}, {"type": "image"}, {"type": "other"}], 2 * IMAGE_TOKENS, ""),
        ([{"type": "text"}, {"type": "text", "text": 5}], 0, ""),
    ],
)
def test_what_a_message_takes_and_shows(content: Any, tokens: int, text: str) -> None:
    [turn] = read_transcript(line("assistant", content)).turns
    assert (turn.tokens, turn.text) == (tokens, text)


@pytest.mark.parametrize(
    ("usage", "reported"),
    [
        (None, None), ({}, None), ({"input_tokens": 0}, None), ({"input_tokens": 1}, 1), (USAGE, 1_000),
        ({**USAGE, "other": 5}, 1_000), ([], None),
    ],
)  # fmt: skip
def test_what_an_answer_reports(usage: Any, reported: int | None) -> None:
    assert [turn.reported for turn in read_transcript(line("assistant", "a", usage=usage)).turns] == [reported]


def called(tool: str, content: str, *, results: int = 1, **original: Any) -> str:
    call = {"type": "tool_use", "id": "a", "name": tool, "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": content}
    given = json.loads(line("user", [result] * results)) | ({"toolUseResult": original} if original else {})
    return "\n".join([line("assistant", [call]), json.dumps(given)])


@pytest.mark.parametrize(
    ("text", "whole", "remark"),
    [
        (called("Bash", "x" * 30_000), None, ""),
        (called("Bash", "x" * 30_001), 30_001, "30,001 characters would be cut to a stub of 2,283"),
        (called("Bash", "xy", persistedOutputSize=1), 2, "2 characters were cut to a stub of 2"),
        (called("Bash", "xy", persistedOutputSize=50_000), 50_000, "50,000 characters were cut to a stub of 2"),
        (called("Bash", "xy", persistedOutputSize=0), None, ""),
        (called("Bash", "xy", results=2, persistedOutputSize=50_000), None, ""),
        (called("Read", "x" * 40_000), None, ""),
    ],
)
def test_what_the_limits_do_to_a_result(text: str, whole: int | None, remark: str) -> None:
    first = read_transcript(text).turns[-1].returned[0]
    assert (first.whole, first.remark) == (whole, remark)


@pytest.mark.parametrize(
    ("tokens", "remark"),
    [
        (10_000, ""),
        (10_001, "large: the agent warns of it"),
        (12_501, "50,004 characters would be cut to a stub of 2,283"),
        (25_001, "over the limit of 25,000 tokens"),
    ],
)
def test_what_is_said_of_a_servers_result(tokens: int, remark: str) -> None:
    [result] = read_transcript(called("mcp__fx__t", "x" * 4 * tokens)).turns[-1].returned
    assert (result.tokens, result.remark) == (tokens, remark)


@pytest.mark.parametrize(
    ("tool", "characters", "told"), [("Read", 30_000, ""), ("Read", 30_001, EXEMPT), ("Bash", 60_000, "")]
)
def test_a_large_result_that_no_limit_is_for(tool: str, characters: int, told: str) -> None:
    [result] = read_transcript(called(tool, "x" * characters)).turns[-1].returned
    assert result.exempt == told


def test_a_call_has_one_result() -> None:
    first, second = read_transcript(called("Read", "x", results=2)).turns[-1].returned
    assert (first.tool, second.tool) == ("Read", "?")


@pytest.mark.parametrize(
    ("metadata", "remains", "words"),
    [
        ({}, 0, ""),
        ({"trigger": "auto"}, 0, "auto"),
        ({"preTokens": 1}, 0, "at 1 tokens"),
        ({"preTokens": 0, "trigger": 5}, 0, ""),
        ({"trigger": "manual", "preTokens": 1_200}, 0, "manual, at 1,200 tokens"),
        ({"preservedMessages": {"uuids": ["one", "none", 5]}}, 2, ""),
        ({"preservedMessages": {"uuids": ["one", "two"]}}, 5, ""),
        ({"preservedMessages": {"uuids": "one"}}, 0, ""),
    ],
)
def test_what_remains_of_a_compaction(metadata: dict[str, Any], remains: int, words: str) -> None:
    entries = [
        json.loads(line("user", "x" * 8)) | {"uuid": "one"},
        json.loads(line("assistant", "y" * 12, id="a")) | {"uuid": "two"},
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata, "timestamp": "now"},
        json.loads(line("assistant", "z" * 4, id="a")) | {"uuid": "three", "version": "2.1.1"},
    ]
    found = read_transcript("\n".join(map(json.dumps, entries)), base=100)
    compaction = found.turns[2]
    assert (compaction.role, compaction.fill, compaction.text, compaction.at) == (
        "compaction", 100 + remains, words, "now",
    )  # fmt: skip
    assert (found.turns[3].fill, len(found.turns), found.version) == (101 + remains, 4, "2.1.1")


def test_the_model_is_the_last_one_that_an_answer_names() -> None:
    lines = [line("assistant", "a", model="one"), line("assistant", "b", model="two"), line("assistant", "c")]
    assert [read_transcript("\n".join(lines[:count])).model for count in (0, 1, 2, 3)] == ["", "one", "two", "two"]


def entry(uuid: str, parent: str, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {**json.loads(line(role, content)), "uuid": uuid, "parentUuid": parent, **more}


def test_a_rewind_takes_back_what_was_said_since() -> None:
    entries = [
        entry("1", "", "user", "first"),
        entry("2", "1", "assistant", "answer"),
        {"type": "system", "uuid": "3", "parentUuid": "2"},
        entry("4", "3", "user", "second"),
        entry("5", "4", "assistant", "x" * 400),
        entry("6", "3", "user", "another second"),
    ]
    found = read_transcript("\n".join(map(json.dumps, entries)))
    assert [turn.text for turn in found.turns] == ["first", "answer", "another second"]
    assert found.fill == sum(turn.tokens for turn in found.turns)
    assert found.problems() == ("2 turns were taken back by rewinds",)


def test_results_of_calls_made_at_once_are_no_rewind() -> None:
    call = [{"type": "tool_use", "id": "a", "name": "Read", "input": {}}]
    result = [{"type": "tool_result", "tool_use_id": "a", "content": "text"}]
    entries = [
        entry("1", "", "user", "first"),
        entry("2", "1", "assistant", call),
        entry("3", "2", "assistant", call),
        entry("4", "3", "user", result, toolUseResult="text"),
        entry("5", "2", "user", result, toolUseResult="text"),
        entry("6", "2", "user", "the body of a skill", isMeta=True),
        entry("7", "2", "user", "what a sub-agent is told", isSidechain=True),
    ]
    found = read_transcript("\n".join(map(json.dumps, entries)))
    assert found.rewound == 0
    assert found.turns[-1].text == "the body of a skill"


def test_a_rewind_past_a_compaction_takes_that_back_too() -> None:
    entries = [
        entry("1", "", "user", "first"),
        entry("2", "1", "assistant", "answer"),
        {"type": "system", "subtype": "compact_boundary", "uuid": "3"},
        entry("4", "3", "user", "so far"),
        entry("5", "1", "user", "another second"),
        {"type": "attachment", "uuid": "6", "attachment": {"type": "file", "filename": "/a.txt", "content": {}}},
        entry("7", "4", "user", "behind what is gone"),
    ]
    found = read_transcript("\n".join(map(json.dumps, entries)))
    assert [turn.text for turn in found.turns] == ["first", "another second", "behind what is gone"]
    assert found.rewound == 3
