"""What can be copied of a request, and what is said about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running

from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import to_json
from promptscope_tui.views.subjects import blocks
from promptscope_tui.views.under_cursor import request_json, request_text, system_prompt

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("agent", [agent.id for agent in all_agents()])
def test_the_whole_request_is_copied_as_text_and_as_json(tmp_path: Path, agent: str) -> None:
    roo_shop_at(tmp_path)
    assembly = assemble(scenario_of(tmp_path, agent=agent, mode=None, model=None))
    text = request_text(assembly).text
    for name, block in blocks(assembly.request).items():
        assert block.text in text
        assert name.field != "tools" or "\n=== tool " in text
    body = json.loads(request_json(assembly).text)
    whole = to_json(assembly.request)
    assert isinstance(whole, dict)
    assert {**body, "protocol": whole["protocol"]} == whole


async def test_what_was_copied_is_said_with_its_part_of_the_whole(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        await user.press("Y")
        assert user.app.clipboard == assembly.system_text
        system, whole = assembly.tokens.by_channel["system"], assembly.tokens.total
        said = f"copied the system prompt ({system:,} of {whole:,} tok): {len(assembly.system_text):,} characters"
        assert system_prompt(assembly).name in user.note
        assert said in user.note
        await user.press("ctrl+y", *"json", "enter")
        assert user.app.clipboard == request_json(assembly).text
        assert "as JSON" in user.note
