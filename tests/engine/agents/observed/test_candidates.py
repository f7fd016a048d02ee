"""Which files are looked into for what was sent, and of which kind they are."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Workspace
from promptscope_engine.agents.observed.gather import candidates, kind_of
from promptscope_engine.assembly.resolve import resolve

MODULE = import_module(candidates.__module__)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir()
    return tmp_path


def write(place: Path, *names: str) -> None:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("text")


def found(place: Path) -> tuple[list[tuple[str, str]], bool]:
    """The candidates below the place, each with its kind, and whether they are all."""
    workspace = Workspace()
    _, inputs = resolve(frozen_scenario("roo", place), workspace)  # only its folders count
    listed, complete = candidates(inputs, workspace)
    return [(str(Path(each.path).relative_to(place)), each.kind) for each in listed], complete


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/ws/CLAUDE.md", "claude-md"),
        ("/ws/deep/AGENTS.override.md", "agents-md"),
        ("/home/.claude/skills/x/SKILL.md", "skill"),
        ("/ws/.cursorrules", "rules"),
        ("/ws/README.md", ""),
        ("/ws/src/main.py", ""),
        ("/ws/.claude/rules/a.md", "claude-rule"),
        ("/ws/.claude/rules/a.mdc", "claude-rule"),
        ("/ws/.claude/rules/a.py", ""),
        ("/ws/.claude/agents/a.md", "rules"),
        ("/ws/.roo/rules/a.txt", "rules"),
        ("/ws/rules/a.md", ""),
        ("/home/.claude/projects/x/memory/a.md", "memory"),
        ("/ws/memory/a.md", ""),
        ("/home/.claude/skills/x/guide.md", ""),
        ("/ws/docs/python.instructions.md", "rules"),
        ("/ws/docs/python.instructions.txt", ""),
    ],
)
def test_the_kind_of_a_file(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_instructions_come_first_and_what_is_near_before_them(place: Path) -> None:
    write(place, "workspace/a.py", "workspace/sub/CLAUDE.md", "workspace/AGENTS.md", "GEMINI.md", "home/.codex/x.md")
    assert found(place) == (
        [
            ("workspace/AGENTS.md", "agents-md"),
            ("GEMINI.md", "gemini-md"),
            ("workspace/sub/CLAUDE.md", "claude-md"),
            ("home/.codex/x.md", "rules"),
            ("workspace/a.py", ""),
        ],
        True,
    )


def test_agents_folders_are_looked_into_but_not_for_what_is_no_instruction(place: Path) -> None:
    write(place, "home/.claude/a.md", "home/.claude/a.json", "home/.claude/logs/b.md", "home/.claude/plans/c.md")
    write(place, "home/.config/opencode/d.md", "home/.config/other/e.md", ".claude/rules/f.md")
    assert sorted(path for path, _ in found(place)[0]) == [
        ".claude/rules/f.md",
        "home/.claude/a.md",
        "home/.claude/plans/c.md",
        "home/.config/opencode/d.md",
    ]


@pytest.mark.parametrize(("between", "is_found"), [(5, True), (6, True), (7, False)])
def test_so_deep_a_file_is_found(place: Path, between: int, is_found: bool) -> None:
    write(place, f"home/.claude/{'d/' * between}a.md")
    assert bool(found(place)[0]) is is_found


@pytest.mark.parametrize(("most", "complete"), [(4, True), (3, True), (2, False)])
@pytest.mark.parametrize("folder", ["workspace", "home/.claude"])
def test_no_more_files_than_the_limit_and_it_is_said(
    place: Path, monkeypatch: pytest.MonkeyPatch, folder: str, most: int, complete: bool
) -> None:
    write(place, *(f"{folder}/{name}.md" for name in "abc"))
    (place / folder / "empty").mkdir()
    monkeypatch.setattr(MODULE, "MAX_FILES", most)
    listed, is_complete = found(place)
    assert (len(listed), is_complete) == (min(most, 3), complete)


@pytest.mark.parametrize(("most", "names"), [(4, "abc"), (3, "abc"), (2, "ab")])
def test_no_more_folders_than_the_limit_and_it_is_said(
    place: Path, monkeypatch: pytest.MonkeyPatch, most: int, names: str
) -> None:
    write(place, *(f"home/.claude/{'sub/' * depth}{name}.md" for depth, name in enumerate("abc")))
    monkeypatch.setattr(MODULE, "MAX_FOLDERS", most)
    listed, is_complete = found(place)
    assert ([Path(path).stem for path, _ in listed], is_complete) == (list(names), names == "abc")


def test_a_thousand_folders_are_entered(place: Path) -> None:
    """The agent's own one is the first of them."""
    for number in range(1_000):
        (place / f"home/.claude/{number:03}").mkdir(parents=True)
    write(place, "home/.claude/998/a.md", "home/.claude/999/b.md")
    assert found(place) == ([("home/.claude/998/a.md", "rules")], False)
