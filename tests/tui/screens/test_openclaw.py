"""OpenClaw in the app: its files, skills, tools, configuration and report, by keys and by what is read."""

from __future__ import annotations

import re
from html import unescape
from itertools import groupby
from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import CONFIG, agents_text, den_scenario, openclaw_workspace_at, skill, write
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import User, running
from textual.widgets import Static, TextArea

from promptscope_tui.views.reports import Report
from promptscope_tui.views.subjects import FileSubject, SwitchSubject, ToolSubject
from promptscope_tui.widgets.picker import Picker
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

CUT = "lines 181-540 cut, 17,995 characters: over bootstrapMaxChars"


def lines(rows: RowList) -> list[str]:
    return rows.plain.split("\n")


def line(rows: RowList, words: str) -> str:
    return next(found for found in lines(rows) if words in found)


def shown(user: User) -> str:
    """What the screen shows, row by row, as the words of its picture."""
    words = re.findall(r'<text class="[^"]*-r\d+" x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>', user.picture())
    rows = groupby(sorted(words, key=lambda found: float(found[0])), key=lambda found: found[0])
    return "\n".join(unescape("".join(text for _, text in row)).replace("\xa0", " ") for _, row in rows)


async def explain(user: User, subject: ToolSubject | FileSubject) -> str:
    user.app.main.explain(subject)
    await user.pause()
    return user.why.text


async def test_a_long_file_shows_its_cut_says_why_and_how_to_undo_it(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (160, 40)) as user:
        await user.press("slash", *"Rule 170:", "enter", *["down"] * 30)
        text = shown(user)
        assert f"✂ {CUT}" in text
        assert text.index("180 Rule 180") < text.index(CUT) < text.index("[...truncated, read AGENTS.md")
        assert text.index("[...truncated") < text.index("541 Rule 541")

        await user.resize(200, 50)  # why: sizes, limits and lines
        why = await explain(user, FileSubject(str(tmp_path / "den" / "AGENTS.md")))
        words = " ".join(why.split())
        for part in (
            "30,000 bytes, 30,000 characters",
            "injected 12,116 characters",
            "✗ bootstrapMaxChars 20,000 allowed, 29,995 wanted",
            "✓ bootstrapTotalMaxChars 60,000 allowed, 29,995 wanted",
            "┃ kept lines 1-180 9,000 characters",
            "✂ cut lines 181-540 17,995 characters, 540 partly",
            "┃ kept lines 540-600 3,000 characters, 540 partly",
        ):
            assert part in words

        section = user.session.snapshot.assembly and user.session.snapshot.assembly.section("project_context.AGENTS.md")
        assert section
        user.session.apply(section.absent[0].why.levers)  # the lever brings the lines back
        await user.settle()
        assembly = user.session.snapshot.assembly
        assert assembly
        assert "Rule 400" in assembly.system_text
        assert not next(f for f in assembly.files if f.path.endswith("AGENTS.md")).truncated


@pytest.mark.parametrize(("version", "of_package"), [("2026.2.24", 0), ("2026.9.6", 2)])
async def test_every_absent_tool_and_skill_says_what_removed_it(version: str, of_package: int, tmp_path: Path) -> None:
    scenario = openclaw_workspace_at(tmp_path).model_copy(update={"agent_version": version})
    async with running(scenario, (240, 60)) as user:
        await every_absent_skill_says_which_gate_closed_it(user, of_package)
        await user.press("2")
        tools = user.app.main.pages.tools
        assert "tools.deny denies it (group:automation)" in line(tools, "gateway ")
        assert "tools.deny denies it" in line(tools, "canvas")
        assert "tools.web.search.enabled is off" in line(tools, "web_search")
        if version == "2026.2.24":
            assert "channels.whatsapp is not configured" in line(tools, "whatsapp_login")
            _, prompt, schema = line(tools, "● exec" if "● exec" in tools.plain else "exec").split()[3:6]
            assert int(prompt.replace(",", "")) < int(schema.replace(",", ""))
        else:
            await a_tool_that_waits_says_what_loading_it_would_add(user)
        why = await explain(user, ToolSubject("canvas"))
        assert "configOverlay.tools.deny" in why
        user.app.main.why.action_end(-1)
        user.app.main.why.focus()
        await user.press("down", "down", "enter")  # past the whole reason and the line of the setting, to the switch
        snapshot = await user.settle()
        assert snapshot.assembly
        assert next(t for t in snapshot.assembly.tools if t.name == "canvas").present


