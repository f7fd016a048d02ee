"""The sections of messages: what a model or a file makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .prompts import section

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project


@pytest.mark.parametrize(("model", "starts_agents"), [("claude-opus-5", False), ("claude-opus-5-1", True)])
def test_opus_5_starts_no_agents_unasked(project: Project, model: str, starts_agents: bool) -> None:
    assembly = project.assemble(model=model, mode="plan")
    assert ("agents.parallel" in builtin_ids(assembly, "agents")) is starts_agents
    planned = builtin_ids(assembly, "plan_mode")
    assert ("plan_mode.explore.agents" in planned) is starts_agents
    assert ("plan_mode.explore_directly" in planned) is not starts_agents


def builtin_ids(assembly: Assembly, section_id: str) -> set[str]:
    return {fragment.origin.id or "" for fragment in section(assembly, section_id).fragments}


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-5"])
def test_instructions_on_memory_move_as_they_are(project: Project, model: str) -> None:
    """From the system prompt, whose layout differs, to messages of the same layout."""
    args = {"print": True, "excludeDynamicSystemPromptSections": True}
    stays = section(project.assemble(model=model), "memory_instructions")
    moved = section(project.assemble(model=model, params={"args": args}), "memory_instructions.moved")
    assert len(stays.text) > 1_000
    assert moved.heading == stays.heading == f"# {moved.title}"
    assert stays.text.strip() in moved.text
