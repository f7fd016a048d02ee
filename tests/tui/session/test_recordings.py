"""The list of captures and transcripts."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine.agents.transcripts import TranscriptFile
from promptscope_engine.captures.model import Capture, Header, Recorded
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_tui.capturing import store
from promptscope_tui.capturing.store import Stored
from promptscope_tui.session.recordings import kind_of, recordings
from promptscope_tui.views.welcome import recording_options


def stored(name: str, cwd: str, modified: float, problem: str = "") -> Stored:
    header = {"agent": "observed/codex", "agent_version": "0.169.0", "cwd": cwd}
    return Stored(
        Path(f"/state/{name}.jsonl"), 2_400, modified, {} if problem else dict(header), {}, 1, problem=problem
    )


def test_those_of_this_workspace_come_first_then_captures_then_the_newest() -> None:
    captures = [stored("away", "/elsewhere", 9), stored("old", "/shop/", 1), stored("new", "/shop", 2)]
    transcripts = [TranscriptFile("/t/here.jsonl", 3, 8, here=True), TranscriptFile("/t/away.jsonl", 9, 8, here=False)]
    found = recordings(captures, transcripts, "Claude Code", "/shop")
    assert [Path(each.path).name for each in found] == [
        "new.jsonl",
        "old.jsonl",
        "here.jsonl",
        "away.jsonl",
        "away.jsonl",
    ]
    shown = [f"{option.label}  {option.detail}" for option in recording_options(found, "/home/ada")]
    assert shown[0] == "capture  codex 0.169.0  this workspace, 1 request, 2 kB"
    assert shown[2] == "transcript  here  this workspace, Claude Code, 0 kB"


def test_a_version_that_is_newer_than_all_that_are_known_says_so() -> None:
    late = stored("late", "/shop", 1)
    late.header["agent_version"] = "0.999.0"
    (found,) = recordings([late], [], "Codex", "/shop")
    assert found.detail == "newer than what is known, 1 request"
    known = Learned((LearnedVersion("codex", "0.999.0", ()),))
    (found,) = recordings([late], [], "Codex", "/shop", known)
    assert found.detail == "1 request"


def test_what_is_broken_says_why() -> None:
    (found,) = recordings([stored("cut", "/shop", 1, "is empty")], [], "Roo Code", "/shop")
    (option,) = recording_options([found], "/home/ada")
    assert (option.label, option.detail) == ("capture  cut", "✗ is empty")


def test_a_file_that_is_named_by_hand_tells_what_it_is(tmp_path: Path) -> None:
    ours, other = tmp_path / "run.jsonl", tmp_path / "session.jsonl"
    store.save(Capture(Header("codex"), (Recorded(1, "POST", "/v1/responses", "responses"),)), ours)
    other.write_text('{"type": "user"}\n')
    task = tmp_path / "ui_messages.json"
    task.write_text('[{"ts": 1, "type": "say", "say": "text", "text": "Hi"}]')
    paths = (ours, other, tmp_path / "run.har", tmp_path / "body.json", tmp_path / "missing", task)
    kinds = [kind_of(str(path)) for path in paths]
    assert kinds == ["capture", "transcript", "capture", "capture", "transcript", "transcript"]
