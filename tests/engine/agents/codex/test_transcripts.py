"""A rollout, item by item: what is a turn, what belongs to the prompt, and what a compaction leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Workspace
from promptscope_engine.agents.codex.transcripts import Reader, transcript_files
from promptscope_engine.agents.transcripts import Transcript
from promptscope_engine.assembly.resolve import resolve


def read(*entries: tuple[str, dict[str, Any]], base: int = 100) -> Transcript:
    """A rollout of these entries, whose texts count a token for each character."""
    reader = Reader(base, count=len)
    lines = [json.dumps({"timestamp": "t", "type": kind, "payload": payload}) for kind, payload in entries]
    reader.feed("\n".join(lines).encode())
    return reader.close()


def item(**payload: Any) -> tuple[str, dict[str, Any]]:
    return "response_item", payload


def said(role: str, *texts: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return item(type="message", role=role, content=[{"type": "input_text", "text": text} for text in texts], **more)


def used(kind: str, tokens: int) -> tuple[str, dict[str, Any]]:
    usage = {"input_tokens": tokens - 1, "output_tokens": 1}
    if kind == "token_usage_record":
        return kind, {"usage": usage}
    return "event_msg", {"type": "token_count", "info": {"last_token_usage": usage, "model_context_window": 9_000}}


CALL = item(type="function_call", name="ls", call_id="1", arguments="{}")
OUTPUT = item(type="function_call_output", call_id="1", output="four")


@pytest.mark.parametrize(
    ("entry", "turns", "other"),
    [
        (said("user", "hello"), [("user", 5)], 0),
        (said("user", "<environment_context>x"), [], 1),
        (said("user", " # AGENTS.md instructions for /x", "hello"), [("user", 5)], 0),
        (said("user"), [], 1),
        (item(type="message", role="user", content=[{"type": "input_image"}]), [("user", 1_600)], 0),
        (said("developer", "hello"), [], 1),
        (said("assistant", "hello"), [("assistant", 5)], 0),
        (item(type="additional_tools", tools=[]), [], 1),
        (item(type="reasoning", summary=[{"text": "hm"}]), [("assistant", 2)], 0),
        (CALL, [("assistant", 2)], 0),
        (OUTPUT, [("user", 4)], 0),
        (item(type="custom_tool_call_output", output={"content": "four"}), [("user", 4)], 0),
        (item(type="function_call_output", output=[{"text": "one"}, {"text": "two"}]), [("user", 6)], 0),
        (("turn_context", {"model": "m"}), [], 1),
        (("anything", {}), [], 1),
    ],
)
def test_what_is_a_turn(entry: tuple[str, dict[str, Any]], turns: list[tuple[str, int]], other: int) -> None:
    found = read(entry)
    assert ([(turn.role, turn.tokens) for turn in found.turns], found.other) == (turns, other)


@pytest.mark.parametrize(
    ("kinds", "texts", "tokens"),
    [
        (["user.text", "harness.context"], ["typed", "context"], 5),
        (["harness.context", "user.text"], ["typed", "context"], 7),
        (["user.text"], ["typed", "<skill>x"], 5),
        (["user.text"], ["typed", "more"], 9),
        ("user.text", ["typed", "<skill>x"], 5),
        ([None, 5], ["typed", "<skill>x"], 5),
    ],
)
def test_newer_rollouts_tell_the_kind_of_each_part(kinds: Any, texts: list[str], tokens: int) -> None:
    (turn,) = read(said("user", *texts, internal_chat_message_metadata_passthrough={"content_item_kinds": kinds})).turns
    assert turn.tokens == tokens


def test_the_items_of_an_answer_are_one_turn_and_so_are_the_outputs() -> None:
    second = item(type="function_call", name="cat", call_id="2", arguments="{}")
    other = item(type="function_call_output", call_id="2", output="more")
    found = read(said("assistant", "a"), CALL, second, OUTPUT, other, said("assistant", "b"))
    assert [(turn.role, turn.calls, turn.results) for turn in found.turns] == [
        ("assistant", ("ls", "cat"), 0), ("user", (), 2), ("assistant", (), 0),
    ]  # fmt: skip
    assert [result.tool for result in found.turns[1].returned] == ["ls", "cat"]
    assert read(OUTPUT).turns[0].returned[0].tool == "?"


def test_what_an_answer_used_ends_it() -> None:
    record = used("token_usage_record", 50)
    found = read(CALL, record, CALL, said("user", "x"))
    assert [(turn.role, turn.reported, turn.fill) for turn in found.turns] == [
        ("assistant", 50, 50), ("assistant", None, 52), ("user", None, 53),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("order", "fill"),
    [
        (["token_count"], 40),
        (["token_usage_record", "token_count"], 50),
        (["token_count", "token_usage_record"], 40),  # the answer has ended with the first
    ],
)
def test_events_count_while_there_are_no_records(order: list[str], fill: int) -> None:
    sizes = {"token_count": 40, "token_usage_record": 50}
    found = read(CALL, *(used(kind, sizes[kind]) for kind in order))
    assert found.turns[-1].fill == fill
    assert found.window == (9_000 if "token_count" in order else None)


def test_usage_that_belongs_to_no_answer_is_nobodys() -> None:
    found = read(said("user", "hello"), used("token_usage_record", 50))
    assert [(turn.fill, turn.reported) for turn in found.turns] == [(105, None)]


HISTORY = [
    said("user", "hello")[1], said("assistant", "hi")[1], said("user", "<skill>x")[1], said("developer", "prompt")[1],
    CALL[1],
]  # fmt: skip


@pytest.mark.parametrize(
    ("payload", "remains", "words"),
    [
        ({"replacement_history": HISTORY}, 7, ""),
        ({"replacement_history": [{"type": "compaction"}]}, 0, "summary encrypted, not counted"),
        ({"replacement_history": [{"type": "compaction_summary"}, HISTORY[0]]}, 5, "summary encrypted, not counted"),
        ({"replacement_history": [{"type": "other"}]}, 0, ""),
        ({"replacement_history": HISTORY, "message": "sum"}, 7, "sum"),
        ({"message": "summary"}, 7, "summary"),
        ({}, 0, ""),
    ],
)
def test_what_a_compaction_leaves(payload: dict[str, Any], remains: int, words: str) -> None:
    found = read(said("user", "before"), CALL, ("compacted", payload), OUTPUT)
    compaction = found.turns[2]
    assert (compaction.role, compaction.fill, compaction.text) == ("compaction", 100 + remains, words)
    assert found.turns[3].results == 1, "what follows begins a turn of its own"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ({"type": "function_call", "name": "ls"}, "ls"),
        ({"type": "function_call", "name": "ls", "namespace": "fs"}, "fs.ls"),
        ({"type": "function_call", "namespace": "fs"}, "function"),
        ({"type": "web_search_call"}, "web_search"),
        ({"type": "local_shell_call", "action": {"a": 1}}, "local_shell"),
    ],
)
def test_a_call_is_named_by_its_tool_or_its_item(call: dict[str, Any], name: str) -> None:
    assert read(item(**call)).turns[0].calls == (name,)


def test_a_rollout_is_called_by_the_folder_that_it_lies_in(tmp_path: Path) -> None:
    for folder in ("workspace", "home/.codex/sessions/2026/03/07", "home/.codex/archived_sessions"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "rollout-1.jsonl").write_text("{}")
    workspace = Workspace()
    _, inputs = resolve(frozen_scenario("codex", tmp_path), workspace)
    found = transcript_files(inputs, workspace)
    assert sorted(each.group for each in found) == ["07", "archived_sessions"]


def test_the_last_word_on_version_and_model_counts_unless_it_is_empty() -> None:
    found = read(
        ("session_meta", {"cli_version": "1"}), ("session_meta", {"cli_version": "2"}), ("session_meta", {}),
        ("turn_context", {"model": "a"}), ("turn_context", {"model": "b"}), ("turn_context", {}),
    )  # fmt: skip
    assert (found.version, found.model, found.other) == ("2", "b", 6)
