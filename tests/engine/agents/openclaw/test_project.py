"""The repository of a run: how notes are marked for it, which notes count, and where tools work [2026.9.6]."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine.agents.openclaw.gather.project import escaped, normal_key, source_of
from promptscope_engine.prompt.model import Assembly, Section

from .conftest import Claw


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("https://GitHub.com/Acme/Thing.git", "github.com/Acme/Thing"),
        ("https://github.com/a/b.git/", "github.com/a/b"),
        ("https://github.com/a/b/tree/main", "github.com/a/b"),
        ("https://www.github.com/a/b#main", "github.com/a/b"),
        ("https://user:token@github.com/a/b.git", "github.com/a/b"),
        ("git@github.com:a/b/c.git", "github.com/a/b/c"),
        ("me@github.com:a/b.git", "github.com/a/b"),
        ("git@github.com-work:a/b.git", "github.com-work/a/b"),
        ("git+ssh://git@github.com/a/b.git", "github.com/a/b"),
        ("github.com:a/b", "github.com/a/b"),
        ("ssh://git@github.com:22/a/b", "github.com/a/b"),
        ("https://gitlab.com/g/s/p.git", "gitlab.com/g/s/p"),
        ("https://bitbucket.org/a/b/src", "bitbucket.org/a/b"),
        ("gitlab:a/b", "gitlab.com/a/b"),
        ("a/b.git", "github.com/a/b"),
        ("git@H.EXAMPLE:/A/B.git", "h.example/A/B"),
        ("ssh://git@h.example:2222/a/b.git", "h.example/a/b"),
        ("http://h.example/a/b?x=1", "h.example/a/b"),
        ("https://h.example/a/b.git@v1", "h.example/a/b"),
        ("https://h.example/a/b c", "h.example/a/b%20c"),
        ("localhost/a/b", "localhost/a/b"),
        ("https://github.com/a", None),
        ("https://h.example/a//b", None),
        ("https://h.example/a/../b/c", None),
        ("me@h.example:a/b.git", None),
        ("git@h.example:b.git", None),
        ("/srv/git/x.git", None),
        ("../x/y", None),
        ("file:///srv/git/x.git", None),
        ("C:\\x\\y", None),
        ("", None),
    ],
)
def test_a_repository_is_known_by_where_it_comes_from(address: str, source: str | None) -> None:
    """Each was asked."""
    assert source_of(address) == source


def test_a_key_can_stand_in_a_comment_and_has_its_host_in_small_letters() -> None:
    assert escaped("h.example/a;b<c>%20") == "h.example/a%3bb%3cc%3e%2520"
    assert (normal_key(" H.Example/A "), normal_key("path:/A"), normal_key("Name")) == (
        "h.example/A",
        "path:/A",
        "Name",
    )


def origin(address: str) -> dict[str, str | bytes]:
    return {"workspace/.git/config": f'[remote "origin"]\n\turl = {address}\n'}


def section(assembly: Assembly, name: str) -> Section:
    return next(each for each in assembly.sections if each.id == name)


def context(claw: Claw, files: dict[str, str | bytes] | None = None, **given: Any) -> Section:
    return section(claw(files, version="2026.9.6", **given), "extra_context")


@pytest.mark.parametrize(
    ("files", "key"),
    [
        (origin("git@github.com:Acme/Thing.git"), "github.com/Acme/Thing"),
        (origin("/srv/thing.git"), "path:{place}/workspace"),
        ({"workspace/.git/HEAD": ""}, "path:{place}/workspace"),
        ({".git/config": '[remote "origin"]\nurl = https://h.example/a/b\n'}, "h.example/a/b"),
        (
            {"workspace/.git": "gitdir: {place}/main/.git/worktrees/w\n",
             "main/.git/config": '[remote "origin"]\nurl = https://h.example/a/b\n'},
            "h.example/a/b",
        ),
    ],
    ids=["ssh", "a folder", "no origin", "around the workspace", "worktree"],
)  # fmt: skip
def test_in_a_repository_it_is_said_how_a_note_is_marked(
    claw: Claw, place: Path, files: dict[str, str | bytes], key: str
) -> None:
    files = {name: str(text).replace("{place}", str(place)) for name, text in files.items()}
    found = context(claw, files)
    assert found.present
    assert found.text.startswith("\n## Conversation Context\n")
    assert f"<!-- project: {key.format(place=place)} -->" in found.text


@pytest.mark.parametrize("session", ["agent:main:subagent:x", "agent:main:cron:job"])
def test_a_smaller_prompt_says_so_under_its_own_heading(claw: Claw, session: str) -> None:
    found = context(claw, origin("https://h.example/a/b"), sessionKey=session)
    assert found.text.startswith("\n## Subagent Context\n")


def test_it_follows_what_a_sub_agent_is_told(claw: Claw) -> None:
    found = context(claw, origin("https://h.example/a/b"), spawn={"task": "look"})
    assert "\n\nWhere a note" in found.text
    assert found.text.index("## Session Context") < found.text.index("<!-- project: h.example/a/b -->")


def test_outside_of_a_repository_there_is_no_such_section(claw: Claw) -> None:
    found = context(claw)
    assert not found.present
    assert "the workspace is in no git repository" in found.why.text
    assert not section(claw(origin("https://h.example/a/b")), "extra_context").present  # 2026.2.24


def test_passed_text_is_all_that_there_is(claw: Claw) -> None:
    found = context(claw, origin("https://h.example/a/b"), passed={"extraSystemPrompt": "mine"})
    assert found.text == "\n## Conversation Context\nmine"


NOTES = """# Notes
- anywhere
- here <!-- project: H.example/a/b -->
  and more
