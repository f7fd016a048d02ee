"""The blocks of a message before its details: tasks, approvals, resumed tasks and labels."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.user_messages import (
    add_line_numbers,
    approval_content,
    resume,
    task_content,
    tool_label,
)

PNG = "data:image/png;base64,AAAA"
ASSISTANT: dict[str, Any] = {"role": "assistant", "content": [{"type": "text", "text": "done"}]}


def _texts(blocks: list[dict[str, Any]]) -> list[str]:
    return [block.get("text", block["type"]) for block in blocks]


def test_an_empty_task_is_an_empty_line() -> None:
    assert _texts(task_content("")) == ["<task>\n\n</task>"]


def test_a_refusal_with_words_carries_the_images() -> None:
    for response in ("noButtonClicked", "messageResponse"):
        head, words, image = approval_content("[x]", response, "why", [PNG])
        assert head["text"] == "[x] Result:"
        assert words["text"].endswith("<feedback>\nwhy\n</feedback>")
        assert image["type"] == "image"


def test_images_without_words_do_not_count() -> None:
    assert approval_content("[x]", "yesButtonClicked", "", [PNG]) == []
    assert len(approval_content("[x]", "messageResponse", None, [PNG])) == 2


def test_approval_with_words_comes_before_the_result() -> None:
    assert _texts(approval_content("[x]", "yesButtonClicked", "ok"))[0] == "[x] Result:"


def test_resuming_with_nothing_at_all() -> None:
    resumed = resume([ASSISTANT])
    assert _texts(resumed.content)[0].startswith("[TASK RESUMPTION]")
    assert resumed.history == [ASSISTANT]


def test_a_last_message_of_the_user_leaves_the_history() -> None:
    resumed = resume([ASSISTANT, {"role": "user", "content": "words"}])
    assert _texts(resumed.content) == ["words"]
    assert resumed.history == [ASSISTANT]


def test_old_tool_blocks_everywhere() -> None:
    use = {"type": "tool_use", "id": "1", "name": "t", "input": {"a": 1.0, "b": [None, True], "c": {}}}
    result = {"type": "tool_result", "tool_use_id": "2", "content": "r"}
    bare = {"type": "tool_result", "tool_use_id": "1"}
    history = [{"role": "user", "content": [result, bare]}, {"role": "assistant", "content": [use]}]
    before = resume(history).history
    assert _texts(before[0]["content"]) == ["[Unknown Tool Result]\n\nr", "[t Result]\n\n"]
    assert _texts(before[1]["content"]) == ["<t>\n<a>\n1\n</a>\n<b>\n,true\n</b>\n<c>\n[object Object]\n</c>\n</t>"]
    assert history[1]["content"] == [use]


@pytest.mark.parametrize("history", [[], [{"role": "system", "content": "x"}]])
def test_a_history_that_cannot_go_on(history: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError, match="go on"):
        resume(history)


@pytest.mark.parametrize(
    ("tool", "params", "label"),
    [
        ("execute_command", {}, "[execute_command for 'undefined']"),
        ("codebase_search", {"query": "q"}, "[codebase_search for 'q']"),
        ("ask_followup_question", {"question": "q?"}, "[ask_followup_question for 'q?']"),
        ("search_files", {"regex": "r", "file_pattern": "*.ts"}, "[search_files for 'r' in '*.ts']"),
        ("search_files", {"regex": "r", "file_pattern": ""}, "[search_files for 'r']"),
        ("switch_mode", {}, "[switch_mode to 'undefined']"),
        ("run_slash_command", {"command": "c", "args": "{}"}, "[run_slash_command for 'c' with args: {}]"),
        ("new_task", {}, "[new_task in 🏗️ Architect mode: '(no message)']"),
        ("apply_diff", {}, "[apply_diff]"),
        ("apply_diff", {"path": "a", "args": "<file><path>b</path></file>"}, "[apply_diff for 'a']"),
        ("apply_diff", {"args": "<file><path>a</path></file><file>"}, "[apply_diff for 'a' and 1 more file]"),
        ("apply_diff", {"args": "<file><path>a</path></file>"}, "[apply_diff for 'a']"),
        ("apply_diff", {"args": "<file><path>a</path></file>" * 3}, "[apply_diff for 'a' and 2 more files]"),
        ("read_file", {"args": "<file><path>a</path"}, "[read_file with unparsable args]"),
        ("read_file", {"args": "<file"}, "[read_file with unparsable args]"),
        ("read_file", {"args": "<file><!-- c"}, "[read_file with unparsable args]"),
        ("read_file", {"args": "plain"}, "[read_file with no valid paths]"),
        (
            "read_file",
            {"args": "<args><file><path>a</path></file></args>"},
            "[read_file with no valid paths]",
        ),
        (
            "read_file",
            {"args": "<file> <path> a&amp;b </path></file><file><path><![CDATA[<c>]]></path></file><file/>"},
            "[read_file for 'a&b', '<c>']",
        ),
        (
            "read_file",
            {"args": "<file><path>a</path><path>b</path></file><file x='>'><path y='1'>c</path></file>"},
            "[read_file for 'a,b', '[object Object]']",
        ),
        ("read_file", {"args": "<file><path>a</path></file>" * 3}, "[read_file for 'a', 'a', 'a']"),
        ("read_file", {"args": "<file><path>a</path></file>" * 4}, "[read_file for 4 files]"),
    ],
)
def test_labels(tool: str, params: dict[str, str], label: str) -> None:
    assert tool_label(tool, params) == label


def test_one_file_gets_advice_and_the_simple_form_does_not() -> None:
    advised = tool_label("read_file", {"args": "<file><path>a</file>"})
    assert advised == tool_label("read_file", {"path": "a"})
    assert advised.startswith("[read_file for 'a'. ")
    assert tool_label("read_file", {"path": "a"}, simple_read=True) == "[read_file for 'a']"


def test_a_name_that_is_no_tool() -> None:
    with pytest.raises(ValueError, match="no_tool"):
        tool_label("no_tool", {})


def test_line_numbers_from_any_start() -> None:
    assert add_line_numbers("a\nb", 9) == " 9 | a\n10 | b\n"
    assert add_line_numbers("\n") == "1 | \n"
    assert add_line_numbers("a\r\n\n") == "1 | a\r\n2 | \n"


@given(st.text(min_size=1, max_size=40), st.integers(1, 200))
def test_numbers_can_be_taken_off_again(text: str, start: int) -> None:
    numbered = add_line_numbers(text, start).removesuffix("\n").split("\n")
    assert "\n".join(line.partition(" | ")[2] for line in numbered) == text.removesuffix("\n")
    assert [int(line.partition(" | ")[0]) for line in numbered] == list(range(start, start + len(numbered)))
