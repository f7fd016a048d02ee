"""Jumps and the way back, without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.host import FakeHost, FakeList, FakePrompt
from tests.tui.support.roo_shop import roo_shop_at

from promptscope_tui.screens.navigation import Navigation
from promptscope_tui.session.snapshot import GoTo
from promptscope_tui.views.subjects import FileSubject
from promptscope_tui.widgets.table_list import FilterBar


class Walk:
    """A navigation between a prompt, tools and files."""

    def __init__(self, folder: Path) -> None:
        self.prompt, self.tools, self.files = FakePrompt(), FakeList("read", "write"), FakeList("a", "b", hidden="b")
        self.host = FakeHost(roo_shop_at(folder), prompt=self.prompt, tools=self.tools, files=self.files)
        self.navigation = Navigation(self.host, self.host.show_tab, lambda: FakeFilter(self.files))


class FakeFilter(FilterBar):
    """Ends at once."""

    def __init__(self, files: FakeList) -> None:
        super().__init__()
        self.files = files

    def leave(self, *, keep: bool) -> None:
        self.files.hidden = self.files.hidden if keep else None


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    return Walk(tmp_path)


def test_a_jump_leads_to_a_place_and_back(walk: Walk) -> None:
    walk.prompt.at = "here"
    walk.navigation.go_to(GoTo("tools", "write"))
    assert walk.tools.key == "write"
    walk.navigation.go_to(GoTo("prompt", "rules", 3))
    assert walk.prompt.went == [("rules", 3)]
    assert walk.navigation.go_back()
    assert (walk.host.pages.active, walk.tools.key) == ("tools", "write")
    assert walk.navigation.go_back()
    assert walk.prompt.went[-1] == ("back", "here", None)
    assert not walk.navigation.go_back()


def test_two_jumps_from_one_place_are_one_step_back(walk: Walk) -> None:
    walk.navigation.go_to(GoTo("prompt", "rules"))
    walk.navigation.go_to(GoTo("prompt", "tools"))
    assert walk.navigation.go_back()
    assert not walk.navigation.go_back()


def test_going_to_a_tab_by_hand_forgets_the_way_back(walk: Walk) -> None:
    walk.navigation.go_to(GoTo("tools", "read"))
    walk.navigation.forget()
    assert not walk.navigation.go_back()


def test_a_row_that_a_filter_hides_is_shown(walk: Walk) -> None:
    walk.navigation.go_to(GoTo("files", "b"))
    assert walk.files.key == "b"
    assert walk.host.errors == []
    walk.navigation.go_to(GoTo("files", "gone"))
    assert walk.host.errors == ["it has no row there"]


def test_a_row_without_a_place_says_so(walk: Walk) -> None:
    walk.navigation.jump(FileSubject("/nowhere"))
    assert walk.host.notes == ["this isn't in the prompt"]
    assert walk.host.tabs == []


def test_the_next_problem_is_looked_for_only_where_there_is_one(walk: Walk) -> None:
    walk.navigation.action_problems()
    problems = [each for each in walk.host.snapshot.assembly.diagnostics if each.severity != "info"]  # type: ignore[union-attr]
    if problems:
        assert walk.files.key == "problem"
    else:
        assert walk.host.notes == ["no problems were found so far"]
