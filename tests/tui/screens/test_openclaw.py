"""OpenClaw in the app: its files, skills, tools, configuration and report, by keys and by what is read."""

from __future__ import annotations

import re
from html import unescape
from itertools import groupby
from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import CONFIG, agents_text, den_scenario, openclaw_workspace_at, skill, write
from tests.tui.support.roo_shop import roo_shop_at, running, scenario_of, settled, watcher
from textual.pilot import Pilot
from textual.widgets import Input, Static, TextArea

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.report import Report
from promptscope_tui.views.subjects import FileSubject, SwitchSubject, ToolSubject
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

CUT = "lines 281-520 cut, 11,995 characters: over bootstrapMaxChars"


def lines(rows: RowList) -> list[str]:
    return rows.plain.split("\n")


def line(rows: RowList, words: str) -> str:
    return next(found for found in lines(rows) if words in found)


def shown(app: PromptscopeApp) -> str:
    """What the screen shows, row by row, as the words of its picture."""
    words = re.findall(r'<text class="[^"]*-r\d+" x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>', app.export_screenshot())
    rows = groupby(sorted(words, key=lambda found: float(found[0])), key=lambda found: found[0])
    return "\n".join(unescape("".join(text for _, text in row)).replace("\xa0", " ") for _, row in rows)


async def explain(app: PromptscopeApp, pilot: Pilot[None], subject: ToolSubject | FileSubject) -> str:
    app.main.explain(subject)
    await pilot.pause()
    return app.main.why.plain


async def test_a_long_file_shows_its_cut_says_why_and_how_to_undo_it(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (160, 40)) as (app, pilot):
        await pilot.press("slash", *"Rule 270:", "enter", *["down"] * 30)
        await pilot.pause()
        text = shown(app)
        assert f"✂ {CUT}" in text
        assert text.index("280 Rule 280") < text.index(CUT) < text.index("[...truncated, read AGENTS.md")
        assert text.index("[...truncated") < text.index("521 Rule 521")

        await pilot.resize_terminal(200, 50)  # why: sizes, limits and lines
        why = await explain(app, pilot, FileSubject(str(tmp_path / "den" / "AGENTS.md")))
        words = " ".join(why.split())
        for part in (
            "30,000 bytes, 30,000 characters",
            "injected 18,110 characters",
            "✗ bootstrapMaxChars 20,000 allowed, 29,995 wanted",
            "✓ bootstrapTotalMaxChars 150,000 allowed, 29,995 wanted",
            "┃ kept lines 1-280 14,000 characters",
            "✂ cut lines 281-520 11,995 characters, 520 partly",
            "┃ kept lines 520-600 4,000 characters, 520 partly",
        ):
            assert part in words

        section = app.session.snapshot.assembly and app.session.snapshot.assembly.section("project_context.AGENTS.md")
        assert section
        app.session.apply(section.absent[0].why.levers)  # the lever brings the lines back
        await settled(app, pilot)
        assembly = app.session.snapshot.assembly
        assert assembly
        assert "Rule 400" in assembly.system_text
        assert not next(f for f in assembly.files if f.path.endswith("AGENTS.md")).truncated


async def test_every_absent_tool_and_skill_says_what_removed_it(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (240, 60)) as (app, pilot):
        await every_absent_skill_says_which_gate_closed_it(app, pilot)
        await pilot.press("2")
        tools = app.main.tools
        assert "tools.deny denies it (group:automation)" in line(tools, "gateway ")
        assert "tools.deny denies it" in line(tools, "canvas")
        assert "tools.web.search.enabled is off" in line(tools, "web_search")
        assert "channels.whatsapp is not configured" in line(tools, "whatsapp_login")
        _, prompt, schema = line(tools, "● exec" if "● exec" in tools.plain else "exec").split()[3:6]
        assert int(prompt.replace(",", "")) < int(schema.replace(",", ""))
        why = await explain(app, pilot, ToolSubject("canvas"))
        assert "configOverlay.tools.deny" in why
        app.main.why.action_end(-1)
        app.main.why.focus()
        await pilot.press("down", "enter")  # past the line of the setting, to the switch
        snapshot = await settled(app, pilot)
        assert snapshot.assembly
        assert next(t for t in snapshot.assembly.tools if t.name == "canvas").present


async def every_absent_skill_says_which_gate_closed_it(app: PromptscopeApp, pilot: Pilot[None]) -> None:
    await pilot.press("3")
    await pilot.pause()
    wanted = {
        "03": "skills.entries.skill-03.enabled is false",
        "05": "the program ffmpeg-of-another-machine is not",
        "06": "WEATHER_KEY is not set",
        "07": "it is made for darwin, not for linux",
        "08": "channels.slack is not set in the configuration",
        "09": "disable-model-invocation: only a person",
        "36": "the next one to be cut, number 30 of 30 listed",
        "37": "maxSkillsInPrompt is 30: cut as number 31",
    }
    for number, words in wanted.items():
        assert words in line(app.main.files, f"skill-{number}/")
    await pilot.press("1")
    app.main.prompt.goto("skills")
    await pilot.pause()
    why = app.main.why.plain
    assert "LISTED: 30 OF 40" in why
    assert "cut as number 31" in " ".join(why.split())


