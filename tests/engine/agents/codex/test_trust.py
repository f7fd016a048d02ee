"""What was decided for a folder, what `--trust` decides, and where a linked worktree leads."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Workspace
from promptscope_engine.agents.codex.gather.permissions import Trust, main_repository, saved, trust, unsaved
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.walking import walk
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import Fact, Facts
from promptscope_engine.prompt.model import SettingSource

from .conftest import Codex

UNSET = SettingSource("projects", "/h", "~", is_set=False)


@pytest.mark.parametrize(
    ("content", "main"),
    [
        ("gitdir: {main}/.git/worktrees/w\n", "{main}"),
        ("gitdir: {main}/.git/worktrees/w", "{main}"),
        ("\n gitdir:{main}/.git/worktrees/w\nmore", "{main}"),
        ("gitdir: {main}/.git/worktrees/gone", None),
        ("gitdir: ../main/.git/worktrees/w", "{main}"),
        ("gitdir: /main/.git/worktrees/", None),
        ("gitdir: /main/.git/modules/w", None),
        ("gitdir: ", None),
        ("gitdir:\n", None),
        ("", None),
        ("/main/.git/worktrees/w", None),
        ("see gitdir: /main/.git/worktrees/w", None),
    ],
)
def test_the_main_repository_of_a_worktree(place: Path, content: str, main: str | None) -> None:
    (place / "workspace/.git").write_text(content.format(main=place / "main"))
    worktree(place, "main")
    workspace = Workspace()
    resolve(frozen_scenario("codex", place), workspace)
    found = main_repository(str(place / "workspace"), workspace)
    assert found == (main.format(main=place / "main") if main else None)


def worktree(place: Path, main: str, **files: str) -> None:
    """What git keeps in the main repository of the worktree in workspace/."""
    folder = place / main / ".git/worktrees/w"
    folder.mkdir(parents=True)
    for name, content in {"commondir": "../..\n", "gitdir": f"{place}/workspace/.git\n", **files}.items():
        (folder / name).write_text(content)


@pytest.mark.parametrize(
    ("files", "is_linked"),
    [({}, True), ({"gitdir": "../../../../.git"}, True), ({"gitdir": "/w/.git"}, False), ({"commondir": ".."}, False)],
)
def test_the_main_repository_has_to_know_its_worktree(place: Path, files: dict[str, str], is_linked: bool) -> None:
    (place / "workspace/.git").write_text("gitdir: main/.git/worktrees/w")
    worktree(place, "workspace/main", **files)
    workspace = Workspace()
    resolve(frozen_scenario("codex", place), workspace)
    assert bool(main_repository(str(place / "workspace"), workspace)) is is_linked


def test_a_repository_of_its_own_has_no_main_one(place: Path) -> None:
    repository(place / "workspace")
    workspace = Workspace()
    resolve(frozen_scenario("codex", place), workspace)
    assert main_repository(str(place / "workspace"), workspace) is None


def decided(place: Path, within: str, **levels: str) -> Trust:
    """The decisions for folders below the place; `_` stands for a slash."""
    (place / within).mkdir(parents=True, exist_ok=True)
    workspace = Workspace()
    scenario = frozen_scenario("codex", place).model_copy(update={"workspace": str(place / within)})
    _, inputs = resolve(scenario, workspace)
    projects = {str(place / name.replace("_", "/")): {"trust_level": level} for name, level in levels.items()}
    layers = [Layer({"projects": projects})]
    return trust(workspace, str(place / within), inputs.workspace, layers, UNSET)


def repository(folder: Path) -> None:
    """A `.git` folder with what makes it one."""
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")


@pytest.mark.parametrize(
    ("levels", "level"),
    [
        ({}, None),
        ({"workspace": "trusted"}, "trusted"),
        ({"workspace_a": "trusted"}, "trusted"),
        ({"workspace_a": "untrusted", "workspace": "trusted"}, "untrusted"),
        ({"workspace_a": "maybe", "workspace": "trusted"}, "trusted"),
        ({"workspace_a_b": "trusted", "home": "trusted"}, None),
    ],
)
def test_a_folders_own_decision_comes_before_the_repositorys(
    place: Path, levels: dict[str, str], level: str | None
) -> None:
    repository(place / "workspace")
    assert decided(place, "workspace/a", **levels).of(str(place / "workspace/a")).value == level


@pytest.mark.parametrize(
    ("levels", "written"),
    [
        ({}, ["workspace"]),
        ({"home": "untrusted"}, ["workspace"]),
    ],
)
def test_trusting_decides_for_the_repository(place: Path, levels: dict[str, str], written: list[str]) -> None:
    repository(place / "workspace")
    found = saved(decided(place, "workspace/a", **levels))
    assert found.values == {"projects": {str(place / name): {"trust_level": "trusted"} for name in written}}


@pytest.mark.parametrize(
    ("levels", "place_of_it"),
    [
        ({"workspace": "untrusted"}, True),
        ({"workspace_a": "untrusted"}, True),
        ({"workspace_a": "trusted"}, False),
        ({"home": "untrusted"}, False),
    ],
)
def test_trusting_takes_nothing_back(place: Path, levels: dict[str, str], place_of_it: bool) -> None:
    repository(place / "workspace")
    assert bool(unsaved(decided(place, "workspace/a", **levels))) is place_of_it


@pytest.mark.parametrize("hollow", ["workspace/a/.git", "workspace/a/.git/objects"])
def test_a_git_folder_without_a_head_is_no_repository(place: Path, hollow: str) -> None:
    repository(place / "workspace")
    (place / hollow).mkdir(parents=True)
    found = decided(place, "workspace/a", workspace="trusted")
    assert (found.root, found.of(str(place / "workspace/a")).value) == (str(place / "workspace"), "trusted")


def test_where_no_repository_is_around_such_a_folder_it_is_the_start_folder(place: Path) -> None:
    (place / "workspace/.git").mkdir()
    assert decided(place, "workspace/a", workspace="trusted").root == str(place / "workspace/a")


def test_trusting_needs_the_settings_of_the_user(codex: Codex) -> None:
    """[0.169.0]"""
    said = codex(args={"trust": True, "ignoreUserConfig": True}).message("agent-refuses")
    assert said.startswith("Codex does not start: --trust cannot go with --ignore-user-config")
    assert "agent-refuses" not in codex(args={"ignoreUserConfig": True}).codes


def test_without_a_repository_trusting_decides_for_the_folder(place: Path) -> None:
    found = saved(decided(place, "workspace/a"))
    assert found.values == {"projects": {str(place / "workspace/a"): {"trust_level": "trusted"}}}


@pytest.mark.parametrize(
    ("marked", "names"),
    [("workspace/a/b", ["b"]), ("workspace/a", ["a", "b"]), ("workspace", ["workspace", "a", "b"]), (None, ["b"])],
)
def test_the_folders_of_a_project_go_from_its_marker_down(place: Path, marked: str | None, names: list[str]) -> None:
    (place / "workspace/a/b").mkdir(parents=True)
    if marked:
        (place / marked / ".hg").mkdir()
    workspace = Workspace()
    resolve(frozen_scenario("codex", place), workspace)
    found = walk(workspace, str(place / "workspace/a/b"), [".git", ".hg"])
    assert [Path(folder).name for folder in found.folders] == names


@pytest.mark.parametrize(
    ("decided", "path", "asked", "on", "off"),
    [
        (None, "", "trusted", ("args.trust", None), ("settings.projects", "untrusted")),
        (None, "", "untrusted", ("settings.projects", "untrusted"), ("args.trust", None)),
        (
            "trusted",
            "/h/config.toml",
            "untrusted",
            ("settings.projects", "untrusted"),
            ("settings.projects", "trusted"),
        ),
        (
            "untrusted",
            "/h/config.toml",
            "trusted",
            ("settings.projects", "trusted"),
            ("settings.projects", "untrusted"),
        ),
        ("untrusted", "", "trusted", ("settings.projects", "trusted"), ("settings.projects", "untrusted")),
        ("trusted", "", "untrusted", ("settings.projects", "untrusted"), ("settings.projects", "trusted")),
    ],
)
def test_what_would_decide_otherwise(
    decided: str | None,
    path: str,
    asked: Literal["trusted", "untrusted"],
    on: tuple[str, str | None],
    off: tuple[str, str | None],
) -> None:
    """`--trust` decides where nothing was decided."""
    projects = {} if decided is None else {"/ws/a": {"trust_level": decided}}
    found = Trust("/ws/a", "/ws", ("/ws",), (Layer({"projects": projects}, path=path),), UNSET, "/ws/a")
    condition = found.is_(asked, "/ws/a", "yes", "no")
    assert condition.holds(Facts()) is (decided == asked)
    assert isinstance(condition, Fact)
    for levers, (param, level) in ((condition.on, on), (condition.off, off)):
        assert levers is not None
        (lever,) = levers
        assert lever.param == param
        assert lever.value == (
            True if level is None else {folder: {"trust_level": level} for folder in ("/ws/a", "/ws")}
        )
