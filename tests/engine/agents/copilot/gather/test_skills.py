"""Which types front matter may have, and which tools an agent has whatever it names."""

from __future__ import annotations

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
