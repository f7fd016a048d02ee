"""A running session beside the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.support.host import FakeHost
from tests.tui.support.user import User, running

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.screens.recordings import Following
from promptscope_tui.session import transcripts
from promptscope_tui.views.transcript import RunningSession

pytestmark = pytest.mark.slow


def said(role: str, *content: dict[str, object]) -> str:
    message: dict[str, object] = {"role": role, "content": list(content)}
    return json.dumps({"type": role, "sessionId": "s", "message": message}) + "\n"


def read_of(path: Path) -> dict[str, object]:
    return {"type": "tool_use", "id": "1", "name": "Read", "input": {"file_path": str(path)}}


def session_in(folder: Path) -> tuple[Scenario, Path]:
    """A repository with a rule for its API, and a session of it."""
    repository, home = folder / "shop", folder / "home"
    rule = repository / ".claude" / "rules" / "api.md"
    rule.parent.mkdir(parents=True)
    rule.write_text('---\npaths: ["api/**"]\n---\nValidate.\n', encoding="utf-8")
    (repository / "CLAUDE.md").write_text("Use tabs.\n", encoding="utf-8")
    (repository / "api").mkdir()
    (repository / "api" / "pay.ts").write_text("1\n", encoding="utf-8")
    key = str(repository).replace("/", "-").replace("_", "-").replace(".", "-")
    transcript = home / ".claude" / "projects" / key / "one.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(said("user", {"type": "text", "text": "Mend the payment."}), encoding="utf-8")
    return Scenario(agent="claude-code", workspace=str(repository), home=str(home)), transcript


async def strip(user: User) -> RunningSession:
    await user.app.workers.wait_for_complete()
    await user.settle_all()
    return user.app.main.query_one(RunningSession)


async def test_a_session_is_followed_and_what_it_reads_wakes_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "SECONDS", 0.01)
    scenario, transcript = session_in(tmp_path)
    async with running(scenario, (140, 45)) as user:
        await user.settle_all()
        await user.press("F")
        assert "Mend the payment." in (await strip(user)).plain
        assert "1 turns" not in (await strip(user)).plain

        pay = tmp_path / "shop" / "api" / "pay.ts"
        with transcript.open("a", encoding="utf-8") as file:
            file.write(said("assistant", read_of(pay)))
        await user.until(lambda: user.scenario.reads == [str(pay)])
        await user.settle()
        assert ".claude/rules/api.md woke: the session read api/pay.ts" in user.note
        assembly = user.session.snapshot.assembly
        assert assembly
        assert next(file for file in assembly.files if file.path.endswith("api.md")).present

        await user.press("F")
        assert not user.app.main.query(RunningSession)
        assert user.note == "the session is no longer followed"


async def test_a_folder_without_a_session_says_so(tmp_path: Path) -> None:
    scenario, transcript = session_in(tmp_path)
    transcript.unlink()
    async with running(scenario) as user:
        await user.press("F")
        assert user.note == "no session of this agent was found for this folder"


def test_a_scenario_that_makes_no_sense_is_said_and_nothing_is_followed(tmp_path: Path) -> None:
    def newest() -> str | None:
        raise ScenarioError("no such mode")

    host = FakeHost(session_in(tmp_path)[0])
    Following(host, newest).action_follow()
    assert host.errors == ["no such mode"]
