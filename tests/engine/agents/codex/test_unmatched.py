"""Notes on entries of lists that match nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Codex
from .test_skills import skill

HOME = "home/.codex/config.toml"


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ('name = "spel"', "`[[skills.config]]` names spel: there is no such skill; did you mean spell?"),
        ('name = " spell "', ""),
        ('path = "~/.agents/skills/spell"', "names ~/.agents/skills/spell: only the path of its SKILL.md counts"),
        ('path = "~/.agents/skills/spell/SKILL.md"', ""),
        ('path = "~/none/SKILL.md"', "names ~/none/SKILL.md: there is no skill"),
        ('name = "spell"\npath = "x"', "has both a name and a path: Codex passes over it"),
    ],
)
def test_switches_of_skills(codex: Codex, entry: str, says: str) -> None:
    files: dict[str, str | bytes] = {
        "home/.agents/skills/spell/SKILL.md": skill("spell"), HOME: f"[[skills.config]]\n{entry}\nenabled = false\n",
    }  # fmt: skip
    answer = codex(files)
    assert ("unmatched-entry" in answer.codes) is bool(says)
    if says:
        assert answer.message("unmatched-entry").endswith(says)
        assert [Path(d.path or "").name for d in answer.assembly.diagnostics] == ["config.toml"]


def test_a_switch_of_skills_in_a_project_is_ignored(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {
        HOME: f'[projects."{place}/workspace"]\ntrust_level = "trusted"\n',
        "workspace/.codex/config.toml": '[[skills.config]]\nname = "spell"\nenabled = false\n',
        "home/.agents/skills/spell/SKILL.md": skill("spell"),
    }
    answer = codex(files)
    assert answer.message("unmatched-entry").startswith("`[[skills.config]]` is ignored here")


@pytest.mark.parametrize("key", ["enabled_tools", "disabled_tools"])
def test_tools_of_a_server_that_answers(codex: Codex, key: str) -> None:
    files: dict[str, str | bytes] = {HOME: f'[mcp_servers.s]\ncommand = "x"\n{key} = ["serch", "search"]\n'}
    server = {"name": "s", "tools": [{"name": "search"}]}
    assert codex(files, servers=[server]).message("unmatched-entry") == (
        f"`mcp_servers.s.{key}` names serch: there is no such tool of this server; did you mean search?"
    )
    assert "unmatched-entry" not in codex(files).codes


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("CLAUDE.md", ""),
        ("NONE.md", ""),
        ("claude.md", "the file is called CLAUDE.md"),
        (" CLAUDE.md", "the file is called CLAUDE.md"),
        ("docs/A.md", "it has to be the name of a file in a folder of the project, not a path"),
        ("", "a blank name matches no file"),
        ("AGENTS.md", "Codex reads this file anyway"),
    ],
)
def test_names_of_fallback_files(codex: Codex, name: str, why: str) -> None:
    files: dict[str, str | bytes] = {
        HOME: f'project_doc_fallback_filenames = ["{name}"]\n', "workspace/CLAUDE.md": "x", "workspace/docs/A.md": "x",
    }  # fmt: skip
    answer = codex(files)
    said = [d.message for d in answer.assembly.diagnostics if d.code == "unmatched-entry"]
    assert said == ([f"`project_doc_fallback_filenames` names {name!r}: {why}"] if why else [])


def test_the_nearest_profile_and_feature_are_told(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"home/.codex/deep.config.toml": "", HOME: "[features]\nmulti_agents = true\n"}
    answer = codex(files, args={"profile": "dep"})
    assert answer.message("missing-profile").endswith("does not say so; did you mean deep?")
    assert answer.message("unknown-feature") == "Codex knows no feature `multi_agents`; did you mean multi_agent?"
