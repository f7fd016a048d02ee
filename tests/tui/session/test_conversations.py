"""A recorded compaction is held against what would have been forecast of it."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.support.repository import write_in_turn
from tests.tui.support.user import running

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.transcripts import Transcript
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.cli import cli
from promptscope_tui.session.conversations import with_session
from promptscope_tui.views.transcript import TranscriptScreen
from promptscope_tui.widgets.row_list import RowList

FILES = {
    "repo/CLAUDE.md": "root rules\n",
    "repo/src/CLAUDE.md": "nested rules\n",
    **{f"repo/src/f{number}.txt": f"{number}\n" for number in range(6)},
    "repo/.claude/skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\nbody\n",
    "home/a": "",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_in_turn(tmp_path, FILES)
    return tmp_path


def answer(name: str, **given: str) -> dict[str, Any]:
    content = [{"type": "tool_use", "id": name, "name": name, "input": given}]
    return {"type": "assistant", "sessionId": "s", "entrypoint": "sdk-cli", "message": {"content": content}}


def user(text: str) -> dict[str, Any]:
    return {"type": "user", "sessionId": "s", "message": {"content": text}}


def boundary(trigger: str = "manual") -> dict[str, Any]:
    return {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": trigger}}


def attached(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "attachment", "attachment": {"type": kind, **more}}


def attached_file(path: Path, text: str) -> dict[str, Any]:
    return attached("file", filename=str(path), content={"type": "text", "file": {"content": text}})


Write = Callable[..., str]


@pytest.fixture
def session(place: Path) -> Write:
    """Writes a session that reads six files and invokes a skill, then what follows."""

    def written(*lines: dict[str, Any]) -> str:
        reads = [answer("Read", file_path=str(place / f"repo/src/f{number}.txt")) for number in range(6)]
        path = place / "session.jsonl"
        rows = [user("hi"), *reads, answer("Skill", skill="one"), *lines]
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return str(path)

    return written


@pytest.fixture
def compacted(place: Path, session: Write) -> str:
    """Four of five files, the skill and an instruction file came back, and one that the session did not know."""
    repo = place / "repo"
    return session(
        boundary(),
        *(attached_file(repo / f"src/f{number}.txt", "1\n") for number in (5, 4, 3, 2)),
        attached_file(repo / "other.txt", "other\n"),
        attached("invoked_skills", skills=[{"name": "one", "content": "body"}]),
        attached("instructions", files=[{"path": str(repo / "CLAUDE.md"), "content": "root rules\n"}]),
        attached("date", date="today"),
        answer("Bash", command="ls"),
        attached_file(repo / "src/f0.txt", "read later"),
    )


def compactions(place: Path, file: str, *args: str) -> list[Any]:
    asked = ["transcript", file, "--agent", "claude-code", "--format", "json", *args]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place / "repo")
        patch.setenv("HOME", str(place / "home"))
        done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    found: list[Any] = json.loads(done.stdout)["compactions"]
    return found


def test_each_part_stands_beside_its_forecast(place: Path, compacted: str) -> None:
    (found,) = compactions(place, compacted)
    told = {part["name"]: (part["forecast"], part["characters"], part["agrees"]) for part in found["parts"]}
    assert told == {
        "CLAUDE.md": ("returns", 11, True),
        **{f"src/f{number}.txt": ("returns", 2, True) for number in (5, 4, 3, 2)},
        "src/f1.txt": ("returns", None, False),
        "src/f0.txt": ("lost", None, True),
        "src/CLAUDE.md": ("lost", None, True),
        "one": ("returns", 4, True),
        "other.txt": (None, 6, False),
    }


def test_files_of_one_time_are_left_open(place: Path, compacted: str) -> None:
    for number in range(6):
        os.utime(place / f"repo/src/f{number}.txt", (5_000_000, 5_000_000))
    (found,) = compactions(place, compacted)
    agree = {part["name"]: part["agrees"] for part in found["parts"]}
    assert [agree[f"src/f{number}.txt"] for number in range(6)] == [None] * 6
    assert agree["one"] is True


def test_a_second_compaction_is_held_against_what_followed_the_first(place: Path, compacted: str) -> None:
    read = answer("Read", file_path=str(place / "repo/src/f0.txt"))
    more = [read, answer("Bash", command="ls"), boundary("auto"), user("summary")]
    with Path(compacted).open("a") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in more)
    _, second = compactions(place, compacted)
    assert {part["name"]: part["agrees"] for part in second["parts"]}["src/f0.txt"] is False
    assert "one" not in {part["name"] for part in second["parts"]}


def test_a_file_that_does_not_tell_says_so(place: Path) -> None:
    path = place / "rollout.jsonl"
    rows = [{"type": "session_meta", "payload": {"source": "exec"}}, {"type": "compacted", "payload": {"message": "x"}}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert compactions(place, str(path), "--agent", "codex") == [{"line": 2, "parts": None}]


def test_what_was_said_is_kept_by_codex(place: Path) -> None:
    def said(text: str) -> dict[str, Any]:
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}

    def compacted(*texts: str) -> dict[str, Any]:
        return {"type": "compacted", "payload": {"message": "x", "replacement_history": [said(text) for text in texts]}}

    rows = [
        {"type": "session_meta", "payload": {"source": "exec"}},
        *({"type": "response_item", "payload": said(text)} for text in ("keep the tests", "and the docs")),
        compacted("keep the tests", "so far: x"),
    ]
    path = place / "rollout.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (found,) = compactions(place, str(path), "--agent", "codex")
    assert [(part["name"], part["forecast"], part["agrees"]) for part in found["parts"]] == [
        ("keep the tests", "returns", True),
        ("and the docs", "returns", False),
    ]


def test_the_table_of_the_command(place: Path, compacted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place / "repo")
    monkeypatch.setenv("HOME", str(place / "home"))
    shown = CliRunner().invoke(cli, ["transcript", compacted, "--agent", "claude-code"]).stdout
    assert "compaction at line 9: 8 of 10 parts as forecast by the files as they are now\n" in shown
    assert "✗ src/f1.txt" in shown


async def test_what_follows_a_compaction_later_is_compared_too(place: Path, session: Write) -> None:
    given = {"agent": "claude-code", "workspace": str(place / "repo"), "home": str(place / "home"), "env": {}}
    path = Path(session(boundary()))
    async with running(Scenario.of(given), (140, 60)) as seen:
        seen.app.main.recordings.open_transcript(str(path))
        screen = seen.app.screen
        assert isinstance(screen, TranscriptScreen)
        await seen.until(lambda: screen.is_mounted and "✗ src/f5.txt" in screen.query_one(RowList).plain)
        await seen.until(lambda: screen.follower is not None)
        with path.open("a") as file:
            file.write(f"{json.dumps(attached_file(place / 'repo/src/f5.txt', '5'))}\n")
        await seen.until(lambda: "✓ src/f5.txt" in screen.query_one(RowList).plain)


async def test_the_screen_has_it_below_the_compaction(place: Path, compacted: str) -> None:
    given = {"agent": "claude-code", "workspace": str(place / "repo"), "home": str(place / "home"), "env": {}}
    async with running(Scenario.of(given), (140, 60)) as seen:
        seen.app.main.recordings.open_transcript(compacted)
        screen = seen.app.screen
        assert isinstance(screen, TranscriptScreen)
        await seen.until(lambda: screen.is_mounted and "as forecast" in screen.query_one(RowList).plain)
        shown = screen.query_one(RowList).plain
        assert "✗ src/f1.txt" in shown
        assert "did not come" in shown


@pytest.mark.parametrize(("asked", "window"), [([], 200_000), (["--model", "claude-opus-5"], 1_000_000)])
def test_the_window_is_that_of_the_sessions_own_model(
    place: Path, session: Write, asked: list[str], window: int
) -> None:
    said = {"type": "assistant", "sessionId": "s", "message": {"model": "claude-sonnet-4-5", "content": "done"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place / "repo")
        patch.setenv("HOME", str(place / "home"))
        args = ["transcript", session(said), "--agent", "claude-code", "--format", "json", *asked]
        found = json.loads(CliRunner().invoke(cli, args).stdout)
    assert found["window"] == window
    assert (found["compact_at"] is None) is (window == 200_000)


@pytest.mark.parametrize(("given", "prints"), [({}, True), ({"args": {"print": False}}, False)])
def test_how_it_was_started_is_taken_from_the_file_where_nobody_says_it(given: dict[str, Any], prints: bool) -> None:
    scenario = Scenario(agent="claude-code", workspace="/shop", params=given)
    found = with_session(load_agent("claude-code"), scenario, Transcript((), attended=False))
    assert found.params["args"]["print"] is prints
