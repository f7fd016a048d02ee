"""Which files a mode may edit: its pattern over the repository's files, and the answer for one path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight import editable
from promptscope_engine.insight import editable as module
from promptscope_engine.insight.editable import EditableFiles, find_editable
from promptscope_engine.prompt.model import FileLimit, ModeChoice
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList

EDITING = ("read", "edit")
OWN = "is one of Roo's own files: each change of it has to be approved"


def limited(pattern: str, *groups: str) -> ModeChoice:
    limit = FileLimit(pattern, "Notes", ("write_to_file", "apply_diff"))
    return ModeChoice("writer", "Writer", groups or EDITING, edits_only=limit)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace inside of a repository, with an ignore file."""
    (tmp_path / "repo" / "web").mkdir(parents=True)
    (tmp_path / "repo" / "web" / ".rooignore").write_text("secret.md\n")
    return tmp_path


def found(
    place: Path, mode: ModeChoice, files: tuple[str, ...] = (), wanted: bool = True, complete: bool = True
) -> EditableFiles | None:
    scenario = Scenario(agent="roo", workspace=str(place / "repo/web"), home=str(place / "home"), env={})
    workspace = Workspace()
    agent, inputs = resolve(scenario, workspace)
    listing = FileList(str(place / "repo"), files, "git", complete)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(editable, "list_files", lambda *_: listing)
        return find_editable(agent, inputs, workspace, mode, lambda: wanted)


def listed(place: Path, mode: ModeChoice, *files: str, complete: bool = True) -> EditableFiles:
    edits = found(place, mode, files, complete=complete)
    assert edits is not None
    return edits


FILES = ("a.md", "web/b.md", "web/c.ts", "web/docs/d.md", "web/secret.md")


def test_the_files_below_the_workspace_are_held_against_the_pattern(place: Path) -> None:
    edits = listed(place, limited(r"\.md$"), *FILES)
    assert (edits.files, edits.count, edits.hidden, edits.of) == (("b.md", "docs/d.md"), 2, 1, 4)
    assert edits.summary() == "2 of 4 files match; 1 more of them hidden from the agent"
    told = edits.to_dict()
    assert (told["files"], told["count"], told["hidden"]) == (["b.md", "docs/d.md"], 2, 1)
    assert (told["of"], told["complete"], told["undecided"]) == (4, True, None)
    assert told["only"] is not None
    assert listed(place, limited(r"^b"), *FILES, complete=False).summary() == "1 of the first 4 files match"


def test_a_mode_without_a_pattern_edits_any_file_or_none(place: Path) -> None:
    anything, nothing = ModeChoice("code", "Code", EDITING), ModeChoice("ask", "Ask", ("read",))
    assert listed(place, anything, *FILES).summary() == "any file"
    assert listed(place, nothing, *FILES).summary() == "the mode ask edits no file"
    assert listed(place, limited("(", "read"), *FILES).summary() == "the mode writer edits no file"
    edits = listed(place, anything, *FILES)
    assert (edits.files, edits.count, edits.hidden, edits.of, edits.complete) == ((), 0, 0, 0, True)
    assert edits.to_dict() == {
        "mode": "code", "may_edit": True, "only": None, "undecided": None,
        **dict.fromkeys(("files", "count", "hidden", "of", "complete")),
    }  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [
        (r"\.md$", "docs/new.md", "write_to_file", True, ".rooignore does not hide docs/new.md"),
        (r"\.md$", "src/a.ts", "write_to_file", False, r"src/a.ts does not match \.md$ (Notes)"),
        (r"\.md$", "src/a.ts", None, False, r"src/a.ts does not match \.md$ (Notes)"),
        (r"\.md$", "a.png", "generate_image", True, ".rooignore does not hide a.png"),
        (r"\.md$", "secret.md", "write_to_file", False, ".rooignore hides secret.md"),
        (
            r"\.md$",
            "AGENTS.md",
            None,
            True,
            f"AGENTS.md {OWN}",
        ),
        (r"(a)\1", "a.md", None, None, ".rooignore does not hide a.md"),
        (r"(a)\1", "secret.md", None, False, ".rooignore hides secret.md"),
    ],
)
def test_one_path_is_answered_with_what_decides(place: Path, case: tuple[Any, ...]) -> None:
    pattern, path, tool, ok, last = case
    answer = listed(place, limited(pattern)).answer(path, tool)
    assert (answer.path, answer.ok, answer.steps[-1].text) == (path, ok, last)
    word = {True: "yes", False: "no", None: "not decided"}[ok]
    assert answer.words == f"{path}: {word}"


def test_a_path_from_the_root_is_asked_as_the_model_would_write_it(place: Path) -> None:
    edits = listed(place, limited(r"^docs/"))
    assert edits.answer(str(place / "repo/web/docs/x/../a.md")).path == "docs/a.md"
    assert edits.answer("/elsewhere/a.md").path == "/elsewhere/a.md"
    assert edits.answer("./docs/a.md").ok is False


def test_what_a_pattern_matches_may_not_be_decided(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edits = listed(place, limited(r"(a)\1"), *FILES)
    assert edits.summary() == "what the pattern matches is not decided: it has a backreference"
    assert (edits.to_dict()["undecided"], edits.to_dict()["files"]) == (edits.summary(), None)
    monkeypatch.setattr("promptscope_engine.javascript.matcher.MAX_WORK", 3)
    edits = listed(place, limited("(a|aa)+$"), "web/aaaaaaaa!")
    assert edits.summary() == "which files match is not decided: it takes more than 3 steps"


def test_names_and_work_are_limited_and_the_rest_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [f"web/{number}.md" for number in range(201)]
    edits = listed(place, limited(r"\.md$"), *files)
    assert (len(edits.files), edits.count, edits.complete) == (200, 201, True)
    assert edits.files == tuple(f"{number}.md" for number in range(200))
    monkeypatch.setattr(module, "MAX_WORK", 100)
    edits = listed(place, limited(r"\.md$"), *files)
    assert not edits.complete
    assert 0 < edits.of < 200
    assert edits.summary() == f"{edits.of} of the first {edits.of} files match"


def test_so_much_work_is_done_before_it_ends(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two files of one name's length each takes half of the work."""
    mode, files = limited(r"\.md$"), ("web/a.md", "web/b.md")
    matcher = listed(place, mode, files[0]).rules.matcher
    assert matcher is not None
    for most, of in ((matcher.work, 2), (matcher.work - 1, 1)):
        monkeypatch.setattr(module, "MAX_WORK", most)
        edits = listed(place, mode, *files)
        assert (edits.of, edits.complete) == (of, of == 2)


def test_it_ends_when_nobody_wants_it_and_where_an_agent_has_no_such_modes(place: Path) -> None:
    assert found(place, limited(r"\.md$"), FILES, wanted=False) is None
    scenario = Scenario(agent="codex", workspace=str(place), home=str(place), env={})
    _, inputs = resolve(scenario, Workspace())
    assert find_editable(load_agent("codex"), inputs, Workspace(), limited("a")) is None