async def a_tool_that_waits_says_what_loading_it_would_add(user: User) -> None:
    tools = user.app.main.pages.tools
    head, browser = lines(tools)[0], line(tools, " browser ")
    added = browser[: head.index("once loaded") + len("once loaded")].split()[-1]
    assert re.fullmatch(r"\+\d,\d{3}", added)
    words = " ".join(tools.plain.split())
    assert re.search(r"\d+ are only named until the agent loads them: all of them would add \d+,\d+ tok", words)
    why = " ".join((await explain(user, ToolSubject("browser"))).split())
    assert f"{added} tok once the agent loads it" in why
    assert "WHY IT IS ONLY NAMED" in why
    assert "configOverlay.tools.toolSearch to off" in why


async def every_absent_skill_says_which_gate_closed_it(user: User, of_package: int) -> None:
    """`of_package`: how many of the package's own skills are listed before the workspace's."""
    last = 36 - of_package
    await user.press("3")
    wanted = {
        "03": "skills.entries.skill-03.enabled is false",
        "05": "the program ffmpeg-of-another-machine is not",
        "06": "WEATHER_KEY is not set",
        "07": "it is made for darwin, not for linux",
        "08": "channels.slack is not set in the configuration",
        "09": "disable-model-invocation: only a person",
        f"{last}": "the next one to be cut, number 30 of 30 listed",
        f"{last + 1}": "maxSkillsInPrompt is 30: cut as number 31",
    }
    await user.files.row("▸ skills/").press("right")
    for number, words in wanted.items():
        assert words in line(user.app.main.pages.files, f"skill-{number} ")
    await user.press("1")
    user.app.main.prompt.goto("skills")
    await user.pause()
    why = user.why.text
    assert f"LISTED: 30 OF {40 + of_package}" in why
    assert "cut as number 31" in " ".join(why.split())


async def test_a_saved_file_and_a_saved_configuration_change_the_prompt(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path)) as user:
        await user.save(tmp_path / "den" / "SOUL.md", "# Soul\n\nLoud.\n")
        snapshot = await user.save(tmp_path / "home" / ".openclaw" / "openclaw.json", CONFIG.replace('"canvas", ', ""))
        assert snapshot.assembly
        assert "Loud." in snapshot.assembly.system_text
        assert next(t for t in snapshot.assembly.tools if t.name == "canvas").present
        assert [change.paths[0].rsplit("/", 1)[-1] for change in snapshot.changes] == ["openclaw.json", "SOUL.md"]


async def test_a_save_that_moves_the_cache_boundary_says_so_in_changes(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (120, 40)) as user:
        line = "<!-- OPENCLAW_CACHE_BOUNDARY -->"
        await user.save(tmp_path / "den" / "IDENTITY.md", f"# Identity\n{line}\nName: Claws\n")
        await user.press("6")
        shown = " ".join(user.app.main.pages.changes.plain.split())
        assert "the cache boundary moved: The rest of IDENTITY.md, MEMORY.md are no longer cached" in shown


async def test_a_broken_configuration_names_file_and_line(tmp_path: Path) -> None:
    openclaw_workspace_at(tmp_path)
    write(tmp_path / "home" / ".openclaw" / "openclaw.json", CONFIG.replace("deny: [", "deny: ,["))
    async with running(den_scenario(tmp_path), (120, 40)) as user:
        await user.press("3")
        found = "".join(user.files.text.split())
        assert "openclaw.json" in found
        assert "✗line12:" in found


# --- the report ------------------------------------------------------------------------------------------------------


async def reported(user: User) -> Report:
    screen = user.app.screen
    assert isinstance(screen, Report)
    await user.app.workers.wait_for_complete()
    await user.pause()
    return screen


