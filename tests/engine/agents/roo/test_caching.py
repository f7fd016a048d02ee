"""What stays cached of a task's requests."""

from __future__ import annotations

from typing import Any

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.roo.agent import Roo
from promptscope_engine.prompt.model import Assembly


def made(folder: Any, **params: Any) -> Assembly:
    (folder / "home").mkdir(exist_ok=True)
    (folder / "AGENTS.md").write_text("Be brief.\n")
    (folder / ".roo" / "rules").mkdir(parents=True, exist_ok=True)
    (folder / ".roo" / "rules" / "a.md").write_text("Short names.\n")
    return assemble(Scenario(agent="roo", workspace=str(folder), home=str(folder / "home"), params=params, env={}))


def test_a_rule_file_keeps_what_stands_before_it(tmp_path: Any) -> None:
    assembly = made(tmp_path, task="Fix it")
    shown = {f.path.rsplit("/", 1)[-1]: f.path for f in assembly.files if f.present}
    agents, rules = (Roo().forecast(assembly, shown[name]) for name in ("AGENTS.md", "a.md"))
    assert 0 < agents.cached == agents.unchanged
    assert agents.cached < rules.cached < rules.total
    nothing = Roo().forecast(assembly, "other.txt")
    assert (nothing.section, nothing.cached) == (None, nothing.total)
    assert "if it is a setting" in nothing.note


def test_another_mode_changes_the_beginning(tmp_path: Any) -> None:
    assembly = made(tmp_path, task="Fix it")
    present = [section for section in assembly.sections if section.present]
    told = {e: {s.id: Roo().cache_effect(assembly, s, e).what for s in present} for e in Roo().events}
    assert list(told) == ["attempt", "mode", "task"]
    assert [told[event]["role"] for event in told] == ["kept", "computed", "kept"]
    assert [told[event]["user.task"] for event in told] == ["kept", "kept", "computed"]
    assert all(set(effects) == {s.id for s in assembly.sections if s.present} for effects in told.values())


def test_no_fixed_text_stands_in_front(tmp_path: Any) -> None:
    assembly = made(tmp_path)
    first = next(s for s in assembly.sections if s.present)
    assert first.stability != "static"
    assert Roo().boundary(assembly) is None
