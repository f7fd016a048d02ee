"""Files as a tree: folders fold, places with nothing there are one row, and rows are found by any name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.linked_repo import SKILLS, linked_repo_at
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running

from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.text.words import number
from promptscope_tui.views.subjects import DiagnosticSubject, FileSubject, FolderSubject

pytestmark = pytest.mark.slow

FOLDER = "▸ .claude/skills/  12 files"


def line(user: User, words: str) -> str:
    """The first row of Files with these words."""
    return next(line for line in user.files.lines if words in line)


async def test_one_row_has_all_names_of_a_file_and_one_has_the_places_without_any(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (200, 50)) as user:
        await user.press("3")
        first = next(file for file in user.assembly.files if file.present)
        assert user.files.lines[1].split() == [
            "●", "CLAUDE.md", "=", "AGENTS.md", "=", ".agents/AGENTS.md", number(first.tokens), "1",
            *user.files.lines[1].split()[8:],
        ]  # fmt: skip
        assert sum("AGENTS.md" in text for text in user.files.lines) == 1
        missing = line(user, "usual places, nothing there")
        assert missing.startswith("▸")
        user.files.hides("~/.claude/CLAUDE.md")
        await user.files.row("usual places").press("enter")
        user.files.shows("~/.claude/CLAUDE.md", "no memory has been written yet")
        user.files.hides("no such file")
        await user.press("space")
        user.files.hides("~/.claude/CLAUDE.md")


async def test_a_folder_says_what_its_files_cost_and_folds_by_keys_and_mouse(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("3")
        skills = [file for file in user.assembly.files if file.kind == "skill"]
        assert number(sum(file.tokens or 0 for file in skills)) in line(user, FOLDER).split()
        user.files.hides("add-price")
        await user.files.row("skills/").press("right")
        for name in SKILLS:
            user.files.shows(f"  {name} ")
        assert user.files.key == FolderSubject(".claude/skills")
        await user.press("right")
        assert user.files.key == FileSubject(skills[0].path), "into it"
        await user.press("left")
        assert user.files.key == FolderSubject(".claude/skills"), "to the folder around it"
        await user.press("left")
        user.files.shows(FOLDER)
        await user.press("enter")
        user.files.hides(FOLDER)
        await user.press("space")
        user.files.shows(FOLDER)
        y = user.files.lines.index(line(user, FOLDER))
        await user.click(user.files.widget, offset=(5, y), times=2)
        user.files.shows("add-price")


async def test_what_a_read_would_cost_is_counted(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (200, 50)) as user:
        await user.press("3")
        counted = Counter(get_tokenizer(user.assembly.tokens.tokenizer)).count
        web = counted((tmp_path / "repo/web/CLAUDE.md").read_text())
        evals = counted((tmp_path / "repo/web/src/features/evals/CLAUDE.md").read_text())
        assert number(web + evals) in line(user, "web/  2 files").split()
        assert number(counted((tmp_path / "repo/ee/CLAUDE.md").read_text())) in line(user, "ee/CLAUDE.md").split()
        assert "loads when a file below ee" in line(user, "ee/CLAUDE.md")
        await user.files.row("skills/").press("right")
        whole = counted((tmp_path / "repo/.agents/skills/turborepo/SKILL.md").read_text())
        assert line(user, "turborepo").split()[3] == number(whole)


async def test_a_reason_is_said_where_it_differs_from_the_folders(tmp_path: Path) -> None:
    async with running(
        linked_repo_at(tmp_path, params={"settings": {"skillOverrides": {"migrate": "off"}}}), (200, 50)
    ) as user:
        await user.files.row("skills/").press("right")
        usual, other = line(user, "turborepo"), line(user, "migrate")
        assert len(usual.split()) < len(other.split())
        assert "skillOverrides" in other


async def test_sorted_or_filtered_it_is_a_list_of_whole_paths(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (200, 50)) as user:
        await user.press("3", "slash", *"browser", "enter")
        user.files.shows(".claude/skills/browser-review/SKILL.md")
        user.files.hides("32 files", "usual places")
        assert len([row for row in user.files.rows if isinstance(row.key, FileSubject)]) == 2
        await user.press("escape")
        user.files.shows(FOLDER)
        await user.files.click("always")
        assert isinstance(user.files.rows[1].key, FileSubject)
        user.files.shows(".claude/skills/add-price/SKILL.md")
        user.files.hides(FOLDER)


async def test_rows_are_narrow_without_losing_what_tells_them_apart(tmp_path: Path) -> None:
    for width in (80, 100, 120, 160):
        async with running(linked_repo_at(tmp_path), (width, 40)) as user:
            await user.files.row("skills/").press("right")
            names = {text.split()[1] for text in user.files.lines if text.startswith("○   ")}
            assert len(names) >= len(SKILLS)
            assert "browser-review" in names


async def test_a_jump_to_a_file_opens_its_folder_and_finds_it_by_any_name(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("3")
        files = user.app.main.pages.files
        assert files.go_to(FileSubject(str(tmp_path / "repo/.claude/skills/migrate/SKILL.md")))
        user.files.shows("  migrate ")
        assert files.go_to(FileSubject(str(tmp_path / "repo/AGENTS.md")))
        assert files.key == FileSubject(str(tmp_path / "repo/CLAUDE.md"))
        assert files.go_to(FileSubject(str(tmp_path / "home/.claude/CLAUDE.md")))
        user.files.shows("~/.claude/CLAUDE.md")


async def test_problems_are_found_in_folders_that_are_folded(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (120, 40)) as user:
        await user.files.row(".claude/rules/").press("left")
        assert "⚠ 1 problem" in line(user, ".claude/rules/")
        seen = set()
        for _ in range(3):
            await user.press("exclamation_mark")
            assert isinstance(user.files.key, DiagnosticSubject)
            seen.add(user.files.key.index)
        user.files.shows("unmatched-rule")
        assert len(seen) > 1


async def test_a_simulated_read_lights_rows_in_folders_that_are_folded(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (160, 50)) as user:
        await user.files.row("packages/  4 files").press("left")
        user.files.hides("ui/CLAUDE.md")
        await user.press("i", *"button")
        assert line(user, "ui/CLAUDE.md").startswith("»")
        await user.press("escape")
        user.files.hides("ui/CLAUDE.md")


async def test_why_explains_a_folder(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (160, 50)) as user:
        await user.files.row("skills/").press()
        await user.pause()
        user.why.shows(".claude/skills/", "12 files", "LARGEST", "turborepo")
        await user.press("w", "enter")
        assert user.files.has_focus
        assert isinstance(user.files.key, FileSubject)


async def test_folds_stay_after_a_save(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 45)) as user:
        await user.files.row(".roo/").press("left")
        await user.save(tmp_path / "shop/AGENTS.md", "Be brief.\n")
        assert line(user, ".roo/").startswith("▸")
        assert user.files.key == FolderSubject(".roo")
