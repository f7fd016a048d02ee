"""Controls: every switch with its effect, before it is touched; values edited in place."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import inputs_of, roo_shop_at, scenario_of, texts
from tests.tui.support.user import PATIENCE, User, running
from textual.widgets import Input, TextArea

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.prompt.model import DerivedParam, Reason
from promptscope_tui.session.inputs import AgentInputs, as_text
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.views.controls.rows import Looking, control_rows, next_value, sorted_by_group
from promptscope_tui.views.subjects import SwitchSubject
from promptscope_tui.widgets.messages import Updated
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def test_every_switch_shows_its_effect(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), effects=True) as user:
        snapshot = user.session.snapshot
        inputs = AgentInputs.shown(snapshot)
        assert inputs
        lines = texts(control_rows(snapshot, inputs, 34))
        effect = snapshot.effect("supportsComputerUse", False)
        assert effect is not None
        assert f"◉ supportsComputerUse  derived  −{-effect.tokens:,}" in lines, "one row, with what the other way saves"
        assert not any("derived: multi" in line for line in lines)
        assert any(line.startswith("◉ diffEnabled  −") for line in lines)
        assert any(line.startswith("◉ code  ") for line in lines)
        assert any("docs-writer" in line for line in lines)
        assert not any("…" in line.rsplit("  ", 1)[-1] for line in lines if line.startswith(("◉", "○")))
        unknown = Snapshot(snapshot.scenario, snapshot.assembly)
        assert "◉ diffEnabled  …" in texts(control_rows(unknown, inputs, 34)), "not known yet"

        lines = user.app.main.controls.switches.plain.splitlines()
        line = next(n for n, text in enumerate(lines) if "supportsComputerUse" in text)
        await user.hover("#switches", offset=(4, line))
        await user.pause()
        assert "WHAT THE AGENT MAKES OF IT" in user.why.text, "hovering a switch explains it"
        user.why.shows("− browser_action")
        assert user.scenario.params == {}

        await space_flips_u_undoes_and_why_says_what_would_change(user)


@pytest.mark.parametrize("model", [None, "claude-haiku-4-5"])
def test_the_model_is_named_that_counts_whoever_chose_it(tmp_path: Path, model: str | None) -> None:
    roo_shop_at(tmp_path)
    scenario = scenario_of(tmp_path, agent="claude-code", mode=None, model=model)
    assembly = assemble(scenario)
    rows = control_rows(Snapshot(scenario, assembly), AgentInputs.of(load_agent("claude-code"), scenario), 34)
    shown = next(row.left[-1] for row in rows if row.key == SwitchSubject("model"))
    assert (shown.text, shown.tone) == (assembly.model, "param" if model else "faint")


async def space_flips_u_undoes_and_why_says_what_would_change(user: User) -> None:
    await user.press("n", "f")
    assert user.note == "nothing in the prompt has changed; / searches it"
    user.app.main.controls.switches.go_to(SwitchSubject("diffEnabled"))
    await user.press("U")
    assert user.note == "nothing to reset"
    why = user.why.text
    assert "IF SET TO OFF" in why
    assert "− apply_diff" in why
    await user.press("space")
    assert user.scenario.params == {"diffEnabled": False}
    assert user.app.main.controls.switches.key == SwitchSubject("diffEnabled"), "the cursor stays on the switch"
    await user.press("U")
    assert user.scenario.params == {}
    assert user.note.startswith("back to the scenario at startup")
    await user.press("u", "u")
    assert (user.scenario.params, user.session.snapshot.can_undo) == ({}, False)


def test_what_was_set_by_hand_does_not_tell_what_would_be_derived(tmp_path: Path) -> None:
    scenario = Scenario(agent="gemini", workspace=str(tmp_path), home=str(tmp_path), params={"trusted": True})
    snapshot = Snapshot(scenario, assemble(scenario, cached_only=True))
    inputs = AgentInputs.shown(snapshot)
    assert inputs
    lines = [line.rstrip(" …") for line in texts(control_rows(snapshot, inputs, 34))]
    assert "◉ trusted" in lines


def test_what_is_set_or_derived_comes_first_and_the_variables_are_folded(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "language": "French"\n}\n', encoding="utf-8")
    params = {"args": {"print": True}}
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path / "home"), params=params)
    snapshot = Snapshot(scenario, assemble(scenario, cached_only=True))
    inputs = AgentInputs.shown(snapshot)
    assert inputs

    def lines(variables: bool = False, needle: str = "") -> list[str]:
        looking = Looking(variables=variables, needle=needle)
        return [line.rstrip(" …") for line in texts(control_rows(snapshot, inputs, 60, looking))]

    at = lines().index("SET OR DERIVED  f")
    first = lines()[at : lines().index("", at)]
    assert "◉ --print" in first
    assert [line.strip() for line in first if "French" in line] == ["language  derived: French"]
    assert first[first.index("  language  derived: French") + 1].strip() == "in .claude/settings.json:2"
    assert lines()[-1].startswith("▸ ENVIRONMENT VARIABLES")
    assert "  DISABLE_TELEMETRY" in lines(variables=True)
    assert "  DISABLE_TELEMETRY" in lines(needle="telemetry"), "a search looks into what is folded"
    assert not any("language" in line for line in lines(needle="telemetry"))


@pytest.mark.parametrize(("start", "steps"), [(True, [False, None, False]), (None, [True, False, None])])
def test_enter_goes_round_what_a_switch_can_be(start: bool | None, steps: list[bool | None]) -> None:
    """From what is derived to its opposite and back; where nothing is derived, through on and off to not set."""
    choices = (("on", True), ("off", False), ("not set", None))
    field = ParamField("x", "x", "", "enum", None, "", choices)
    derived = {"x": DerivedParam("x", start, start, False, Reason(""))} if start is not None else {}
    agent, value = load_agent("roo"), None
    for expected in steps:
        value = next_value(field, AgentInputs(agent, (field,), {"x": value}, derived))
        assert value is expected


async def test_an_answer_shows_the_switch_first_and_its_effects_once_it_is_drawn(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), effects=True) as user:
        controls = user.app.main.controls

        def line(title: str) -> str:
            return next(line for line in controls.switches.plain.splitlines() if title in line)

        before = user.session.snapshot
        assert line("todoListEnabled").startswith("◉")
        assert "−" in line("todoListEnabled")
        scenario = before.scenario.with_value("diffEnabled", False)
        after = replace(before, scenario=scenario, effects={})
        inputs = AgentInputs.of(inputs_of(tmp_path).agent, scenario)
        controls.show_switches(after, inputs)
        assert line("diffEnabled").startswith("○")
        assert "−" in line("todoListEnabled"), "to draw these again would take long"
        controls.show(after, inputs)
        assert line("diffEnabled").startswith("○")
        assert line("todoListEnabled").endswith("…")
        assert "−" not in controls.switches.plain, "those of the scenario before are wrong"

        controls.show(before, inputs)
        assert "−" in controls.switches.plain
        other = Scenario(agent="codex")
        controls.show_switches(Snapshot(other), AgentInputs.of(load_agent("codex"), other))
        assert "−" not in controls.switches.plain, "another agent's say nothing of these switches"
        user.app.main.show_snapshot(before)
        await user.settle()


async def test_a_note_on_a_switch_follows_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.settle()
        monkeypatch.setattr("promptscope_tui.screens.drawing.DELAY", PATIENCE)
        main, shown = user.app.main, user.session.snapshot
        main.note("a word")
        assert user.note == "a word"
        answered = replace(shown, scenario=shown.scenario.with_value("diffEnabled", False))
        monkeypatch.setattr(user.session, "snapshot", answered)
        main.note("it is set")
        assert user.note == "a word", "its answer is there, and on its way to the screen"
        main.on_updated(Updated(answered))
        main.note("it is off")
        assert user.note == "a word", "it is being drawn"
        await user.settle()
        assert user.note == "it is off"


def test_groups_stand_together(tmp_path: Path) -> None:
    groups = [f.group for f in sorted_by_group(inputs_of(tmp_path).fields)]
    assert len(list(dict.fromkeys(groups))) == 1 + sum(a != b for a, b in pairwise(groups))


async def test_an_enum_is_a_choice_of_values_and_a_mode_taken_by_a_click(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        ready = next(
            r.key
            for r in user.app.main.controls.switches.rows
            if isinstance(r.key, SwitchSubject) and r.key.param == "codeIndex" and r.left[1].text == "ready"
        )
        user.app.main.controls.switches.focus()
        user.app.main.controls.switches.go_to(ready)
        await user.press("enter")
        snapshot = await user.settle()
        assert snapshot.assembly is not None
        tool = next(t for t in snapshot.assembly.tools if t.name == "codebase_search")
        assert tool.present

        lines = user.app.main.controls.switches.plain.splitlines()
        line = next(n for n, text in enumerate(lines) if "ask" in text)
        await user.click("#switches", offset=(4, line))
        assert user.scenario.mode == "ask"


async def test_a_number_is_edited_in_place_and_validated(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        controls = user.app.main.controls
        controls.switches.focus()
        controls.switches.go_to(SwitchSubject("settings.maxConcurrentFileReads"))
        await user.press("enter")
        line = controls.query_one("#value-line", Input)
        await user.press(*"xx", "escape")
        assert not line.display, "escape leaves the editor without a change"
        assert user.scenario.params == {}
        await user.press("enter")
        assert line.value == "5"
        line.value = "many"
        await user.press("enter")
        rows = controls.switches.plain.splitlines()
        at = next(n for n, text in enumerate(rows) if "maxConcurrentFileReads" in text)
        assert rows[at + 1].strip() == "", "the line is laid over an empty row"
        assert "✗ expected an integer" in " ".join(map(str.strip, rows[at + 2 : at + 5]))
        assert line.region.y == controls.switches.region.y + at + 1 - controls.switches.scroll_offset.y
        line.value = "-1"
        await user.press("enter")
        assert "greater than" in " ".join(controls.switches.plain.split())
        line.value = "1"
        await user.press("enter")
        assert user.scenario.params == {"settings": {"maxConcurrentFileReads": 1}}
        assert controls.switches.has_focus


async def test_the_last_value_is_edited_in_view(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (140, 30)) as user:
        controls = user.app.main.controls
        controls.switches.focus()
        await user.press("G", "enter", "G", "enter")  # unfolds the variables, then edits the last one
        line = controls.query_one("#value-line", Input)
        assert line.has_focus
        assert controls.switches.region.contains_region(line.region), "nobody types what they cannot see"


async def test_text_of_many_lines_has_room(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path).with_value("globalCustomInstructions", "One.\nTwo.")
    async with running(scenario) as user:
        controls = user.app.main.controls
        controls.switches.focus()
        controls.switches.go_to(SwitchSubject("globalCustomInstructions"))
        await user.press("enter")
        area = controls.query_one("#value-text", TextArea)
        assert area.text == "One.\nTwo."
        area.text = "One.\nThree."
        await user.press("ctrl+s")
        assert user.scenario.params == {"globalCustomInstructions": "One.\nThree."}


def test_objects_are_edited_as_yaml(tmp_path: Path) -> None:
    inputs = inputs_of(tmp_path)
    field = ParamField("customModePrompts", "customModePrompts", "", "object", {}, "")
    prompts = {"code": {"roleDefinition": "You are terse."}}
    assert inputs.parse(field, as_text(field, prompts), scenario_of(tmp_path)) == prompts
    with pytest.raises(ScenarioError, match="line 1"):
        inputs.parse(field, "code: [", scenario_of(tmp_path))
    with pytest.raises(ScenarioError, match="customModePrompts"):
        inputs.parse(field, "code: 3", scenario_of(tmp_path))


def test_null_is_not_set_where_that_is_a_value_and_a_word_where_it_is_not(tmp_path: Path) -> None:
    inputs, scenario = inputs_of(tmp_path), scenario_of(tmp_path)
    language, viewport = inputs.field("language"), inputs.field("browserViewportSize")
    assert language is not None
    assert viewport is not None
    assert inputs.parse(language, "null", scenario) is None
    assert inputs.parse(language, "", scenario) == ""
    assert inputs.parse(viewport, "null", scenario) == "null"


async def test_a_choice_that_is_set_has_one_row_and_a_picker_with_what_each_value_costs(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path).with_value("codeIndex", "ready"), effects=True) as user:
        user.app.main.controls.switches.focus()
        user.app.main.controls.go_to("codeIndex")
        row = next(line for line in user.app.main.controls.switches.plain.splitlines() if "codeIndex" in line)
        assert row.split() == ["codeIndex", "ready"]
        await user.press("enter")
        effect = user.session.snapshot.effect("codeIndex", None)
        assert effect
        assert f"−{-effect.tokens:,}" in user.app.screen.query_one(RowList).plain
        await user.press(*"off", "enter")
        await user.settle()
        assert user.scenario.params == {"codeIndex": None}


async def test_a_sub_agent_is_chosen_from_those_that_were_found_and_named_in_the_header(tmp_path: Path) -> None:
    own = tmp_path / ".claude" / "agents" / "reviewer.md"
    own.parent.mkdir(parents=True)
    own.write_text("---\nname: reviewer\ndescription: Reviews.\n---\nYou review.\n", encoding="utf-8")
    (tmp_path / "CLAUDE.md").write_text("Use tabs.\n", encoding="utf-8")
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path / "home"))
    async with running(scenario) as user:
        await user.settle()
        controls = user.app.main.controls
        controls.switches.focus()
        controls.switches.go_to(SwitchSubject("subagent"))
        await user.press("enter", *"review", "enter")
        await user.settle()
        assert user.scenario.params == {"subagent": "reviewer"}
        assert "sub-agent reviewer" in user.app.main.header.plain
        await user.press("enter", *"set", "enter")
        await user.settle()
        assert "sub-agent" not in user.app.main.header.plain, "not set is the first choice"


async def test_a_name_is_put_into_a_list_and_taken_out(tmp_path: Path) -> None:
    skill = tmp_path / ".gemini" / "skills" / "lint" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: lint\ndescription: Lints.\n---\nLint.\n", encoding="utf-8")
    trusted = {"trusted": True}
    scenario = Scenario(agent="gemini", workspace=str(tmp_path), home=str(tmp_path / "home"), params=trusted)
    async with running(scenario) as user:
        await user.settle()
        user.app.main.controls.switches.focus()
        for expected in (["lint"], []):
            user.app.main.controls.go_to("settings.skills.disabled")
            await user.press("enter", *"lint", "enter")
            await user.settle()
            assert user.scenario.params["settings"] == {"skills": {"disabled": expected}}


async def test_slash_searches_the_pane_that_has_the_keys(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        await user.settle()
        await user.press("f", "/", *"todo")
        assert "todoListEnabled" in user.app.main.controls.switches.plain
        assert "diffEnabled" not in user.app.main.controls.switches.plain
        assert user.app.main.filter.region.height == 1, "what is typed is in view although a drawer covers the page"
        await user.press("escape", "/", *"ask")
        assert "○ ask" in user.app.main.controls.switches.plain, "modes are found, too"
        await user.press("escape", "/", *"no such words")
        assert user.app.main.controls.switches.plain.strip() == "no row has all of these words; esc shows every row"
        await user.press("escape", "escape", "w", "/", *"no such words")
        assert user.app.main.why.plain.splitlines()[1:] == ["  no row has all of these words; esc shows every row"]
        await user.press("escape")
        assert "no row has" not in user.app.main.why.plain
