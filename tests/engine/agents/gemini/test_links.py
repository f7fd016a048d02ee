"""Links that leave the folders that may be read: refused with a row, unless the scenario follows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace, assemble

from .conftest import COUNTER, ENVIRONMENT, Project

MARK = "mark-of-the-target"
SKILL = f"---\nname: x\ndescription: {MARK}\n---\n"
COMMAND = f'prompt = "{MARK}"'
SETTINGS = f'{{"context": {{"fileName": "{MARK}"}}}}'
LINKS = {
    "workspace/GEMINI.md": ("R.md", MARK),
    "home/.gemini/GEMINI.md": ("R.md", MARK),
    "home/.gemini/skills/x": ("x/SKILL.md", SKILL),
    "workspace/.gemini/skills": ("skills/x/SKILL.md", SKILL),
    "workspace/.agents/skills/y/SKILL.md": ("S.md", SKILL),
    "home/.gemini/tmp/w/memory/MEMORY.md": ("M.md", MARK),
    "workspace/.gemini/system.md": ("system.md", MARK),
    "workspace/.gemini/commands/say.toml": ("say.toml", COMMAND),
    "home/.gemini/settings.json": ("settings.json", SETTINGS),
    "workspace/.gemini/settings.json": ("settings.json", SETTINGS),
    "home/.gemini/extensions/e": ("e/gemini-extension.json", f'{{"name": "e", "contextFileName": "{MARK}"}}'),
    "home/.gemini/agents": ("agents/x.md", SKILL),
}


def linked(tmp_path: Path, link: str, target: str, text: str) -> Project:
    """A project deep below `tmp_path`, and a link in it to a file far from it."""
    project = Project(tmp_path / "deep")
    for name in ("workspace", "home", "managed"):
        (project.root / name).mkdir(parents=True)
    (project.root / "workspace").rename(project.root / "w")
    (project.root / "workspace").symlink_to("w")
    path = tmp_path / "far" / target
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (path.parent / MARK).write_text(MARK)
    place = project.root / link.replace("workspace/", "w/", 1)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(tmp_path / "far" / Path(target).parts[0])
    return project


@pytest.mark.parametrize("link", LINKS)
def test_a_link_that_leads_far_away_is_refused_with_a_row(tmp_path: Path, link: str) -> None:
    project = linked(tmp_path, link, *LINKS[link])
    given: dict[str, Any] = {"workspace": f"{project.root}/w", "prompt": "/say"}
    given["env"] = {"GEMINI_SYSTEM_MD": "1"} if link.endswith("system.md") else {}
    refused = project.assemble(**given)
    assert MARK not in str(refused.request)
    row = next(
        file for file in refused.files if file.path.startswith(f"{project.root}/{link}".replace("workspace", "w"))
    )
    assert not row.present
    assert [(lever.param, lever.value) for lever in row.why.levers] == [("outside_links", "follow")]
    assert str(tmp_path / "far") in row.why.text
    assert MARK in str(project.assemble(**given, outside_links="follow").request)


def test_links_to_neighbours_are_followed_where_the_scenario_vouches_for_the_folder(project: Project) -> None:
    (project.root / "elsewhere").mkdir()
    (project.root / "elsewhere/R.md").write_text(MARK)
    Path(project.cwd, "GEMINI.md").symlink_to(project.root / "elsewhere/R.md")
    project.write({"home/.gemini/trustedFolders.json": f'{{"{project.cwd}": "TRUST_FOLDER"}}'})
    workspace = Workspace()  # one for all: what one scenario may read is not read for the next

    def found(**given: Any) -> bool:
        folders = {"workspace": project.cwd, "home": project.home, "managed": f"{project.root}/managed"}
        scenario = {"agent": "gemini", "mcp_servers": [], "environment": ENVIRONMENT, "env": {}, **folders, **given}
        return MARK in str(assemble(Scenario.model_validate(scenario), workspace, COUNTER, cached_only=True).request)

    assert not found()  # a file says that the folder is trusted, not the scenario
    assert found(env={"GEMINI_CLI_TRUST_WORKSPACE": "true"})
    assert found(params={"trusted": True})
    assert found(outside_links="follow")
    assert not found()
