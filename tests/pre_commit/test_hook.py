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


def try_hook(clone: Path, repo: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """`pre-commit try-repo`, on what is staged."""
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(clone), "promptscope-check", "--verbose"]
    env = {**os.environ, "HOME": str(home), "PRE_COMMIT_HOME": str(home / "cache"), "PRE_COMMIT_COLOR": "never"}
    return subprocess.run(command, cwd=repo, env=env, capture_output=True, text=True, check=False)


def test_a_commit_that_breaks_an_import_is_refused(tmp_path: Path) -> None:
    if find_spec("pre_commit") is None:
        pytest.skip("pre-commit is not installed: uv run --group pre-commit pytest -m pre-commit")
    clone, repo = tmp_path / "promptscope", tmp_path / "repo"
    git(tmp_path, "clone", "-q", "--no-hardlinks", str(ROOT), str(clone))
    commit(repo, {"CLAUDE.md": "# Shop\n", "main.py": "\n"})
    write(repo, {"CLAUDE.md": "# Shop\n@docs/none.md\n"})
    git(repo, "add", "-A")
    refused = try_hook(clone, repo, tmp_path)
    if "An unexpected error has occurred" in refused.stdout and "pip" in refused.stdout:
        pytest.skip(f"the hook cannot be installed here: {refused.stdout[-500:]}")
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "promptscope check" in refused.stdout
    assert "CLAUDE.md:2: unresolved-import: docs/none.md is imported, and is not there" in refused.stdout
    write(repo, {"docs/none.md": "There.\n"})
    git(repo, "add", "-A")
    allowed = try_hook(clone, repo, tmp_path)
    assert allowed.returncode == 0, allowed.stdout + allowed.stderr
    assert "Passed" in allowed.stdout
    commit(repo, {"main.py": "x = 1\n"})
    write(repo, {"main.py": "x = 2\n"})
    git(repo, "add", "-A")
    assert "(no files to check)Skipped" in try_hook(clone, repo, tmp_path).stdout
