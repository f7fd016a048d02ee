"""What Codex's package offers beyond the prompt: the account of the window."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from promptscope_engine.agents.codex.agent import CODEX
from promptscope_engine.agents.features import ReportsContext
from promptscope_engine.prompt.model import ToolTokens

from .conftest import Codex
from .test_request import SERVER


def test_the_account_names_what_a_person_can_change(codex: Codex) -> None:
    assert isinstance(CODEX, ReportsContext)
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "Always test.\n" * 40, "home/.codex/AGENTS.md": "Be brief."}
    answer = codex(files, model="x", counted=True, servers=[SERVER], settings={"developer_instructions": "In English."})
    account = CODEX.context(answer.assembly, {})
    rows = {row.name: row.tokens for row in account.categories}
    assert list(rows) == [
        "Base instructions", "Tools", "MCP tools", "Developer instructions", "Client's own parts", "Skills",
        "AGENTS.md", "Environment", "Messages", "Free space",
    ]  # fmt: skip
    assert account.used == pytest.approx(answer.assembly.tokens.expected, abs=len(rows))
    sections = [s for s in answer.assembly.sections if s.present and s.id.startswith("agents_md")]
    assert rows["AGENTS.md"] == sum(section.expected_tokens or 0 for section in sections)
    assert rows["Messages"] == answer.section("prompt").expected_tokens
    assert account.window == 258_400


def test_hidden_tools_are_counted_once(codex: Codex) -> None:
    answer = codex(model="gpt-6.1-sol", counted=True, servers=[SERVER])
    account = CODEX.context(answer.assembly, {})
    rows = {row.name: row.tokens for row in account.categories}
    assert account.used == pytest.approx(answer.assembly.tokens.expected, abs=len(rows))
    assert "MCP tools" not in rows
    assert rows["Deferred tools"]
    assert rows["Sub-agents"]


def test_tools_of_servers_are_told_from_those_of_the_client(codex: Codex) -> None:
    """The client's own tools for resources are in the group of the servers'; other tools of it have namespaces."""
    answer = codex(model="x", counted=True, servers=[SERVER])
    rows = {row.name: row.tokens for row in CODEX.context(answer.assembly, {}).categories}
    there = [tool for tool in answer.assembly.tools if tool.present]
    of_servers = sum(tool.tokens.expected or 0 for tool in there if tool.name.startswith("mcp__"))
    assert rows["MCP tools"] == of_servers
    assert rows["Tools"] == sum(tool.tokens.expected or 0 for tool in there) - of_servers


def test_a_full_window_has_no_free_space(codex: Codex) -> None:
    answer = codex(counted=True, settings={"model_context_window": 100})
    assert "Free space" not in [row.name for row in CODEX.context(answer.assembly, {}).categories]


def test_a_base_of_ones_own_is_told_as_one(codex: Codex) -> None:
    answer = codex(counted=True, settings={"instructions": "Be brief. " * 50})
    rows = {row.name: row.tokens for row in CODEX.context(answer.assembly, {}).categories}
    assert rows["Base instructions"] == answer.section("base").expected_tokens


def test_what_was_not_counted_takes_nothing(codex: Codex) -> None:
    assembly = codex().assembly
    sections = tuple(replace(section, expected_tokens=None) for section in assembly.sections)
    nothing = ToolTokens(None, None, None)
    tools = tuple(replace(tool, tokens=nothing) for tool in assembly.tools)
    account = CODEX.context(replace(assembly, sections=sections, tools=tools), {})
    assert [row.name for row in account.categories] == ["Free space"]
