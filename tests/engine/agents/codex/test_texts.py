"""Where Codex's own wording stands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from promptscope_engine.agents.codex.texts import FOLDER, CodexFolder
from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.lint import mistakes


@pytest.mark.parametrize(
    ("wording", "file", "says"),
    [
        ("permissions.never", "sections/permissions.md", "Nobody can be asked"),
        ("skills.imagegen", "bundled/skills/imagegen.md", "Makes or changes images"),
        ("tools.functions.exec", "tools/exec@functions.md", "---"),
        ("tools.exec", "tools/exec.md", "---"),
        ("tools.clock__curr_time", "tools/curr_time.md", "---"),
        ("tools.collaboration.spawn_agent", "tools/spawn_agent.md", "---"),
        ("tools.multi_agent_v1.spawn_agent", "tools/spawn_agent@multi_agent_v1.md", "---"),
        ("tools.web__run.time", "tools/run.json", '"time"'),
        ("tools.exec.multi_agent_v1__wait_agent.targets", "tools/wait_agent@multi_agent_v1.json", '"targets"'),
        ("tools.request_permissions.permissions", "tools/request_permissions.json", '"permissions"'),
    ],
)
def test_each_wording_leads_to_its_file_and_line(wording: str, file: str, says: str) -> None:
    found = FOLDER.place_of(wording)
    assert found is not None
    path, line = found
    assert FOLDER.shown(path) == file
    assert says in path.read_text("utf-8").split("\n")[line - 1]


@pytest.mark.parametrize("wording", ["", "tools.", "tools.nothing.like_it", "no.such.id"])
def test_what_no_file_says_has_no_place(wording: str) -> None:
    assert FOLDER.place_of(wording) is None


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ('wait = "maybe"', "`maybe`: unknown name maybe"),
        ('"functions.wiat" = ""', "there is no tool functions.wiat"),
    ],
)
def test_a_mistake_in_the_tables_of_tools_is_named(tmp_path: Path, written: str, problem: str) -> None:
    for name in ("tools/wait.md", "tools/wait.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(FOLDER.path / name, tmp_path / name)
    tmp_path.joinpath("agent.toml").write_text(f'id = "own"\nversions = ["1"]\n[classic]\n[lite]\n{written}\n')
    [error] = mistakes(CodexFolder(tmp_path, Vocabulary()))
    assert f"agent.toml:5: {problem}" in str(error)
