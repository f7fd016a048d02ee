"""Where an agent compacts is said in the same way everywhere, and only as far as it is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import texts

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.commands.window import header
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.views.bars.budget import figures
from promptscope_tui.views.subjects import WindowSubject
from promptscope_tui.views.transcript import transcript_rows
from promptscope_tui.views.why.pages import why_page
from promptscope_tui.views.window.rows import by_origin, context_rows, own_account

VERSIONS = [(agent.id, version) for agent in all_agents() for version in agent.versions]
KNOWN = {
    "roo": "by its source",
    "codex": "by its source",
    "copilot": "if the window is so large",
    "gemini": "by its own estimate",
    "openclaw": "by its documentation",
    "opencode": "by its source",
}
OBSERVED = [
    ("claude-code", "2.1.100"),
    ("claude-code", "2.1.332"),
    ("codex", "0.169.0"),
    ("codex", "0.171.0"),
    ("openclaw", "2026.9.6"),
]


def assembled(folder: Path, agent: str, version: str) -> Assembly:
    asked = {
        "agent": agent,
        "agent_version": version,
        "workspace": str(folder),
        "home": str(folder / "home"),
        "env": {},
    }
    return assemble(Scenario.model_validate(asked), Workspace())


def said(assembly: Assembly) -> dict[str, str]:
    """What each place of the app and the command says of compaction."""
    tokens = assembly.tokens
    report = own_account(load_agent(assembly.agent), assembly, Scenario(agent=assembly.agent)) or by_origin(assembly)
    scenario = Scenario(agent=assembly.agent)
    page = why_page(WindowSubject(), Snapshot(scenario, assembly), AgentInputs.of(load_agent(assembly.agent), scenario))
    talk = Transcript((Turn(1, "user", 10, tokens.window - 1, text="x"),), base=1_000)
    return {
        "header": "".join(span.text for span in figures(tokens, 200, "≈")),
        "window": "\n".join(texts(context_rows(report, 400))),
        "why": "\n".join(texts(page.rows)),
        "command": header(report),
        "conversation": "\n".join(texts(transcript_rows(talk, tokens, 400))),
    }


@pytest.mark.parametrize(("agent", "version"), VERSIONS)
def test_a_point_of_compaction_is_told_only_where_there_is_one(tmp_path: Path, agent: str, version: str) -> None:
    assembly = assembled(tmp_path, agent, version)
    told, at = said(assembly), assembly.tokens.compact_at
    if at is None:
        quiet = ("header", "window", "why")  # a thing that is not known is no news there
        assert [place for place in quiet if "not observed" in told[place]] == []
        assert [place for place in ("command", "conversation") if "compact" not in told[place]] == []
        assert [place for place, text in told.items() if "compacts at" in text or "would compact" in text] == []
    else:
        assert [place for place, text in told.items() if f"{at:,}" not in text] == []
        known = [place for place in ("why", "command", "conversation") if KNOWN.get(agent, "source") in told[place]]
        assert known == ([] if (agent, version) in OBSERVED else ["why", "command", "conversation"])
    assert [place for place, text in told.items() if "never" in text] == []
