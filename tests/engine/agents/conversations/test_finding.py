"""Which conversations an agent's folders hold: this workspace's first, each group newest first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.assembly.resolve import resolve

FILES = Path(__file__).parent / "files"
SHOP = b"/home/ada/shop"
PLACES = {
    "codex": (".codex/sessions/2026/03/0{}/rollout-{}.jsonl", "codex-0.169.0.jsonl"),
    "copilot": (".copilot/session-state/{}{}/events.jsonl", "copilot-1.0.102.jsonl"),
    "openclaw": (".openclaw/agents/main/sessions/{}{}.jsonl", "openclaw-2026.2.24.jsonl"),
    "roo": (
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/{}{}/api_conversation_history.json",
        "roo-api_conversation_history.json",
    ),
}


def found(agent: str, folder: Path, **env: str) -> list[tuple[str, bool]]:
    workspace = Workspace()
    scenario = Scenario(agent=agent, workspace=str(folder / "shop"), home=str(folder / "home"), env=env)
    keeper, inputs = resolve(scenario, workspace)
    assert isinstance(keeper, KeepsTranscripts)
    return [(file.path.removeprefix(f"{folder}/"), file.here) for file in keeper.transcript_files(inputs, workspace)]


def put(path: Path, data: bytes, modified: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (modified, modified))


@pytest.mark.parametrize("agent", PLACES)
def test_a_conversation_tells_its_folder(tmp_path: Path, agent: str) -> None:
    place, name = PLACES[agent]
    (tmp_path / "shop").mkdir()
    data = (FILES / name).read_bytes()
    mine = data.replace(SHOP, str(tmp_path / "shop").encode())
    paths = [f"home/{place.format(n, n)}" for n in (1, 2, 3)]
    for path, text, modified in zip(paths, (mine, data, mine), (10, 30, 20), strict=True):
        put(tmp_path / path, text, modified)
    assert found(agent, tmp_path) == [(paths[2], True), (paths[0], True), (paths[1], False)]


def test_chats_lie_in_their_projects_folder(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    tmp = tmp_path / "home" / ".gemini" / "tmp"
    for project, owner in (("shop", tmp_path / "shop"), ("other", tmp_path / "elsewhere")):
        put(tmp / project / "chats" / "session-1.jsonl", b"{}", 10)
        (tmp / project / ".project_root").write_text(str(owner))
    put(tmp / "other" / "chats" / "session-0.json", b"{}", 20)
    names = [(path.removeprefix("home/.gemini/tmp/"), here) for path, here in found("gemini", tmp_path)]
    assert names == [
        ("shop/chats/session-1.jsonl", True),
        ("other/chats/session-0.json", False),
        ("other/chats/session-1.jsonl", False),
    ]


def test_a_variable_names_another_folder(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    put(tmp_path / "away" / "sessions" / "2026" / "03" / "02" / "rollout-1.jsonl", b"{}", 10)
    assert found("codex", tmp_path, CODEX_HOME=str(tmp_path / "away")) == [
        ("away/sessions/2026/03/02/rollout-1.jsonl", False)
    ]


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "openclaw", "roo"])
def test_a_home_without_any_has_none(tmp_path: Path, agent: str) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "home").mkdir()
    assert found(agent, tmp_path) == []
