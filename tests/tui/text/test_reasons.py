"""Of an agent that does not start, the cause is said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts
from tests.tui.support.user import running

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import Reason, SettingSource, Verdict
from promptscope_tui.text.reasons import is_usual, own_reason, refusal
from promptscope_tui.views.files.records import FilesShown
from promptscope_tui.views.files.rows import file_rows
from promptscope_tui.views.prompt.panels import Panels
from promptscope_tui.views.tools import tool_rows


def test_a_sentence_without_the_refusal() -> None:
    refused = "it does not start (no, never)"
    for text, own in (
        (f"absent: {refused}", "absent"),
        (f"absent: no such file and {refused}", "absent: no such file"),
        (f"absent: {refused} and the feature is off", "absent: the feature is off"),
        (f"absent: one, {refused} and two", "absent: one and two"),
        (f"absent: one, two and {refused}", "absent: one, two"),
        ("absent: no such file", "absent: no such file"),
    ):
        assert own_reason(Reason(text), refused) == own
    assert own_reason(Reason(f"absent: {refused}"), None) == f"absent: {refused}"


def test_no_row_repeats_why_an_agent_does_not_start(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    assembly = assemble(scenario_of(tmp_path, agent="gemini", mode=None, model=None, env={}))
    refused = refusal(assembly)
    assert refused is not None
    tools = [line for line in texts(tool_rows(assembly, 300)) if line.startswith("✗")]
    files = [
        line for line in texts(file_rows(FilesShown(assembly), 300)) if line.startswith("✗ ") and "client" not in line
    ]
    assert len(tools) > 10
    assert not any("refuses" in line for line in (*tools, *files[:5]))
    reasons = {panel.reason for panel in Panels(assembly).all}
    assert "absent" in reasons
    assert not any(refused in reason for reason in reasons)


@pytest.mark.slow
async def test_it_is_said_at_the_top_instead(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="gemini", mode=None, model=None, env={})) as user:
        assert user.app.main.error.has_class("-shown")
        assert "refuses to start" in str(user.app.main.error.render())
        user.app.main.show_snapshot(user.session.snapshot)
        assert user.app.main.error.has_class("-shown")


def test_a_reason_is_the_usual_one_unless_a_setting_decides() -> None:
    leaf = Verdict("flag", "x", True, True, True, "`x` is on", source=SettingSource("x", "/s.json", is_set=False))
    assert is_usual(Reason("always present"))
    assert is_usual(Reason("present: `x` is on", leaf))
    assert not is_usual(Reason("present: `x` is on", replace(leaf, source=SettingSource("x", "/s.json", line=3))))
    assert not is_usual(Reason("absent: `x` is off", replace(leaf, ok=False)))