- elsewhere <!-- project: h.example/c/d -->
  with its lines
- both <!-- project: h.example/a/b; path:/x -->
- never closed <!-- project: h.example/a/b
## Rest
end
"""


def test_notes_of_another_repository_are_left_out(claw: Claw) -> None:
    files = {**origin("https://h.example/a/b"), "workspace/MEMORY.md": NOTES, "workspace/SOUL.md": NOTES}
    text = "".join(each.text for each in claw(files, version="2026.9.6").sections if each.present)
    assert "# Notes\n- anywhere\n- here <!-- project: H.example/a/b -->\n  and more\n## Rest\nend\n" in text
    assert text.count("with its lines") == 1  # in SOUL.md every line counts


@pytest.mark.parametrize(
    ("defaults", "own", "folder"),
    [
        ({"cwd": "/elsewhere"}, {}, "/elsewhere"),
        ({"cwd": "/elsewhere"}, {"cwd": "~/mine"}, "{place}/home/mine"),
        ({"cwd": "below"}, {}, "{place}/workspace/below"),
        ({"cwd": "."}, {}, None),
        ({"cwd": ""}, {}, None),
        ({}, {}, None),
    ],
)
def test_tools_may_work_in_another_folder(
    claw: Claw, place: Path, defaults: dict[str, Any], own: dict[str, Any], folder: str | None
) -> None:
    config = {"agents": {"defaults": defaults, "entries": {"main": {"default": True, **own}}}}
    found = section(claw(version="2026.9.6", config=config), "workspace")
    assert found.text.startswith("\n## Directory Roles\n" if folder else "\n## Workspace\n")
    assert f"Working directory: {(folder or '{place}/workspace').format(place=place)}" in found.text
    assert (f"Agent workspace: {place}/workspace" in found.text) is bool(folder)


def test_the_repository_may_be_that_of_the_folder_in_which_tools_work(claw: Claw, place: Path) -> None:
    config = {"agents": {"defaults": {"cwd": str(place / "other")}}}
    found = context(claw, {"other/.git/HEAD": ""}, config=config)
    assert f"path:{place}/other" in found.text
