"""The largest parts of a prompt as a table."""

from __future__ import annotations

from pathlib import Path

from rich.cells import cell_len
from tests.tui.support.roo_shop import texts

from promptscope_engine import assemble
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.views.window.view import largest_rows, part_rows


def test_numbers_stand_below_each_other_beside_wide_titles(tmp_path: Path) -> None:
    rules = tmp_path / ".roo/rules"
    rules.mkdir(parents=True)
    (rules / "所有提交信息请使用英文.md").write_text("Be kind. " * 3000)
    assembly = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}))
    rows = list(largest_rows(assembly, 120))[1:]
    assert "所有提交信息请使用英文.md" in rows[0].left[1].text
    assert [cell_len(each.left[1].text) for each in rows[:5]] == [cell_len(rows[0].left[1].text)] * 5
    last = texts([rows[-1]])[0]
    assert "the whole request " in last
    assert f" {assembly.tokens.expected:,} " in last


def test_the_parts_of_the_prompt_are_in_the_order_in_which_they_are_sent(tmp_path: Path) -> None:
    def parts(api: str) -> list[str]:
        scenario = Scenario(
            agent="openclaw", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}, params={"api": api}
        )
        return texts(part_rows(assemble(scenario), load_agent("openclaw"), 120))[1:-1]

    static, dynamic, message, carrier = parts("anthropic-messages")
    assert "system, static" in static
    assert "system, dynamic" in dynamic
    assert ("The user's message" in message, "What OpenClaw tells the model besides" in carrier) == (True, True)
    assert "The runtime line, behind the first message" in parts("openai-completions")[3]
    roo = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}))
    assert not list(part_rows(roo, load_agent("roo"), 120))
