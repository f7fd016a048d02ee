"""The steps of `action.yml` and the hook of `.pre-commit-hooks.yaml`, run as a runner would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.repository import commit, write

ROOT = Path(__file__).parents[3]
GH = """\
#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$GH_LOG"
case "$*" in
  *--jq*) [ -z "$GH_OWN" ] || echo "$GH_OWN";;
esac
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """The environment of a runner whose `gh` notes what it is asked, with promptscope already installed."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    (programs / "promptscope").symlink_to(Path(sys.executable).with_name("promptscope"))
    (tmp_path / "temp").mkdir()
    return {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PROMPTSCOPE_CACHE": str(tmp_path / "cache"),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_REPOSITORY": "a/b",
        "GH_LOG": str(tmp_path / "gh.log"),
    }


def run_step(name: str, repo: Path, runner: dict[str, str], **given: str) -> subprocess.CompletedProcess[str]:
    """Run a step with these inputs, as GitHub's `bash` does."""
    action: Any = yaml.safe_load((ROOT / "action.yml").read_text())
    step = next(step for step in action["runs"]["steps"] if step["name"] == name)
    env = {key: _filled(str(value), given) for key, value in step["env"].items()}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=repo, env=runner | env, capture_output=True, text=True, check=False)


def _filled(value: str, given: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (?:inputs|github|github\.event\.pull_request)\.(\w+) \}\}", lambda m: given[m[1]], value)


def test_a_pull_request_that_breaks_an_import(tmp_path: Path, runner: dict[str, str]) -> None:
    repo = tmp_path / "repo"
    base = commit(repo, {"CLAUDE.md": "# Shop\n"})
    commit(repo, {"CLAUDE.md": "# Shop\n\n@docs/none.md\n"})
    given = {"path": ".", "against": base, "strict": "false", "sarif": "found.sarif"}
    compared = run_step("Compare", repo, runner, **given)
    assert compared.returncode == 0, compared.stderr
    comment = (tmp_path / "temp" / "promptscope.md").read_text()
    assert comment.startswith("<!-- promptscope -->\n")
    assert "CLAUDE.md" in comment
    assert (tmp_path / "summary.md").read_text() == comment
    checked = run_step("Check", repo, runner, **given)
    assert checked.returncode == 1
    assert "::error file=CLAUDE.md,line=3,title=unresolved-import::" in checked.stdout
    (result,) = json.loads((repo / "found.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "unresolved-import"


def test_a_check_that_cannot_run_is_no_empty_sarif(tmp_path: Path, runner: dict[str, str]) -> None:
    repo = tmp_path / "repo"
    commit(repo, {"CLAUDE.md": "# Shop\n", ".promptscope.toml": "strct = 1\n"})
    done = run_step("Check", repo, runner, path=".", against="", strict="true", sarif="found.sarif")
    assert done.returncode != 0
    assert "did you mean strict?" in done.stderr


@pytest.mark.parametrize(
    ("own", "method"),
    [("", "--method POST repos/a/b/issues/7/comments "), ("42", "--method PATCH repos/a/b/issues/comments/42 ")],
)
def test_one_comment_is_kept_up_to_date(tmp_path: Path, runner: dict[str, str], own: str, method: str) -> None:
    repo = tmp_path / "repo"
    commit(repo, {"CLAUDE.md": "# Shop\n"})
    done = run_step("Comment", repo, runner | {"GH_OWN": own}, token="t", number="7")
    assert done.returncode == 0, done.stderr
    asked = (tmp_path / "gh.log").read_text()
    assert asked.count("--method") == 1
    assert f"{method}--field body=@{tmp_path}/temp/promptscope.md" in asked


def test_the_hook_runs_what_it_names(tmp_path: Path, runner: dict[str, str]) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    repo = tmp_path / "repo"
    write(repo, {"CLAUDE.md": "@docs/none.md\n", ".git/HEAD": "ref: refs/heads/main\n"})
    done = subprocess.run(hook["entry"].split(), cwd=repo, env=runner, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "CLAUDE.md:1: unresolved-import" in done.stdout
    files = re.compile(hook["files"])
    for name in ("CLAUDE.md", "packages/web/AGENTS.md", ".claude/rules/a.md", ".roomodes", ".promptscope.toml"):
        assert files.search(name), name
    assert not files.search("src/main.py")