async def test_the_report_points_at_what_it_leaves_out_and_follows_a_saved_file(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (140, 45)) as user:
        await user.press("v")
        screen = await reported(user)
        rows = lines(screen.query_one(RowList))
        at = next(n for n, row in enumerate(rows) if "- USER.md: OK" in row)
        assert "◂ USER.md shows OK with 0" in rows[at + 1]
        assert any("AGENTS.md: TRUNCATED | raw 29,995" in row for row in rows)
        await user.press("right")
        assert "Largest tools by schema:" in screen.query_one(RowList).plain
        await user.press("right")
        assert '"bootstrapMaxChars": 20000,' in screen.query_one(RowList).plain
        await user.press("escape")
        assert user.app.screen is user.app.main

        await user.press("v")
        screen = await reported(user)
        await user.save(tmp_path / "den" / "AGENTS.md", agents_text()[:5000])
        await reported(user)
        assert "AGENTS.md: OK | raw 4,995" in screen.query_one(RowList).plain


async def test_an_agent_without_a_report_says_so(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path)) as user:
        await user.press("v")
        assert user.app.screen is user.app.main
        assert "Roo Code has no context report" in shown(user)


# --- params in place -------------------------------------------------------------------------------------------------


async def choose(user: User, key: object) -> None:
    user.app.main.controls.switches.focus()
    assert user.app.main.controls.switches.go_to(key)
    await user.press("enter")


async def test_an_object_is_edited_as_yaml_and_complains_with_its_line(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path)) as user:
        await a_bomb_in_the_editor_is_refused_and_the_prompt_stays(user)
        await user.press("escape")
        await choose(user, SwitchSubject("configOverlay"))
        area = user.app.main.query_one("#value-text", TextArea)
        assert area.has_focus
        assert area.text == ""
        area.text = "tools:\n  deny: [exec\n"
        await user.press("ctrl+s")
        assert "line 3" in shown(user)
        assert user.scenario.params == {}
        area.text = "tools:\n  deny: [exec]\n"
        await user.press("ctrl+s")
        snapshot = await user.settle()
        assert snapshot.assembly
        there = {tool.name: tool.present for tool in snapshot.assembly.tools}
        assert not there["exec"]
        assert there["canvas"]


async def a_bomb_in_the_editor_is_refused_and_the_prompt_stays(user: User) -> None:
    rows = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    before = user.session.snapshot.assembly
    await choose(user, SwitchSubject("config"))
    user.app.main.query_one("#value-text", TextArea).text = f"a0: &a0 [x, x]\n{rows}"
    await user.press("ctrl+s")
    assert "aliases are written out" in str(user.app.main.query_one("#value-error", Static).content)
    assert user.session.snapshot.assembly is before


async def test_a_session_key_is_chosen_or_typed(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path)) as user:
        await choose(user, SwitchSubject("sessionKey", '"agent:main:subagent:1"'))
        snapshot = await user.settle()
        assert snapshot.assembly
        assert snapshot.assembly.mode == "minimal"
        await choose(user, SwitchSubject("sessionKey"))
        assert isinstance(user.app.screen, Picker), "what is set is chosen from a list, or typed"
        await user.press(*"agent:main:cron:job:7", "enter")
        snapshot = await user.settle()
        assert snapshot.scenario.params["sessionKey"] == "agent:main:cron:job:7"
        row = next(line for line in user.app.main.controls.switches.plain.splitlines() if "sessionKey" in line)
        assert "agent:main:cron" in row


# --- what strangers write --------------------------------------------------------------------------------------------


async def test_escape_sequences_of_a_skill_never_reach_the_screen(tmp_path: Path) -> None:
    openclaw_workspace_at(tmp_path)
    skill(tmp_path / "den", "red\x1b[31m\u202e", '"\\e[2J\\a"')
    async with running(den_scenario(tmp_path), (160, 60)) as user:
        for key in ("z", "G", "3", "G", "v"):
            await user.press(key)
            text = shown(user)
            assert "\x1b" not in text
            assert "\u202e" not in text
