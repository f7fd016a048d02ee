"""`promptscope diff … --cache`: two requests, a whole capture, a transcript, and what is neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.files import as_lines
from promptscope_engine.captures.model import Capture, Header, Usage
from promptscope_tui.cli import cli
from promptscope_tui.output import exits

CONVERSATIONS = Path(__file__).parents[2] / "engine" / "agents" / "conversations" / "files"
RULES = "# Rules\n\nUse pnpm.\nNever push.\n"


@pytest.fixture
def run_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three requests of one conversation: between the last two a file changed."""
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    place = tmp_path / "shop"
    place.mkdir()
    (place / "AGENTS.md").write_text(RULES.replace("pnpm", "npm"))
    used = [Usage(5, 5, 0, 30_000), Usage(5, 5, 30_000, 200), Usage(5, 5, 9_000, 22_000)]
    requests = [
        recorded(
            number, Exchange(path="/v1/messages", body=body, time=f"2026-03-01T10:00:0{number}Z", status=200, usage=u)
        )
        for number, (body, u) in enumerate(zip((sent(1), sent(2), sent(3, "npm")), used, strict=True), 1)
    ]
    path = tmp_path / "run.jsonl"
    header = Header("other", cwd=str(place), home=str(tmp_path / "home"))
    path.write_bytes(b"".join(as_lines(Capture(header, labelled(requests, None)))))
    return path


def sent(turns: int, tool: str = "pnpm") -> dict[str, Any]:
    mark = {"type": "ephemeral"}
    system = [{"type": "text", "text": f"You help.\n\n{RULES.replace('pnpm', tool)}", "cache_control": mark}]
    said = [{"role": "user" if n % 2 == 0 else "assistant", "content": f"say {n}"} for n in range(turns * 2 - 1)]
    said[-1] = {"role": "user", "content": [{"type": "text", "text": said[-1]["content"], "cache_control": mark}]}
    return {"model": "m-1", "system": system, "messages": said, "tools": []}


def diff(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["diff", *args, "--cache"])
    assert result.exit_code == code, result.output
    return result


def test_two_requests_are_compared(run_file: Path) -> None:
    printed = diff(f"{run_file}:2", f"{run_file}:3").output
    assert "cache: 21,200 tokens written again" in printed
    assert "parts at system › Rules, line 5" in printed
    assert "- Use pnpm." in printed
    assert "+ Use npm." in printed
    assert "cause: AGENTS.md changed" in printed
    assert "9,000 of 30,200 tokens read, 22,000 written; 1 s between the requests" in printed


def test_one_request_is_compared_with_the_one_before(run_file: Path) -> None:
    assert "1 → 2\ncache: nothing was written again" in diff(f"{run_file}:2").output
    assert "2 → 3" in diff(f"{run_file}:3", "--exit-code", code=exits.CHECK_FAILED).output


def test_a_whole_capture_lists_what_missed(run_file: Path) -> None:
    printed = diff(str(run_file)).output
    assert "2 → 3" in printed
    assert "1 → 2" not in printed
    assert printed.endswith("1 of 2 requests missed: 21,200 tokens written again\n")
    told = json.loads(diff(str(run_file), "--format", "json").output)
    assert (told["again"], [each["again"] for each in told["pairs"]]) == (21_200, [0, 21_200])


def test_a_transcript_is_read_by_its_answers() -> None:
    file = CONVERSATIONS / "claude-code-2.1.100.jsonl"
    assert "the conversation was compacted" in diff(str(file)).output
    assert "8 → 15" in diff(f"{file}:8", f"{file}:15").output


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), exits.WRONG_USE, "two requests"),
        (("nowhere.jsonl",), exits.CANNOT_ASSEMBLE, "no such file"),
        (
            (str(CONVERSATIONS / "roo-ui_messages.json"),),
            exits.CANNOT_ASSEMBLE,
            "no two answers that report their cache",
        ),
    ],
)
def test_what_cannot_be_compared_is_said(words: tuple[str, ...], code: int, says: str) -> None:
    assert says in diff(*words, code=code).output


def test_a_capture_of_one_request_has_nothing_to_compare(run_file: Path) -> None:
    assert "no two requests of one conversation" in diff(f"{run_file}:1", code=exits.CANNOT_ASSEMBLE).output
