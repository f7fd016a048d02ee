"""Placed sections as a request of the Anthropic shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.kit.built_in import messages, system_blocks, system_text
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section


@pytest.fixture
def section(tmp_path: Path) -> Section:
    """A section that says `x`."""
    scenario = Scenario(agent="openclaw", workspace=str(tmp_path), home=str(tmp_path), mode="none", env={})
    identity = assemble(scenario, Workspace(), cached_only=True).section("identity")
    assert identity is not None
    return replace(identity, fragments=(replace(identity.fragments[0], text="x"),))


def block(text: str, **more: object) -> dict[str, object]:
    return {"type": "text", "text": text, **more}


def test_neighbours_of_a_block_are_one_text(section: Section) -> None:
    placed = [
        (Place("a"), section), (Place("a"), section), (Place("b"), section),
        (Place("a", 0), section), (Place("b", 0), section), (Place("b", 1), section),
        (Place("b", 1, "assistant"), section), (Place("c", 2, "assistant"), section),
    ]  # fmt: skip
    cache = {"b": {"type": "ephemeral"}}
    assert system_blocks(placed, cache) == (block("xx"), block("x", cache_control={"type": "ephemeral"}))
    assert system_text(placed) == (block("xxx"),)
    assert system_text([]) == (block(""),)
    assert messages(placed) == [
        {"role": "user", "content": [block("x"), block("x")]},
        {"role": "user", "content": [block("x")]},
        {"role": "assistant", "content": [block("x")]},
        {"role": "assistant", "content": [block("x")]},
    ]
    assert messages([(Place("a"), section)]) == []
