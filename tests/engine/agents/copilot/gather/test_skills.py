"""Which types front matter may have, and which tools an agent has whatever it names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Assembled


@pytest.mark.parametrize(
    ("name", "line", "listed"),
    [
        (".github/skills/a/SKILL.md", "argument-hint: [a, b]", False),
        (".github/skills/a/SKILL.md", "argument-hint: 7", False),
        (".github/skills/a/SKILL.md", "argument-hint:", True),
        (".github/skills/a/SKILL.md", 'argument-hint: "[a]"', True),
        (".github/skills/a/SKILL.md", "metadata: [a]", True),
        (".github/skills/a/SKILL.md", "user-invocable: text", False),
        (".claude/commands/a.md", "user-invocable: text", True),
        (".claude/commands/a.md", "argument-hint: [a]", False),
        (".github/agents/a.agent.md", "mcp-servers:", True),
        (".github/agents/a.agent.md", "github: text", False),
        (".github/agents/a.agent.md", "hooks: [a]", False),
        (".github/agents/a.agent.md", "argument-hint: [a]", True),
    ],
)
def test_a_key_of_another_type_drops_the_file(assembled: Assembled, name: str, line: str, *, listed: bool) -> None:
    found = assembled({f"ws/{name}": f"---\nname: a\ndescription: Packs.\n{line}\n---\nB\n"})
    (row,) = (row for row in found.files if row.path.endswith(name))
    assert row.present is listed


def test_an_agent_has_sql_whatever_it_names(assembled: Assembled) -> None:
    files = {"ws/.github/agents/a.agent.md": "---\nname: a\ndescription: Packs.\ntools: [view]\n---\nB\n"}
    found = assembled(files, args={"agent": "a"})
    (tool,) = (tool for tool in found.tools if tool.name == "sql")
    assert tool.present
    assert "`tools`" not in str(tool.why.condition)


SETTINGS = "home/.copilot/settings.json"


def test_sub_agents_that_are_disabled_are_not_offered(assembled: Assembled) -> None:
    off = json.dumps({"subagents": {"disabledSubagents": ["explore", "own"]}})
    agent = "---\nname: own\ndescription: mine\n---\nx\n"
    (task,) = (
        each for each in assembled({SETTINGS: off, "ws/.github/agents/own.md": agent}).tools if each.name == "task"
    )
    kinds = task.input_schema["properties"]["agent_type"]["enum"]
    assert "explore" not in kinds
    assert "own" not in kinds
    assert "general-purpose" in kinds


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ({"explore": {"model": "gpt-5.4-mini"}}, "- explore: gpt-5.4-mini"),
        ({"explore": {"model": "inherit"}}, ""),
        ({"explore": {"model": ""}}, ""),
        ({"nobody": {"model": "gpt-5.4-mini"}}, ""),
    ],
)
def test_models_that_were_chosen_for_sub_agents_are_told(
    assembled: Assembled, agents: dict[str, Any], said: str
) -> None:
    section = assembled({SETTINGS: json.dumps({"subagents": {"agents": agents}})}).section("subagent_model_preferences")
    assert section is not None
    assert (said in section.text.split("\n") and section.present) is bool(said)


@pytest.mark.parametrize(
    ("server", "counts"),
    [
        ("tools: ['*']\n    command: x\n    args: []", True),
        ("tools: ['*']\n    command: x", False),
        ("command: x\n    args: []", False),
        ("tools: ['*']\n    url: http://x", True),
    ],
)
def test_a_server_of_an_agent_is_whole_or_the_agent_is_dropped(assembled: Assembled, server: str, counts: bool) -> None:
    text = f"---\nname: own\ndescription: mine\nmcp-servers:\n  s:\n    {server}\n---\nx\n"
    (task,) = (each for each in assembled({"ws/.github/agents/own.md": text}).tools if each.name == "task")
    assert ("own" in task.input_schema["properties"]["agent_type"]["enum"]) is counts


def test_what_a_custom_agent_is_sent_is_not_modelled_and_it_says_so(assembled: Assembled) -> None:
    files = {"ws/.github/agents/a.agent.md": "---\nname: a\ndescription: d\n---\nB\n"}
    (note,) = (note for note in assembled(files).diagnostics if note.code == "subagent-requests")
    assert note.path is not None
    assert note.path.endswith(".github/agents/a.agent.md")
    for params in ({}, {"args": {"agent": "a"}}):
        found = assembled(files if params else {}, **params)
        assert ("subagent-requests" in [note.code for note in found.diagnostics]) is (not params)


@pytest.mark.parametrize(
    ("hidden", "other", "listed"),
    [
        ("ws/.github/skills/h/SKILL.md", "home/.copilot/skills/same/SKILL.md", False),
        ("ws/.github/skills/h/SKILL.md", "ws/.claude/commands/same.md", False),
        ("home/.copilot/skills/h/SKILL.md", "ws/.github/skills/same/SKILL.md", True),
    ],
)
def test_a_skill_that_is_kept_from_the_model_has_its_name_all_the_same(
    assembled: Assembled, hidden: str, other: str, *, listed: bool
) -> None:
    text = "---\nname: same\ndescription: d\n{}---\nx\n"
    found = assembled({hidden: text.format("disable-model-invocation: true\n"), other: text.format("")})
    section = found.section("tools.skill")
    assert section is not None
    assert ("<name>same</name>" in section.text) is listed