async def test_a_saved_file_and_a_saved_configuration_change_the_prompt(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path)) as (app, pilot):
        watcher().save(tmp_path / "den" / "SOUL.md", "# Soul\n\nLoud.\n")
        await settled(app, pilot)
        watcher().save(tmp_path / "home" / ".openclaw" / "openclaw.json", CONFIG.replace('"canvas", ', ""))
        snapshot = await settled(app, pilot)
        assert snapshot.assembly
        assert "Loud." in snapshot.assembly.system_text
        assert next(t for t in snapshot.assembly.tools if t.name == "canvas").present
        assert [change.paths[0].rsplit("/", 1)[-1] for change in snapshot.changes] == ["openclaw.json", "SOUL.md"]


async def test_a_broken_configuration_names_file_and_line(tmp_path: Path) -> None:
    openclaw_workspace_at(tmp_path)
    write(tmp_path / "home" / ".openclaw" / "openclaw.json", CONFIG.replace("deny: [", "deny: ,["))
    async with running(den_scenario(tmp_path), (120, 40)) as (app, pilot):
        await pilot.press("3")
        await pilot.pause()
        found = "".join(app.main.files.plain.split())
        assert "openclaw.json" in found
        assert "✗line12:" in found


# --- the report ------------------------------------------------------------------------------------------------------


async def reported(app: PromptscopeApp, pilot: Pilot[None]) -> Report:
    screen = app.screen
    assert isinstance(screen, Report)
    await app.workers.wait_for_complete()
    await pilot.pause()
    return screen


async def test_the_report_points_at_what_it_leaves_out_and_follows_a_saved_file(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (140, 45)) as (app, pilot):
        await pilot.press("v")
        screen = await reported(app, pilot)
        rows = lines(screen.query_one(RowList))
        at = next(n for n, row in enumerate(rows) if "- USER.md: OK" in row)
        assert "◂ USER.md shows OK with 0" in rows[at + 1]
        assert any("AGENTS.md: TRUNCATED | raw 29,995" in row for row in rows)
        await pilot.press("right")
        assert "Largest tools by schema:" in screen.query_one(RowList).plain
        await pilot.press("right")
        assert '"bootstrapMaxChars": 20000,' in screen.query_one(RowList).plain
        await pilot.press("escape")
        assert app.screen is app.main

        await pilot.press("v")
        screen = await reported(app, pilot)
        watcher().save(tmp_path / "den" / "AGENTS.md", agents_text()[:5000])
        await settled(app, pilot)
        await reported(app, pilot)
        assert "AGENTS.md: OK | raw 4,995" in screen.query_one(RowList).plain


async def test_an_agent_without_a_report_says_so(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path)) as (app, pilot):
        await pilot.press("v")
        await pilot.pause()
        assert app.screen is app.main
        assert "Roo Code has no context report" in shown(app)


# --- params in place -------------------------------------------------------------------------------------------------


async def choose(app: PromptscopeApp, pilot: Pilot[None], key: object) -> None:
    app.main.controls.switches.focus()
    assert app.main.controls.switches.go_to(key)
    await pilot.press("enter")
    await pilot.pause()


async def test_an_object_is_edited_as_yaml_and_complains_with_its_line(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path)) as (app, pilot):
        await a_bomb_in_the_editor_is_refused_and_the_prompt_stays(app, pilot)
        await pilot.press("escape")
        await choose(app, pilot, SwitchSubject("configOverlay"))
        area = app.main.query_one("#value-text", TextArea)
        assert area.has_focus
        assert area.text == ""
        area.text = "tools:\n  deny: [exec\n"
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert "line 3" in shown(app)
        assert app.session.snapshot.scenario.params == {}
        area.text = "tools:\n  deny: [exec]\n"
        await pilot.press("ctrl+s")
        snapshot = await settled(app, pilot)
        assert snapshot.assembly
        there = {tool.name: tool.present for tool in snapshot.assembly.tools}
        assert not there["exec"]
        assert there["canvas"]


async def a_bomb_in_the_editor_is_refused_and_the_prompt_stays(app: PromptscopeApp, pilot: Pilot[None]) -> None:
    rows = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    before = app.session.snapshot.assembly
    await choose(app, pilot, SwitchSubject("config"))
    app.main.query_one("#value-text", TextArea).text = f"a0: &a0 [x, x]\n{rows}"
    await pilot.press("ctrl+s")
    await pilot.pause()
    assert "aliases are written out" in str(app.main.query_one("#value-error", Static).content)
    assert app.session.snapshot.assembly is before


async def test_a_session_key_is_chosen_or_typed(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path)) as (app, pilot):
        await choose(app, pilot, SwitchSubject("sessionKey", '"agent:main:subagent:1"'))
        snapshot = await settled(app, pilot)
        assert snapshot.assembly
        assert snapshot.assembly.mode == "minimal"
        await choose(app, pilot, SwitchSubject("sessionKey"))
        entry = app.main.query_one("#value-line", Input)
        entry.value = ""
        await pilot.press(*"agent:main:c")
        await pilot.pause()
        await pilot.press("right", *":7", "enter")
        snapshot = await settled(app, pilot)
        assert snapshot.scenario.params["sessionKey"] == "agent:main:cron:job:7"
        assert "◉ other: agent:main:cron" in app.main.controls.switches.plain


# --- what strangers write --------------------------------------------------------------------------------------------


async def test_escape_sequences_of_a_skill_never_reach_the_screen(tmp_path: Path) -> None:
    openclaw_workspace_at(tmp_path)
    skill(tmp_path / "den", "red\x1b[31m\u202e", '"\\e[2J\\a"')
    async with running(den_scenario(tmp_path), (160, 60)) as (app, pilot):
        for key in ("z", "G", "3", "G", "v"):
            await pilot.press(key)
            await pilot.pause()
            text = shown(app)
            assert "\x1b" not in text
            assert "\u202e" not in text
