"""One list of all that changed the prompt: saves, switches, commits, words that were learned."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.tui.support.monorepo import git, monorepo_at
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import NOON, User, running

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.edits import Edit
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.changes import KEPT, ChangeLog
from promptscope_tui.session.snapshot import Snapshot, Step
from promptscope_tui.session.worker import Job
from promptscope_tui.text.words import difference
from promptscope_tui.views.change_words import change_title

pytestmark = pytest.mark.slow


def titles(user: User) -> list[str]:
    """The entries, the latest first."""
    now = user.session.snapshot
    return ["".join(change_title(change, now.assembly)) for change in now.changes]


def total(user: User) -> int:
    return user.assembly.tokens.expected or 0


async def test_saves_and_switches_are_one_list_with_the_tokens_of_each(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        sizes = [total(user)]
        await user.press("m", *"architect", "enter")
        sizes.append(total(user))
        user.header.shows(f"architect {difference(sizes[1] - sizes[0])}")
        file = tmp_path / "shop" / "AGENTS.md"
        await user.save(file, file.read_text() + "- Never push on Fridays.\n")
        sizes.append(total(user))
        user.header.shows(f"AGENTS.md {difference(sizes[2] - sizes[1])}")
        await user.press("u")
        sizes.append(total(user))
        user.header.shows(f"code {difference(sizes[3] - sizes[2])}")
        assert titles(user) == ["undo: mode architect → code", "AGENTS.md", "mode code → architect"]
        changes = user.session.snapshot.changes
        assert [change.tokens for change in changes] == [sizes[3] - sizes[2], sizes[2] - sizes[1], sizes[1] - sizes[0]]
        await user.press("ctrl+r", "U")
        assert titles(user)[:2] == ["reset: mode architect → code", "redo: mode code → architect"]
        await user.press("6")
        user.changes.shows("12:00:00  undo: mode architect → code", "execute_command  added", "AGENTS.md")


async def test_a_switch_is_named_as_in_the_controls(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.session.set("diffEnabled", False)
        await user.settle()
        assert titles(user) == ["diffEnabled on → off"]
        user.header.shows("diffEnabled off −")
        await user.press("M", *"my-own-model", "enter")
        assert titles(user)[0] == "model claude-sonnet-4-5 → my-own-model"
        user.session.set("codeIndex", "ready")
        await user.settle()
        assert titles(user)[0] == "codeIndex off → ready"


async def test_a_switch_that_changes_nothing_says_so(tmp_path: Path) -> None:
    async with running(scenario_of_claude(tmp_path)) as user:
        before = total(user)
        user.session.set("approvedExternalImports", True)
        await user.settle()
        assert total(user) == before
        await user.press("6")
        user.changes.shows("approvedExternalImports off → on", "the prompt is the same")
        user.why.shows("the prompt is the same")


async def test_a_file_with_several_names_is_named_as_the_agent_reads_it(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    file, other = tmp_path / "shop" / "AGENTS.md", tmp_path / "shop" / ".agents" / "AGENTS.md"
    other.parent.mkdir()
    other.symlink_to(file)
    async with running(scenario) as user:
        file.write_text(file.read_text() + "- Never push on Fridays.\n")
        user.watcher.on_change(frozenset({str(other), str(file)}))
        await user.settle()
        assert titles(user) == ["AGENTS.md"]
        user.header.shows("AGENTS.md +")
        user.header.hides("more")


async def test_edits_are_named_by_what_they_do(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.app.main.prompt.goto("capabilities")
        await user.press("D")
        await user.press("D")
        assert titles(user) == ["edit capabilities as it was", "edit capabilities dropped"]
        user.session.edit([Edit.model_validate({"drop_tool": "read_file"})])
        await user.settle()
        assert titles(user)[0] == "edit read_file dropped"


async def test_a_text_that_is_typed_is_one_entry_compared_with_what_was_before_it(tmp_path: Path) -> None:
    async with running(scenario_of_claude(tmp_path)) as user:
        before = total(user)
        await user.press("d")
        for words in ("Pay", " ada"):
            await user.press(*words)
        await user.settle()
        (change,) = user.session.snapshot.changes
        assert titles(user) == ["prompt hi → Pay ada"]
        assert change.tokens == total(user) - before
        assert user.session.snapshot.compared is not None
        assert (user.session.snapshot.compared.tokens.expected or 0) == before
        await user.press(*["backspace"] * len("Pay ada"), *"hi")
        assert titles(user) == [], "as it was before"


def scenario_of_claude(folder: Path) -> Scenario:
    roo_shop_at(folder)
    return scenario_of(folder, agent="claude-code", mode=None, model=None, params={"prompt": "hi"})


async def test_another_agent_is_one_entry_with_both_totals(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        before = total(user)
        await user.press("a", *"openclaw", "enter")
        after = total(user)
        (change,) = user.session.snapshot.changes
        assert change.sections == ()
        user.header.shows(f"OpenClaw {difference(after - before)}")
        await user.press("6")
        user.changes.shows("agent Roo Code → OpenClaw", f"{before:,} → {after:,} tok: another prompt")
        await user.press("c")
        await user.settle_all()
        assert difference(after - before) in str(user.app.screen.query_one("#lists-title").render())


async def test_simulated_reads_that_wake_nothing_are_no_entry(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path)) as user:
        root = tmp_path / "mono"
        user.session.replace(user.scenario.model_copy(update={"reads": [str(root / "README.md")]}))
        await user.settle()
        assert titles(user) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
async def test_a_commit_is_called_by_what_is_checked_out(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path)) as user:
        root = tmp_path / "mono"
        (root / "CLAUDE.md").write_text("Other rules.\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "Other rules")
        user.watcher.on_change(
            frozenset(str(root / name) for name in (".git/index", ".git/refs/heads/main", "CLAUDE.md"))
        )
        await user.settle()
        assert titles(user)[0].startswith("commit ")


def test_the_list_ends(tmp_path: Path) -> None:
    first = roo_shop_at(tmp_path)
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    asked = [(each, assemble(each, workspace, counter)) for each in (first, first.with_value("mode", "ask"))]
    log, now = ChangeLog(workspace, lambda: NOON), Snapshot(first)
    for at in range(KEPT + 3):
        scenario, assembly = asked[at % 2]
        now = log.answered(now, assembly, Job(scenario, step=at), first)
    assert len(now.changes) == KEPT
    assert now.changes[0].steps == (Step("mode", "code", "ask"),)
