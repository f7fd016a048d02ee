"""Live reload in a real repository: whatever the prompt hangs on is noticed, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.tui.support.monorepo import git, monorepo_at

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.workspace import Workspace
from promptscope_tui.watching.watcher import Watcher

from .test_watcher import Room


class Repository(Room):
    """The monorepo, assembled once and watched."""

    def __init__(self, folder: Path, start: str) -> None:
        super().__init__(folder / "mono")
        self.workspace = Workspace()
        self.scenario = monorepo_at(folder, start)
        self.watcher = Watcher(self.workspace, self._changed, self._status)
        self.answer()
        self.watch()

    def answer(self) -> None:
        """Assemble and look for what waits, as the app does."""
        assemble(self.scenario, self.workspace, cached_only=True)
        find_lazy_rules(*resolve(self.scenario, self.workspace), self.workspace)

    def noticed(self, *names: str) -> None:
        """Wait until these are named, then read them as the app does."""
        wanted = {self.path(name) for name in names}
        self.until(lambda: wanted <= self.changes)
        with self.told:
            changed = frozenset(self.changes)
            self.changes.clear()
        self.workspace.forget(changed)
        self.answer()
        self.watcher.update()


Start = Callable[[str], Repository]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Begin to watch from a folder of the monorepo."""
    made: list[Repository] = []

    def begin(folder: str) -> Repository:
        made.append(Repository(tmp_path.resolve(), folder))
        return made[-1]

    yield begin
    for each in made:
        each.watcher.stop()


@pytest.mark.slow
def test_a_commit_is_noticed_and_objects_are_not(start: Start) -> None:
    repository = start(".")
    assert not any("/.git/objects" in path for path in repository.workspace.asked)
    objects = repository.folder / ".git" / "objects" / "aa"
    objects.mkdir(exist_ok=True)
    (objects / "new").write_text("x")
    (repository.folder / ".git" / "COMMIT_EDITMSG").write_text("x")
    (repository.folder / "CLAUDE.md").write_text("# Rules\n")
    repository.until(lambda: bool(repository.changes))
    assert repository.changes == {repository.path("CLAUDE.md")}
    repository.noticed("CLAUDE.md")
    git(repository.folder, "add", "-A")
    repository.noticed(".git/index")
    git(repository.folder, "commit", "-qm", "Second")
    repository.noticed(".git/refs/heads/main")


@pytest.mark.slow
def test_another_branch_is_noticed_and_followed(start: Start) -> None:
    repository = start(".")
    git(repository.folder, "switch", "-qc", "feature/deep")
    repository.noticed(".git/HEAD")
    git(repository.folder, "commit", "-q", "--allow-empty", "-m", "On the branch")
    repository.noticed(".git/refs/heads/feature/deep")


@pytest.mark.slow
def test_a_parent_gets_and_loses_instruction_files(start: Start) -> None:
    repository = start("packages/web/src/ui")
    local = repository.folder / "packages" / "web" / "CLAUDE.local.md"
    local.write_text("mine")
    repository.noticed("packages/web/CLAUDE.local.md")
    local.unlink()
    repository.noticed("packages/web/CLAUDE.local.md")
    (repository.folder.parent / "CLAUDE.md").write_text("above the repository")
    repository.noticed(str(repository.folder.parent / "CLAUDE.md"))


@pytest.mark.slow
def test_a_rename_away_and_back(start: Start) -> None:
    repository = start("packages/web/src/ui")
    file = repository.folder / "packages" / "CLAUDE.md"
    file.rename(file.with_name("aside.md"))
    repository.noticed("packages/CLAUDE.md")
    file.with_name("aside.md").rename(file)
    repository.noticed("packages/CLAUDE.md")


@pytest.mark.slow
def test_a_link_and_what_lies_behind_it(start: Start) -> None:
    repository = start("packages")
    link = repository.folder / "CLAUDE.local.md"
    link.symlink_to("docs/style.md")
    repository.noticed("CLAUDE.local.md")
    (repository.folder / "docs" / "style.md").write_text("Other words.\n")
    repository.noticed("CLAUDE.local.md")


def test_a_nested_file_below_appears(start: Start) -> None:
    repository = start(".")
    (repository.folder / "docs" / "CLAUDE.md").write_text("for the docs")
    repository.noticed("docs/CLAUDE.md")
