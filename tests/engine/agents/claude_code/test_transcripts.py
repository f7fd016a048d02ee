from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.features.transcripts import read_transcript
from promptscope_engine.agents.shared import conversation
from promptscope_engine.agents.shared.conversation import IMAGE_TOKENS, estimate


def line(role: str, content: Any, **more: Any) -> str:
    message = {"role": role, "content": content} | more
    return json.dumps({"type": role, "message": message})


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
