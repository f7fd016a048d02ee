"""A folder in which the agent finds nothing: the welcome, the demo; and the folders and agents to go to."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts
from tests.tui.support.user import running

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_tui.session.folders import agents_here, demo_folder, folders
from promptscope_tui.session.snapshot import ChooseAgent, GoTo
from promptscope_tui.settings.memory import Memory
from promptscope_tui.text.spans import width_of
from promptscope_tui.views.controls.scenario import agent_options
from promptscope_tui.views.welcome import (
    BeginFile,
    FolderPicker,
    OpenDemo,
    ShowControls,
    ShowPrompt,
    needs_welcome,
    welcome_rows,
)
from promptscope_tui.widgets.picker import LineInput
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


def empty(folder: Path, **more: object) -> Scenario:
    for name in ("shop", "home"):
        (folder / name).mkdir()
    return scenario_of(folder, **more)


async def test_an_empty_folder_says_who_would_read_what(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "home").mkdir()
    scenario = scenario_of(tmp_path, agent="claude-code", mode=None)
    (tmp_path / "shop" / "SOUL.md").write_text("Dry.\n")
    async with running(scenario, agents=True) as user:
        main = user.app.main
        assert main.page is main.pages.welcome
        assert main.pages.welcome.has_focus
        rows = welcome_rows(user.session.snapshot)
        page = "\n".join(texts(rows))
        assert "Claude Code finds no files of yours" in page
        assert "→ CLAUDE.md  a first file for Claude Code;" in page
        assert "→ AGENTS.md  a first file for Roo Code, Codex, OpenCode;" in page, "what several read is named once"
        assert "OpenClaw  reads SOUL.md  ≈" in page
        assert "looks for .claude/settings.json" in page, "what lies in the folder comes first"
        keys = [row.key for row in rows if row.key is not None]
        assert [key for key in keys if isinstance(key, ChooseAgent)][2] == ChooseAgent("openclaw")
        assert main.header.others == 1
        main.pages.welcome.go_to(ChooseAgent("openclaw"))
        await user.press("enter")
        assert main.page is main.prompt
        assert user.prompt.has_focus
        assert "Dry." in "".join(section.text for section in user.session.snapshot.assembly.sections)  # type: ignore[union-attr]


async def test_an_empty_folder_is_welcomed_whichever_tab_was_shown_last(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    memory.left_at(str(tmp_path / "shop"), "request")
    async with running(empty(tmp_path), memory=memory, page=None) as user:
        assert user.app.main.page is user.app.main.pages.welcome
        assert user.tab == "prompt"
        assert user.app.main.pages.welcome.has_focus
        await user.press("5")
        assert user.app.main.page is user.app.main.pages.request


async def test_the_prompt_and_a_saved_file_take_the_welcomes_place(tmp_path: Path) -> None:
    async with running(empty(tmp_path)) as user:
        main = user.app.main
        assert main.page is main.pages.welcome
        user.why.shows("Select a section")
        await user.press("escape")
        assert main.page is main.prompt
        assert user.prompt.has_focus
        user.app.main.tabs.active = "prompt"
    async with running(scenario_of(tmp_path)) as user:
        await user.save(tmp_path / "shop" / "AGENTS.md", "Use pnpm.\n")
        assert user.app.main.page is user.app.main.prompt
        assert user.prompt.has_focus
        assert user.app.main.prompt.cursor.path == "AGENTS.md"


async def test_what_can_be_chosen_in_the_welcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(empty(tmp_path)) as user:
        main = user.app.main
        opened: list[tuple[str, int]] = []
        monkeypatch.setattr(main.editor, "open", lambda path, line: opened.append((path, line)))
        path = str(tmp_path / "shop" / "AGENTS.md")
        main.pages.welcome.go_to(BeginFile(path))
        await user.press("enter")
        assert opened == [(path, 1)]
        main.pages.welcome.go_to(ShowPrompt())
        await user.press("enter")
        assert main.page is main.prompt
    async with running(scenario_of(tmp_path)) as user:
        user.app.main.pages.welcome.go_to(OpenDemo())
        await user.press("enter")
        await user.settle()
        user.header.shows("promptscope-demo-")
        assert "THREE THINGS TO TRY" in user.app.main.pages.welcome.plain


async def test_a_file_from_home_is_text_of_the_user_too(tmp_path: Path) -> None:
    scenario = empty(tmp_path)
    (tmp_path / "home" / ".roo" / "rules").mkdir(parents=True)
    (tmp_path / "home" / ".roo" / "rules" / "me.md").write_text("Be brief.\n")
    async with running(scenario) as user:
        assert not needs_welcome(user.session.snapshot)
        assert user.app.main.page is user.app.main.prompt


def test_the_demo_is_a_copy_with_files_for_every_agent() -> None:
    one, other = Path(demo_folder()), Path(demo_folder())
    assert one != other
    (one / "CLAUDE.md").write_text("changed")
    assert (other / "CLAUDE.md").read_text().startswith("# Corner shop")
    assert {path.name for path in other.iterdir()} >= {
        "CLAUDE.md",
        "AGENTS.md",
        "GEMINI.md",
        "SOUL.md",
        ".roo",
        ".claude",
    }


async def test_gits_own_files_are_no_agents(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git" / "info").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    for name in (".gitignore", ".git/info/exclude"):
        (tmp_path / "shop" / name).write_text("*.log\n")
    async with running(scenario_of(tmp_path), agents=True) as user:
        assert user.app.main.page is user.app.main.pages.welcome
        assert user.app.main.header.others == 0
        assert not any(agent.files for agent in agents_here(user.session.snapshot))


async def test_a_file_that_an_agent_never_loads_is_not_its_file(tmp_path: Path) -> None:
    (tmp_path / "shop" / "sub").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "shop" / "sub" / "AGENTS.md").write_text("Below: Codex reads it never.\n")
    async with running(scenario_of(tmp_path, agent="codex", mode=None, model=None), agents=True) as user:
        assert user.app.main.page is user.app.main.pages.welcome
        assert user.app.main.header.others == 1, "OpenCode loads it with a file beside it"
        assert user.app.main.pages.welcome.line_of(BeginFile(str(tmp_path / "shop" / "AGENTS.md"))) >= 0
        assert "finds nothing" in user.app.main.pages.welcome.plain


async def test_the_picker_tells_what_each_agent_has_here(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), agents=True) as user:
        snapshot = user.session.snapshot
        found = {option.value.partition(" ")[0]: option for option in reversed(list(agent_options(snapshot)))}
        here = {agent.id: agent for agent in agents_here(snapshot)}
        assert found["roo"].detail == f"Roo Code  {len(here['roo'].files)} files here"
        assert found["openclaw"].detail == "OpenClaw  1 file here"
        assert found["gemini"].detail == "Gemini CLI  no files here"
        assert all(
            option.right.text.startswith("≈") for option in found.values() if "does not" not in option.right.text
        )
        assert found["openclaw"].right.text == f"≈{snapshot.agent_tokens['openclaw']:,} tok"
        assert user.app.main.header.others >= 1
        user.header.shows(f"+{user.app.main.header.others} agent")
        learned = Learned((LearnedVersion("roo", "3.99.0", (), "2026-12-01T10:00:00"),))
        options = {option.value: option.detail for option in agent_options(snapshot, learned)}
        assert options["roo 3.99.0"] == f"Roo Code  learned  {len(here['roo'].files)} files here"
        assert options["roo 3.28.16"] == "Roo Code  modelled 2026-11-20"


async def test_the_agents_in_the_picker_are_not_cut_at_80_columns(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24), agents=True) as user:
        await user.press("a")
        shown = user.app.screen.query_one(RowList)
        assert all(width_of(row.left) + width_of(row.right) < shown.size.width for row in shown.rows)


def test_packages_and_recent_folders(tmp_path: Path) -> None:
    for file in ("a/package.json", "b/deep/pyproject.toml", "c/CLAUDE.md", "d/.claude/rules/x.md", "e/readme.txt"):
        path = tmp_path / "repo" / file
        path.parent.mkdir(parents=True)
        path.write_text("x")
    (tmp_path / "other").mkdir()
    repo, other = str(tmp_path / "repo"), str(tmp_path / "other")
    found = folders(repo, str(tmp_path), {}, [f"{repo}/a", other, "/gone", "\0"], ["CLAUDE.md", ".claude"])
    assert [(folder.path.removeprefix(repo), folder.what) for folder in found] == [
        ("", "this folder"),
        ("/a", "package"),
        ("/b/deep", "package"),
        ("/c", "package"),
        ("/d", "package"),
        (other, "opened before"),
    ]


async def test_another_folder_is_opened_and_remembered(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    package = tmp_path / "shop" / "admin"
    package.mkdir()
    (package / "package.json").write_text("{}")
    (package / "AGENTS.md").write_text("Only for the admin.\n")
    memory = Memory(tmp_path / "state")
    async with running(scenario, memory=memory) as user:
        await user.press("p")
        await user.app.workers.wait_for_complete()
        await user.pause()
        assert isinstance(user.app.screen, FolderPicker)
        assert "package" in user.app.screen.query_one(RowList).plain
        await user.press(*"admin", "enter")
        snapshot = await user.settle()
        assert snapshot.assembly
        assert snapshot.assembly.workspace == str(package)
        assert snapshot.compared is None, "another folder's prompt is not compared with this one's"
        assert memory.folders() == (str(package), str(tmp_path / "shop"))
        await user.press("u")
        snapshot = await user.settle()
        assert snapshot.assembly
        assert snapshot.assembly.workspace == str(tmp_path / "shop")
        await user.press("p")
        user.app.screen.query_one(LineInput).value = "/gone"
        await user.app.workers.wait_for_complete()
        await user.press("enter")
        assert user.note == "no such folder: /gone"


async def test_the_sample_begins_with_three_things_to_try(tmp_path: Path) -> None:
    scenario = Scenario(agent="claude-code", workspace=demo_folder(), home=str(tmp_path))
    async with running(scenario) as user:
        main = user.app.main
        await user.settle()
        assert main.page is main.pages.welcome
        chosen = [row.key for row in main.pages.welcome.rows if row.key is not None]
        assert [type(key) for key in chosen] == [BeginFile, ShowControls, GoTo, ShowPrompt]
        await user.press("down", "enter")
        assert main.controls.switches.has_focus
        assert main.page is main.prompt

        await user.settle()
        main.folders.begin(chosen[2])
        await user.settle_all()
        user.why.shows("TO ADD IT")
        saved = Path(chosen[0].path)  # type: ignore[union-attr]
        await user.save(saved, saved.read_text(encoding="utf-8") + "Never push to main.\n")
        await user.settle_all()
        assert "CLAUDE.md +" in main.header.plain, "the header says what a save changed"
