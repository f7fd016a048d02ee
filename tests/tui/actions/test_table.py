"""The table of actions is the only list of keys: everything that shows keys agrees with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.generated import assert_current_between
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts
from tests.tui.support.user import running
from textual.app import App
from textual.dom import DOMNode

import promptscope_tui
from promptscope_tui.actions.table import ACTIONS, BY_ID, Owner, groups, show_key
from promptscope_tui.app import PromptscopeApp
from promptscope_tui.screens.captures import Captures
from promptscope_tui.screens.main import MainScreen
from promptscope_tui.screens.navigation import Drawers, Folders, Navigation
from promptscope_tui.screens.overlays import Overlays
from promptscope_tui.screens.recordings import Following, Recordings
from promptscope_tui.screens.under_cursor import Copies, Editor, Experiments
from promptscope_tui.views.agents.screen import AgentsScreen
from promptscope_tui.views.answer import AnswerScreen
from promptscope_tui.views.asking import LearnScreen, ServerScreen
from promptscope_tui.views.bars.budget import AssumedBar
from promptscope_tui.views.capture.screen import CaptureScreen
from promptscope_tui.views.changes import ChangesView
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.views.compare.sent_screen import DifferencesScreen
from promptscope_tui.views.controls.view import Controls
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.help import Help, key_rows, most_used_rows
from promptscope_tui.views.message_bar import MessageBar
from promptscope_tui.views.palette import Palette, command_entries
from promptscope_tui.views.prompt.view import PromptView, SearchBar
from promptscope_tui.views.releases import ReleasesScreen
from promptscope_tui.views.replies import CompletionScreen, ResponsesScreen
from promptscope_tui.views.reports import Report
from promptscope_tui.views.transcript import TranscriptScreen
from promptscope_tui.views.what_if import ExperimentScreen, SimulateRead
from promptscope_tui.widgets.picker import Picker, PromptLine
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.table_list import FilterBar, TableList

WITH_KEYS = [action for action in ACTIONS if action.keys]
"""All but what is in the palette alone."""

APP = Path(promptscope_tui.__file__).parent
CHAINS: tuple[tuple[type[DOMNode], ...], ...] = (
    (PromptView, MainScreen, PromptscopeApp),
    (RowList, Controls, MainScreen, PromptscopeApp),
    (AssumedBar, MainScreen, PromptscopeApp),
    (SearchBar, MainScreen, PromptscopeApp),
    (FilterBar, MainScreen, PromptscopeApp),
    (TableList, MainScreen, PromptscopeApp),
    (FilesTable, MainScreen, PromptscopeApp),
    (MessageBar, MainScreen, PromptscopeApp),
    (RowList, Help, PromptscopeApp),
    (Picker, PromptscopeApp),
    (Palette, PromptscopeApp),
    (SimulateRead, PromptscopeApp),
    (PromptLine, PromptscopeApp),
    (ExperimentScreen, PromptscopeApp),
    (RowList, Report, PromptscopeApp),
    (RowList, ResponsesScreen, PromptscopeApp),
    (RowList, CompletionScreen, PromptscopeApp),
    (RowList, TranscriptScreen, PromptscopeApp),
    (RowList, CompareScreen, PromptscopeApp),
    (RowList, AgentsScreen, PromptscopeApp),
    (RowList, ReleasesScreen, PromptscopeApp),
    (RowList, DifferencesScreen, PromptscopeApp),
    (RowList, CaptureScreen, PromptscopeApp),
    (RowList, LearnScreen, PromptscopeApp),
    (RowList, ServerScreen, PromptscopeApp),
    (AnswerScreen, PromptscopeApp),
)
"""What may have the keys, and what gets them after it."""

WHILE_TYPING = {"escape", "ctrl+s"}
"""Keys that mean the text being typed, and the screen when nothing is."""

WHILE_A_NOTE_LEADS = {"enter"}
"""Keys that mean the note that is shown, if it leads somewhere, and the row when none is."""


def keys_of(widget: type[DOMNode]) -> dict[str, str]:
    """What a class of ours binds: the action by key."""
    ours = [base for base in widget.__mro__ if base.__module__.startswith("promptscope_tui")]
    return {
        key: str(binding.id)
        for base in reversed(ours)
        for binding in base.__dict__.get("BINDINGS", [])
        for key in binding.key.split(",")
    }


def test_every_action_is_bound_to_a_method_of_its_owner() -> None:
    widgets = {widget for chain in CHAINS for widget in chain}
    bound = {id for widget in widgets for id in keys_of(widget).values()}
    assert bound == set(BY_ID)
    assert len(BY_ID) == len(ACTIONS)
    for widget in widgets:
        for id in keys_of(widget).values():
            if BY_ID[id].scope == "focus":
                name = BY_ID[id].call.partition("(")[0]
                assert hasattr(widget, f"action_{name}"), (widget, id)


def test_no_key_is_bound_twice() -> None:
    for chain in CHAINS:
        bound = [key for widget in chain for key in keys_of(widget)]
        twice = {key for key in bound if bound.count(key) > 1} - WHILE_A_NOTE_LEADS
        text = {SearchBar, FilterBar, MessageBar, Controls} & set(chain)
        assert twice <= (WHILE_TYPING if text else set()), chain
    for widget in {widget for chain in CHAINS for widget in chain}:
        keys = [key for binding in widget.BINDINGS for key in binding.key.split(",")]  # type: ignore[union-attr]
        assert len(keys) == len(set(keys)), widget


def test_bindings_are_made_in_one_place() -> None:
    for path in APP.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "bindings.py":
            assert "Binding(" not in text, path
        for line in text.splitlines():
            if line.strip().startswith("BINDINGS"):
                assert re.search(r"= bindings\(.+\)$", line), path


def test_what_works_everywhere_runs_on_its_owner() -> None:
    owners: dict[Owner, type] = {
        "app": PromptscopeApp,
        "main": MainScreen,
        "controls": Controls,
        "prompt": PromptView,
        "search": SearchBar,
        "draft": MessageBar,
        "files": FilesTable,
        "changes": ChangesView,
        "captures": Captures,
        "copies": Copies,
        "drawers": Drawers,
        "editor": Editor,
        "experiments": Experiments,
        "folders": Folders,
        "following": Following,
        "navigation": Navigation,
        "overlays": Overlays,
        "recordings": Recordings,
    }
    for action in ACTIONS:
        if action.scope == "screen":
            space, _, name = action.call.partition("(")[0].rpartition(".")
            assert hasattr(App if space else owners[action.owner], f"action_{name}"), action.id


def key_table() -> str:
    """Every action with its keys, as the table in docs/app.md."""
    lines = ["| keys | what they do |", "|---|---|"]
    for action in WITH_KEYS:
        keys = " ".join(f"`{show_key(key)}`" for key in action.keys.split(","))
        lines.append(f"| {keys} | {action.help} |")
    return "\n".join(lines) + "\n"


def test_every_action_is_in_the_help_and_in_the_key_table() -> None:
    page, table = "\n".join(texts(key_rows(200))), key_table()
    for action in WITH_KEYS:
        assert action.help in page
        assert action.help in table
        for key in action.keys.split(","):
            assert f"`{show_key(key)}`" in table
    assert [action for actions in groups().values() for action in actions] == list(ACTIONS)


def test_what_is_used_most_is_in_the_help_s_first_page_and_everything_else_in_the_palette() -> None:
    page = texts(most_used_rows())
    assert page[0].strip() == "USED MOST"
    assert [line.split("  ")[1] for line in page[1:]] == ["0 … 7", *"/w", "^p", *"ucamA!ix"]
    assert all(action.palette or action.id == "palette" for action in ACTIONS if action.scope == "screen")


def test_keys_read_as_people_write_them() -> None:
    assert [show_key(k) for k in ("ctrl+p", "slash", "shift+tab", "G", "question_mark")] == [
        "^p",
        "/",
        "⇧tab",
        "G",
        "?",
    ]


@pytest.mark.slow
async def test_every_action_is_in_the_palette_as_noun_and_verb(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        names = [entry.name for entry in command_entries(user.app.main.routes.offered(ACTIONS))]
        nothing = {"report", "imagine", "views", "differences", "next_request", "previous_request"}  # for Roo Code here
        assert set(names) == {a.palette for a in ACTIONS if a.palette and a.id not in nothing}
        assert all(": " in name for name in names)


@pytest.mark.slow
async def test_the_palette_and_a_click_in_the_footer_do_what_they_name_and_help_closes(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        bar = user.app.main.query_one("#status")
        at = bar.plain.index("baseline")  # type: ignore[attr-defined]
        await user.click("#status", offset=(at + 1, 0))
        assert user.session.snapshot.pinned
        await user.press("question_mark")
        page = user.app.screen.query_one(RowList)
        assert "USED MOST" in page.plain
        await user.press("tab")
        assert "SCENARIO" in page.plain
        await user.press("tab")
        assert "SCENARIO" not in page.plain
        await user.press("shift+tab")
        assert "SCENARIO" in page.plain
        await user.press("escape")
        assert user.app.screen is user.app.main
        await user.press("ctrl+p")
        await user.press(*"tab: wind")
        await user.settle_all()
        await user.press("enter")
        assert user.tab == "window"


def test_the_documents_have_the_table_of_keys() -> None:
    begins = "actions.json; a test compares -->\n"
    assert_current_between("docs/app.md", begins, "<!-- /keys -->", key_table())


@pytest.mark.slow
async def test_a_key_for_what_an_agent_lacks_says_so(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="codex", mode=None, model=None), (80, 24)) as user:
        for key, lacks in (("W", "no mode that limits"), ("i", "no rules")):
            await user.press(key)
            assert user.app.screen is user.app.main, key
            assert lacks in user.note, key
