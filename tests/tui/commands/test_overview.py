"""`promptscope overview`, and the same above a bare `check` on a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.repository import commit

from promptscope_tui.cli import cli
from promptscope_tui.commands import check as check_module

pytestmark = pytest.mark.slow


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    commit(folder, {"CLAUDE.md": "Read `docs/gone.md`, [there](docs/gone.md).\n", "docs/a.md": "A.\n"})
    return folder


def run(*arguments: str, home: Path) -> str:
    done = CliRunner().invoke(cli, [*arguments, "--home", str(home)] if "check" not in arguments else [*arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_prints_the_page_that_the_app_opens_on(shop: Path) -> None:
    printed = run("overview", str(shop), home=shop)
    assert printed.startswith("claude-code 2.")
    for words in ("COSTS MOST, YOURS", "CLAUDE.md", "REFERS TO WHAT IS GONE", "docs/gone.md", "NEVER READ"):
        assert words in printed
    assert "…\n" not in printed, "everything is found out"


def test_json_is_for_programs(shop: Path) -> None:
    found = json.loads(run("overview", str(shop), "--agent", "claude-code", "--format", "json", home=shop))
    assert found["agent"] == "claude-code"
    assert found["total"] == sum(group["tokens"] for group in found["groups"])
    stale = [each for each in found["findings"] if each["kind"] == "stale"]
    assert [(each["file"], each["lines"]) for each in stale][:1] == [("CLAUDE.md", [1, 1])]


def test_a_bare_check_on_a_terminal_begins_with_it(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "COSTS MOST" not in run("check", str(shop), home=shop), "a pipe gets what it always got"
    monkeypatch.setattr(check_module, "on_terminal", lambda: True)
    printed = run("check", str(shop), home=shop)
    assert printed.index("COSTS MOST, YOURS") < printed.index("CLAUDE.md:1: stale-reference")
    assert "COSTS MOST" not in run("check", str(shop), "--strict", "--agent", "codex", home=shop)
