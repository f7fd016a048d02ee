"""Edits as they are made on what is shown, as plain functions over an assembly."""

from __future__ import annotations

from msgspec.structs import replace

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.inputs.edits import Edit
from promptscope_engine.prompt.model import Section
from promptscope_engine.workspace.disk import EmptyDisk
from promptscope_tui.session.experiments import MOST, Experiment, dropped, editable, edited_words, moved, replaced
from promptscope_tui.session.snapshot import Snapshot


def _assembly(*edits: Edit) -> Assembly:
    values = {"agent": "roo", "workspace": "/w", "home": "/h", "env": {}, "environment": {"platform": "linux"}}
    scenario = Scenario.model_validate(values).model_copy(update={"edits": list(edits)})
    return assemble(scenario, Workspace(EmptyDisk()), cached_only=True)


def _section(assembly: Assembly, section_id: str) -> Section:
    found = assembly.section(section_id)
    assert found is not None
    return found


def _made(experiment: Experiment) -> list[dict[str, object]]:
    return [edit.model_dump(exclude_unset=True) for edit in experiment.edits or ()]


SHOWN = _assembly()


def test_a_section_is_dropped_and_brought_back() -> None:
    gone = dropped((), _section(SHOWN, "rules"))
    assert _made(gone) == [{"drop": "rules"}]
    after = _assembly(*gone.edits or ())
    back = dropped(gone.edits or (), _section(after, "rules"))
    assert (back.edits, back.words) == ((), "rules is back")
    assert dropped((), _section(SHOWN, "mcp_servers")) == Experiment("mcp_servers is absent already")


def test_a_tool_is_dropped_by_its_name() -> None:
    tool = next(tool for tool in SHOWN.tools if tool.present)
    assert _made(dropped((), tool)) == [{"drop_tool": tool.name}]


def test_a_section_moves_among_those_that_stand() -> None:
    beside = [s.id for s in SHOWN.sections if s.present and s.parent is None and s.channel == "system"]
    at = beside.index("rules")
    up = moved((), SHOWN, _section(SHOWN, "rules"), -1)
    assert _made(up) == [{"move": "rules", "before": beside[at - 1]}]
    shown = _assembly(*up.edits or ())
    again = moved(up.edits or (), shown, _section(shown, "rules"), -1)
    assert _made(again) == [{"move": "rules", "before": beside[at - 2]}]
    back = moved(up.edits or (), shown, _section(shown, "rules"), 1)
    assert [s.id for s in _assembly(*back.edits or ()).sections] == [s.id for s in SHOWN.sections]
    assert moved((), SHOWN, _section(SHOWN, beside[0]), -1).words == f"{beside[0]} is the first here already"
    assert moved((), SHOWN, _section(SHOWN, beside[-1]), 1).edits is None
    assert moved((), SHOWN, _section(SHOWN, "mcp_servers"), 1).edits is None


def test_a_second_text_takes_the_place_of_the_first() -> None:
    rules = _section(SHOWN, "rules")
    once = replaced((), rules, "One.")
    assert _made(replaced(once.edits or (), rules, "Two.")) == [{"replace": "rules", "text": "Two."}]


def test_what_no_editor_can_hold_is_refused() -> None:
    rules = _section(SHOWN, "rules")
    assert editable(rules, "a\tb\n" + "x" * (MOST - 4)) is None
    assert "replace it by a `file`" in (editable(rules, "x" * (MOST + 1)) or "")
    assert "no editor here can show" in (editable(rules, "a\x1b[2J") or "")
    assert "absent" in (editable(_section(SHOWN, "mcp_servers"), "x") or "")


def test_the_header_says_what_the_edits_change() -> None:
    scenario = Scenario.model_validate({})
    tokens = replace(SHOWN.tokens, expected=8_000)
    edited = replace(SHOWN, edited=True, tokens=tokens)
    assert edited_words(Snapshot(scenario, SHOWN, unedited=9_204)) == ""
    assert edited_words(Snapshot(scenario, edited, unedited=9_204)) == "edited, −1,204"
    assert edited_words(Snapshot(scenario, edited, unedited=8_000)) == "edited, ±0"
    assert edited_words(Snapshot(scenario, edited)) == "edited"
