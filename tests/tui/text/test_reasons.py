"""A reason in a sentence; of an agent that does not start, the cause is said once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts
from tests.tui.support.user import running

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import Reason, SettingSource, SourceFile, Verdict
from promptscope_tui.text.reasons import by_hand, is_usual, own_reason, refusal, sentence
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


def file(why: Reason, **more: Any) -> SourceFile:
    """A file with a reason, which is loaded always unless it is said."""
    given: dict[str, Any] = {"kind": "claude-md", "load": "always", "present": True, **more}
    rest = {"bytes": 5, "raw_chars": 5, "injected_chars": 5, "truncated": False, "tokens": 1}
    return SourceFile("a.md", "/a.md", why=why, **{**rest, **given})


LEAF = Verdict("flag", "x", True, True, True, "`x` is on", source=SettingSource("x", "/s.json", is_set=False))
SET = replace(LEAF, source=SettingSource("x", "/s.json", line=3))
USUAL = Reason("present: `x` is on", LEAF)


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({}, "always"),
        ({"load": "import"}, "imported"),
        ({"kind": "settings", "injected_chars": 0}, "read"),
        ({"kind": "skill", "load": "on-demand"}, "listed"),
        ({"kind": "command", "load": "always"}, "listed"),
        ({"load": "conditional"}, "`x` is on"),
    ],
)
def test_what_is_there_as_anybody_has_it_is_a_word(more: dict[str, Any], word: str) -> None:
    assert sentence(file(USUAL, **more)) == word
    assert is_usual(file(USUAL, **more)) is (word != "`x` is on")


def test_what_somebody_has_set_is_said() -> None:
    assert sentence(file(Reason("present: `x` is on", SET))) == "`x` is on"
    both = Verdict("all", "", True, True, True, "`x` is on and y", (SET, replace(LEAF, text="y")))
    assert sentence(file(Reason("present: `x` is on and y", both))) == "`x` is on"
    variable = replace(LEAF, source=SettingSource("X", is_set=True, overlay="env.X"))
    assert sentence(file(Reason("present: `X` is set", variable))) == "`x` is on"
    assert not is_usual(file(Reason("absent: `x` is off", replace(LEAF, ok=False)), present=False))


def test_what_became_of_a_file_is_said_and_which_file_brought_it_in() -> None:
    cut = Verdict("file", "a.md", True, True, True, "cut in line 3", (LEAF,))
    assert sentence(file(Reason("present: cut in line 3", cut))) == "cut in line 3"
    woken = Verdict("file", "b.ts", True, "b.ts", True, "loaded by reading b.ts")
    both = Verdict("all", "", True, True, True, "loaded by reading b.ts and `x` is on", (woken, LEAF))
    assert sentence(file(Reason("present: …", both), load="conditional")) == "loaded by reading b.ts"


def test_what_is_absent_is_so_for_what_fails() -> None:
    absent = file(Reason("absent: no such file and it does not start"), present=False)
    assert sentence(absent) == "no such file and it does not start"
    assert sentence(absent, "it does not start") == "no such file"


def test_a_file_of_one_s_own_is_shortened_before_a_switch_is_set() -> None:
    assert by_hand(file(USUAL)) == "delete or shorten a.md"
    assert by_hand(file(USUAL, kind="skill")) == "delete a.md or shorten its description"
    assert by_hand(file(USUAL, injected_chars=0)) == ""
    assert by_hand(file(USUAL, present=False)) == ""
