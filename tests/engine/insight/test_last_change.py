"""Which commit changed the prompt's files last, and what it did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.repository import commit, write

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.last_change import commits_of, effect_of, find_last_change
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

COUNTER = Counter(get_tokenizer("o200k_base"))


def asked(folder: Path) -> Scenario:
    return Scenario(agent="claude-code", workspace=str(folder), env={})


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    commit(folder, {"CLAUDE.md": "Use tabs.\n"}, "instructions")
    commit(folder, {"CLAUDE.md": "Use tabs.\n\nRun `make test` before you commit.\n"}, "more of them")
    commit(folder, {"main.py": "print()\n"}, "code")
    return folder


def test_the_last_change_is_that_of_the_prompts_files_and_not_of_the_code(repo: Path) -> None:
    found = find_last_change(asked(repo), COUNTER)
    assert found
    assert found.since
    assert found.commit.subject == "more of them"
    assert [(each.path, each.change) for each in found.since.files] == [("CLAUDE.md", "changed")]
    assert found.since.files[0].tokens == found.since.tokens - 1 == 13, "the empty line in front is no part of the file"


def test_a_commit_that_leaves_the_prompt_as_it_was_is_passed_over(repo: Path) -> None:
    skill = "---\nname: deploy\ndescription: Deploys the shop\n---\n"
    commit(repo, {".claude/skills/deploy/SKILL.md": f"{skill}Run it.\n"}, "a skill")
    commit(repo, {".claude/skills/deploy/SKILL.md": f"{skill}Run it twice.\n"}, "a body that is read on demand")
    found = find_last_change(asked(repo), COUNTER)
    assert found
    assert found.commit.subject == "a skill"


def test_what_is_not_committed_counts_as_changed_since(repo: Path) -> None:
    write(repo, {"CLAUDE.md": "Use tabs.\n"})
    found = find_last_change(asked(repo), COUNTER)
    assert found
    assert found.since
    assert not found.since.differs, "the last commit is undone in the work tree"


def test_a_file_that_a_commit_deleted_is_still_one_of_the_prompts(repo: Path) -> None:
    commit(repo, {"CLAUDE.local.md": "Mine.\n"}, "a file too many")
    (repo / "CLAUDE.local.md").unlink()
    commit(repo, {"main.py": "print(1)\n"}, "without it")
    found = find_last_change(asked(repo), COUNTER)
    assert found
    assert found.since
    assert found.commit.subject == "without it"
    assert [(each.path, each.change) for each in found.since.files] == [("CLAUDE.local.md", "removed")]


def test_a_change_of_what_a_link_leads_to_counts(tmp_path: Path) -> None:
    commit(tmp_path, {"docs/agents.md": "Use tabs.\n", "CLAUDE.md": "-> docs/agents.md"}, "a link")
    commit(tmp_path, {"docs/agents.md": "Use spaces.\n"}, "behind the link")
    found = find_last_change(asked(tmp_path), COUNTER)
    assert found
    assert found.commit.subject == "behind the link"


def test_each_commit_has_its_own_effect(repo: Path) -> None:
    scenario = asked(repo)
    (later, first), _ = commits_of(scenario, COUNTER, 10)
    effect = effect_of(later, scenario, COUNTER)
    assert effect
    assert effect.tokens == 14
    assert effect_of(first, scenario, COUNTER) is None, "there is nothing before the first commit"


def test_a_folder_without_a_history_has_no_last_change(tmp_path: Path) -> None:
    write(tmp_path / "repo", {"CLAUDE.md": "Use tabs.\n"})
    assert find_last_change(asked(tmp_path / "repo"), COUNTER) is None
