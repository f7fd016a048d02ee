"""A task's file: its messages are before the drafted one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly

FIRST = {"role": "user", "content": [{"type": "text", "text": "<task>\nold\n</task>"}, {"type": "image", "source": {}}]}
ANSWER = {"role": "assistant", "content": "I read it.\nDone.", "ts": 5}
LATER = {"role": "user", "content": [{"type": "text", "text": "more"}, {"type": "text", "text": "details"}]}


def assembled(place: Path, history: Any, **params: Any) -> Assembly:
    (place / "repo").mkdir()
    text = history if isinstance(history, str) else json.dumps(history)
    (place / "task.json").write_text(text)
    params = {"taskFile": str(place / "task.json"), "task": "go on", "editor": {"laterTurn": True}, **params}
    values = {"agent": "roo", "workspace": str(place / "repo"), "home": str(place), "params": params}
    return assemble(Scenario.model_validate(values))


def sent(assembly: Assembly) -> list[tuple[str, list[str]]]:
    return [(m["role"], [block["text"] for block in m["content"]]) for m in assembly.to_dict()["request"]["messages"]]


def test_messages_keep_their_blocks_and_come_first(tmp_path: Path) -> None:
    assembly = assembled(tmp_path, [FIRST, ANSWER, LATER, ANSWER])
    messages = sent(assembly)
    assert messages[:-1] == [
        ("user", ["<task>\nold\n</task>"]),
        ("assistant", ["I read it.\nDone."]),
        ("user", ["more", "details"]),
        ("assistant", ["I read it.\nDone."]),
    ]
    role, (task, _) = messages[-1]
    assert role == "user"
    assert task.endswith("<feedback>\ngo on\n</feedback>")
    path = str(tmp_path / "task.json")
    lines = [f.origin.start_line for s in assembly.sections for f in s.fragments if f.origin.path == path]
    assert set(lines) == {1}, "the file is one line"


@pytest.mark.parametrize(
    ("role", "begins"),
    [
        (
            "assistant",
            ["user", "assistant", "user"],
        ),  # the task's first message goes before a summary that is an answer
        ("user", ["user", "user"]),
    ],
)
def test_only_what_follows_a_summary_is_sent(tmp_path: Path, role: str, begins: list[str]) -> None:
    summary = {"role": role, "content": "in short", "isSummary": True}
    messages = sent(assembled(tmp_path, [FIRST, ANSWER, LATER, summary, LATER], task=""))
    assert [role for role, _ in messages] == begins
    assert messages[-2][1] == ["in short"]


@pytest.mark.parametrize("history", ["", "{", "[1, null]", '{"a": 1}', "[" * 100_000])
def test_a_task_whose_file_is_no_list_of_messages_is_not_continued(tmp_path: Path, history: str) -> None:
    assembly = assembled(tmp_path, history)
    assert len(sent(assembly)) == 1
    [refusal] = [note for note in assembly.diagnostics if note.code == "agent-refuses"]
    assert refusal.message == "Roo does not continue the task: its file is not a JSON list of messages"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assembly = assembled(tmp_path, [], taskFile=str(tmp_path / "none.json"))
    assert "task-file" in [note.code for note in assembly.diagnostics]
    row = next(section for section in assembly.sections if section.id == "history")
    assert not row.present


def test_no_file_has_a_row_that_says_how_to_name_one(tmp_path: Path) -> None:
    row = next(section for section in assembled(tmp_path, [], taskFile=None).sections if section.id == "history")
    assert row.why.text == "absent: no task's file is named"
    assert row.why.remedy == "name a task's file: `--set taskFile=PATH`"
