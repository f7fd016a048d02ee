"""The main screen's small controllers, without a screen: copying, folders, files, experiments, routes, explanations."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.tui.support.host import FakeHost, FakePrompt
from tests.tui.support.roo_shop import roo_shop_at
from textual.widget import Widget

from promptscope_tui.screens import under_cursor
from promptscope_tui.screens.host import Explanation
from promptscope_tui.screens.navigation import Folders, Routes
from promptscope_tui.screens.under_cursor import Copies, Editor, Experiments
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import ChooseAgent, OpenSource
from promptscope_tui.views.subjects import Cursor, FileSubject
from promptscope_tui.views.under_cursor import COPIES
from promptscope_tui.views.welcome import BeginFile, OpenDemo, ShowPrompt


@pytest.fixture
def host(tmp_path: Path) -> FakeHost:
    return FakeHost(roo_shop_at(tmp_path), prompt=FakePrompt())


def section_of(host: FakeHost) -> Cursor:
    assert host.snapshot.assembly is not None
    return Cursor(next(each.id for each in host.snapshot.assembly.sections if each.present and each.text.strip()))


# --- copying ---------------------------------------------------------------------------------------------------------


def test_the_selection_is_copied_before_the_section_under_the_cursor(host: FakeHost) -> None:
    host.under_cursor = section_of(host)
    copies = Copies(host)
    copies.action_copy_section()
    assert host.app.copied
    host.selected = "two words"
    copies.action_copy_section()
    assert host.app.copied == "two words"
    assert host.notes[-1] == "copied the selection: 9 characters"


def test_the_window_is_copied_as_it_is_drawn(host: FakeHost) -> None:
    host.pages.active = "window"
    Copies(host).action_copy_section()
    assert host.app.copied == "a map"


def test_where_nothing_is_to_copy_it_says_so(host: FakeHost) -> None:
    Copies(host).action_copy_section()
    assert host.errors == ["nothing to copy here"]


def test_a_form_of_the_request_is_chosen_and_copied(host: FakeHost) -> None:
    Copies(host).action_copy_request()
    ((_, chosen),) = host.app.opened
    chosen(None)
    assert host.app.copied == ""
    chosen(next(iter(COPIES)))
    assert host.app.copied


# --- folders and files -----------------------------------------------------------------------------------------------


def test_a_folder_is_opened_if_there_is_one(host: FakeHost, tmp_path: Path) -> None:
    opened = Folders(host, tuple, lambda: None)
    opened.open(str(tmp_path / "nowhere"))
    assert host.errors == [f"no such folder: {tmp_path / 'nowhere'}"]
    opened.open(str(tmp_path))
    assert host.session.snapshot.scenario.workspace == str(tmp_path)
    assert host.notes == [f"the folder is {tmp_path}; u goes back"]


def test_what_is_chosen_in_the_welcome_is_done(host: FakeHost) -> None:
    welcome = Folders(host, tuple, lambda: None)
    welcome.begin(ShowPrompt())
    assert host.tabs == ["prompt"]
    welcome.begin(BeginFile("/shop/AGENTS.md"))
    assert [each.intent for each in host.messages] == [OpenSource("/shop/AGENTS.md")]  # type: ignore[attr-defined]
    welcome.begin(ChooseAgent("codex"))
    assert host.session.snapshot.scenario.agent == "codex"
    welcome.begin(OpenDemo())
    assert "promptscope-demo-" in host.session.snapshot.scenario.workspace


def test_the_editor_opens_what_is_under_the_cursor(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[str, int]] = []
    monkeypatch.setattr(under_cursor, "open_editor", lambda _, path, line, __: opened.append((path, line)))
    Editor(host).action_editor()
    assert host.errors == ["no source file"]
    host.under_cursor = FileSubject("AGENTS.md")
    Editor(host).action_editor()
    assert opened[-1][0].endswith("/AGENTS.md")
    host.why = SimpleNamespace(has_focus=True, source=OpenSource("/other", 7), link=None)
    Editor(host).action_editor()
    assert opened[-1] == ("/other", 7), "the link in Why goes first"


# --- experiments -----------------------------------------------------------------------------------------------------


def test_a_section_is_dropped_and_restored(host: FakeHost) -> None:
    experiments = Experiments(host)
    experiments.action_experiment_drop()
    assert host.errors == ["go to a section of the prompt or to a tool first"]
    host.under_cursor = section_of(host)
    experiments.action_experiment_drop()
    assert [edit.kind for edit in host.session.snapshot.scenario.edits] == ["drop"]
    host.snapshot = host.session.snapshot
    experiments.action_experiment_drop()
    assert list(host.session.snapshot.scenario.edits) == []


def test_a_text_is_replaced_by_what_was_typed(host: FakeHost) -> None:
    host.under_cursor = section_of(host)
    Experiments(host).action_experiment()
    ((_, accepted),) = host.app.opened
    accepted(None)
    assert list(host.session.snapshot.scenario.edits) == []
    accepted("Be brief.")
    (edit,) = host.session.snapshot.scenario.edits
    assert edit.text == "Be brief."


# --- actions ---------------------------------------------------------------------------------------------------------


async def test_actions_run_on_a_controller_or_a_widget(host: FakeHost) -> None:
    moved: list[int] = []
    host.experiments = SimpleNamespace(action_experiment_move=moved.append)  # type: ignore[attr-defined]
    host.controls = Widget()  # type: ignore[attr-defined]
    routes = Routes(host, lambda: None)
    await routes.run("experiment_up")
    assert moved == [-1]
    await routes.run("undo")
    assert host.app.ran == [("undo", host.controls)]  # type: ignore[attr-defined]


async def test_an_action_that_the_agent_lacks_says_so(host: FakeHost) -> None:
    routes = Routes(host, lambda: None)
    await routes.run("views")
    assert host.errors == ["Roo Code has no capture open: o opens one, O records one"]
    assert "views" in routes.lacking()
    assert {"undo", "redo", "reset"} <= routes.idle()


def test_in_why_what_its_link_does_not_offer_is_idle(host: FakeHost) -> None:
    routes = Routes(host, lambda: None)
    assert not routes.idle() & {"choose_row", "editor"}
    host.why = SimpleNamespace(has_focus=True, source=None, link=None)
    assert {"choose_row", "editor"} <= routes.idle()


# --- explanations ----------------------------------------------------------------------------------------------------


def test_what_is_explained_is_looked_into(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[str] = []
    monkeypatch.setattr(host.session, "request_repeats", lambda: wanted.append("repeats"))
    explained: list[object] = []
    why: Any = SimpleNamespace(explain=lambda subject, *_: explained.append(subject))
    explanation = Explanation(host.session)
    explanation.show(FileSubject("AGENTS.md"), why)
    assert explained == [], "nothing is known of the agent yet"
    explanation.inputs = AgentInputs.shown(host.snapshot)
    explanation.show(FileSubject("AGENTS.md"), why)
    assert explained == [FileSubject("AGENTS.md")]
    assert wanted == ["repeats", "repeats"]
    explanation.show(Cursor(), why)
    assert explained[-1] is None, "no section is under the cursor"
    assert explanation.of(None) is None
