"""What Codex's package offers beyond the prompt: the account of the window."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.codex.agent import CODEX
from promptscope_engine.agents.features import ReportsContext

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
    assert account.window == 258_400


def test_hidden_tools_are_counted_once(codex: Codex) -> None:
    answer = codex(model="gpt-6.1-sol", counted=True, servers=[SERVER])
    account = CODEX.context(answer.assembly, {})
    rows = {row.name: row.tokens for row in account.categories}
    assert account.used == pytest.approx(answer.assembly.tokens.expected, abs=len(rows))
    assert "MCP tools" not in rows
    assert rows["Deferred tools"]
    assert rows["Sub-agents"]
