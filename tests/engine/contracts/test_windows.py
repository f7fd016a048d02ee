"""Windows as the inspected machine, asked from any other: how each agent writes the folders of the scenario."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.support.repository import write

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.agents.registry import built_in_ids
from promptscope_engine.insight.sides import Side, assemble_pinned

SHOP, ADA = r"C:\Users\ada\shop", r"C:\Users\ada"
FILES = dict.fromkeys(("CLAUDE.md", "AGENTS.md", "GEMINI.md", "SOUL.md"), "A quetzal.\n")
SKILL = {".agents/skills/bird/SKILL.md": "---\nname: bird\ndescription: The quetzal.\n---\nFly.\n"}
ENV = {"COPILOT_MODEL": "gpt-5.2", "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def asked(place: Path, agent: str, seen: Workspace | None = None, **more: Any) -> Assembly:
    """The agent in the folder `shop`, which its machine calls C:\\Users\\ada\\shop."""
    write(place / "shop", FILES | SKILL)
    values = {"agent": agent, "workspace": str(place / "shop"), "home": ADA, "env": ENV, **more}
    values.setdefault("environment", {"workspace": SHOP})
    return assemble(Scenario.model_validate(values), seen or Workspace(), cached_only=True)


def sent(assembly: Assembly) -> str:
    sections = [section.text for section in assembly.sections if section.present]
    return "\n".join([*sections, *(tool.description for tool in assembly.tools if tool.present)])


@pytest.mark.parametrize("agent", built_in_ids())
def test_the_folder_has_its_name_there_and_its_files(agent: str, tmp_path: Path) -> None:
    assembly = asked(tmp_path, agent)
    text = sent(assembly)
    assert "A quetzal." in text
    assert SHOP in text
    assert str(tmp_path) not in text
    assert not re.search(r"(?<![\w:])/C:", text), "paths are written as on Windows"
    assert any(file.real_path.startswith("/C:/Users/ada/shop/") and file.present for file in assembly.files)


@pytest.mark.parametrize(
    ("agent", "line"),
    [
        ("claude-code", rf"Contents of {SHOP}\CLAUDE.md (project instructions, checked into the codebase):"),
        ("codex", f"<cwd>{SHOP}</cwd>"),
        ("openclaw", rf"## {SHOP}\SOUL.md"),
        ("roo", "Current Workspace Directory: C:/Users/ada/shop\n"),
        ("roo", "Home Directory: C:/Users/ada\n"),
        ("roo", "- The base directory of the project is: C:/Users/ada/shop"),
        ("roo", rf"relative to the workspace directory {SHOP}"),
        ("codex", "- `r1` = `C:/Users/ada/shop/.agents/skills`\n"),
        ("claude-code", "C:\\Users\\ada\\.claude\\projects\\C--Users-ada-shop\\memory\\"),
    ],
)
def test_what_an_agent_does_with_slashes(agent: str, line: str, tmp_path: Path) -> None:
    assert line in sent(asked(tmp_path, agent))


def test_what_is_not_followed_there_is_said(tmp_path: Path) -> None:
    (note,) = [each for each in asked(tmp_path, "roo").diagnostics if each.code == "other-machine"]
    assert note.message.startswith(rf"the folder is looked at as {SHOP}: git is not asked")


def test_a_machine_with_drives_is_one_of_windows(tmp_path: Path) -> None:
    text = sent(asked(tmp_path, "roo"))
    assert "Operating System: Windows 11\n" in text
    assert r"Default Shell: C:\Windows\System32\cmd.exe" in text
    told = {"workspace": SHOP, "os_name": "Windows 10", "shell": r"C:\Program Files\PowerShell\7\pwsh.exe"}
    assert "Operating System: Windows 10\n" in sent(asked(tmp_path, "roo", environment=told))


def test_two_machines_are_compared(tmp_path: Path) -> None:
    asked(tmp_path, "roo")
    scenario = Scenario.model_validate(
        {"agent": "roo", "workspace": str(tmp_path / "shop"), "home": ADA, "environment": {"workspace": SHOP}}
    )
    text = sent(assemble_pinned(Side("there", scenario)))
    assert "Current Workspace Directory: C:/Users/ada/shop\n" in text
    assert "A quetzal." in text


def test_a_package_of_a_repository_brings_the_repository_along(tmp_path: Path) -> None:
    write(tmp_path / "shop", {".git/HEAD": "ref: refs/heads/main\n", "web/AGENTS.md": "Of the web.\n"})
    there = {"workspace": rf"{SHOP}\web"}
    found = asked(tmp_path, "codex", environment=there, workspace=str(tmp_path / "shop/web"))
    assert "A quetzal." in sent(found)
    assert "Of the web." in sent(found)
    assert rf"<cwd>{SHOP}\web</cwd>" in sent(found)


def test_the_home_alone_may_be_one_of_windows(tmp_path: Path) -> None:
    found = asked(tmp_path, "roo", environment={})
    assert "Home Directory: C:/Users/ada\n" in sent(found)
    assert found.workspace == str(tmp_path / "shop")


def test_one_workspace_answers_for_both_machines_in_turn(tmp_path: Path) -> None:
    workspace = Workspace()
    for _ in range(2):
        assert SHOP in sent(asked(tmp_path, "claude-code", workspace))
        here = asked(tmp_path, "claude-code", workspace, environment={"platform": "linux"}, home=str(tmp_path / "home"))
        assert str(tmp_path / "shop") in sent(here)
        assert SHOP not in sent(here)


def test_nothing_is_forgotten_between_two_questions_about_one_machine(tmp_path: Path) -> None:
    workspace = Workspace()
    asked(tmp_path, "roo", workspace)
    before = workspace.reads
    asked(tmp_path, "roo", workspace, mode="ask")
    assert workspace.reads - before < before


@pytest.mark.parametrize("tab", ["src\\a.ts", rf"{SHOP}\src\a.ts", "src/a.ts"])
def test_a_tab_may_be_written_either_way(tab: str, tmp_path: Path) -> None:
    found = asked(tmp_path, "roo", params={"task": "hi", "editor": {"openTabs": [tab]}})
    assert "src/a.ts" in sent(found)
    assert "\\a.ts" not in sent(found)


def test_what_a_file_says_of_paths_stays(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"AGENTS.local.md": ""})
    found = asked(tmp_path, "roo", params={"globalCustomInstructions": "See /C:/work/a.md."})
    assert "See /C:/work/a.md." in sent(found)
