"""The hook of `.pre-commit-hooks.yaml`, run by pre-commit itself: it clones this repository and installs it, with all
that it needs from the package index."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.support.repository import commit, git, write

pytestmark = getattr(pytest.mark, "pre-commit")

ROOT = Path(__file__).parents[2]


def pre_commit(repo: Path, home: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run pre-commit on what is staged."""
    command = [sys.executable, "-m", "pre_commit", *map(str, words)]
    env = {**os.environ, "HOME": str(home), "PRE_COMMIT_HOME": str(home / "cache"), "PRE_COMMIT_COLOR": "never"}
    done = subprocess.run(command, cwd=repo, env=env, capture_output=True, text=True, check=False)
    if "An unexpected error has occurred" in done.stdout and "pip" in done.stdout:
        pytest.skip(f"the hook cannot be installed here: {done.stdout[-500:]}")
    return done


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """This repository, as it is committed."""
    if find_spec("pre_commit") is None:
        pytest.skip("pre-commit is not installed: uv run --group pre-commit pytest -m pre-commit")
    folder = tmp_path / "promptscope"
    git(tmp_path, "clone", "-q", "--no-hardlinks", str(ROOT), str(folder))
    return folder


def test_a_commit_that_breaks_an_import_is_refused(clone: Path, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    commit(repo, {"CLAUDE.md": "# Shop\n"})
    write(repo, {"CLAUDE.md": "# Shop\n@docs/none.md\n"})
    git(repo, "add", "-A")
    refused = pre_commit(repo, tmp_path, "try-repo", clone, "promptscope-check")
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "CLAUDE.md:2: unresolved-import: docs/none.md is imported, and is not there" in refused.stdout


def test_other_commits_pass_or_are_none_of_its_business(clone: Path, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    rev = git(clone, "rev-parse", "HEAD").strip()
    config = f"repos:\n- repo: {clone}\n  rev: {rev}\n  hooks:\n  - id: promptscope-check\n"
    commit(repo, {".pre-commit-config.yaml": config, "main.py": "\n"})
    write(repo, {"CLAUDE.md": "# Shop\n"})
    git(repo, "add", "-A")
    passed = pre_commit(repo, tmp_path, "run")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout
    commit(repo, {})
    write(repo, {"main.py": "x = 1\n"})
    git(repo, "add", "-A")
    assert "(no files to check)Skipped" in pre_commit(repo, tmp_path, "run").stdout
