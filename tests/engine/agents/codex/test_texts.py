"""Where Codex's own wording stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.codex.tools import CLASSIC, LITE

if TYPE_CHECKING:
    from collections.abc import Mapping


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


@pytest.mark.parametrize("table", [LITE, CLASSIC])
def test_the_tables_of_tools_name_tools_and_gates_that_exist(table: Mapping[str, str]) -> None:
    for name, condition in table.items():
        assert name.endswith("@servers") or FOLDER.place_of(f"tools.{name}"), name
        assert not condition or FOLDER.expression(condition, FOLDER.main)
