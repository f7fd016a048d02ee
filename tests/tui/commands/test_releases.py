"""`promptscope releases`, and `diff AGENT@VERSION AGENT@VERSION`: what a version changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_engine.learned import AddedTool, LearnedVersion
from promptscope_tui.cli import cli
from promptscope_tui.output import exits
from promptscope_tui.session.releases import Release, keep_imported
from promptscope_tui.settings import wordings

WHEN = "2026-11-26T00:00:00+00:00"


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    monkeypatch.chdir(tmp_path / "shop")


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    return result


def learn(version: str, *, tool: str = "") -> None:
    added = (
        (AddedTool(tool, ("Does it.",), ('{"type": "object"}',), seen="it was sent in 9 of 9 runs"),) if tool else ()
    )
    wordings.keep(LearnedVersion("codex", version, (), WHEN, base="0.169.0", added=added))


def test_modelled_and_learned_versions_are_listed_in_their_order() -> None:
    learn("0.149.0")
    learn("0.170.1", tool="shout")
    rows = json.loads(run("releases", "codex", "--format", "json").stdout)
    assert [(row["version"], row["known"]) for row in rows] == [
        ("0.149.0", "learned"), ("0.169.0", "modelled"), ("0.170.1", "learned"), ("0.171.0", "modelled"),
    ]  # fmt: skip
    assert rows[2]["tool_count"] == rows[1]["tool_count"] + 1
    assert all(row["total"] == row["system"] + row["messages"] + row["tools"] for row in rows)
    assert "shout" in rows[2]["parts"]
    assert "shout" not in rows[1]["parts"]
    shown = {line.split()[1]: line for line in run("releases", "codex").stdout.splitlines()[1:]}
    assert "+ shout" in shown["0.170.1"], "what it added to 0.149.0"
    assert "+ " not in shown["0.149.0"]


def test_an_archive_of_recordings_is_listed_by_its_sizes(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0"):
        path = tmp_path / "archive" / "captures" / "other" / version / "variants" / "default" / "trace.jsonl"
        path.parent.mkdir(parents=True)
        request = {"method": "POST", "path": "/v1/messages", "headers": {}, "body": ANTHROPIC}
        path.write_text(json.dumps({"turn": 1, "request": request}) + "\n")
    broken = tmp_path / "archive" / "captures" / "other" / "1.11.0" / "trace.jsonl"
    broken.parent.mkdir(parents=True)
    broken.write_text("nothing\n")
    said = run("import", str(tmp_path / "archive")).stderr
    assert "2 versions kept for `promptscope releases`; 1 could not be read" in said
    rows = json.loads(run("releases", "other", "--format", "json").stdout)
    assert [(row["version"], row["known"]) for row in rows] == [("1.9.0", "imported"), ("1.10.0", "imported")]
    assert rows[0]["total"] == rows[1]["total"] > 0
    assert "other" in run("releases").stdout


def test_a_folder_without_recordings_says_what_is_looked_for(tmp_path: Path) -> None:
    assert "AGENT/VERSION/…/trace.jsonl is looked for" in run("import", str(tmp_path)).stderr


def test_an_agent_that_does_not_exist_is_named() -> None:
    assert "codex" in run("releases", "codx", code=exits.CANNOT_ASSEMBLE).stderr


def test_two_versions_are_compared_in_one_folder() -> None:
    learn("0.170.0")
    learn("0.170.1", tool="shout")
    found = json.loads(run("diff", "codex@0.170.0", "codex@0.170.1", "--format", "json").stdout)
    assert found["differs"]
    assert "shout" in json.dumps(found["tools"])
    assert "Use pnpm." not in json.dumps(found["sections"]), "the same file on both sides"


def test_the_agent_of_a_version_need_not_be_the_one_of_the_folder() -> None:
    found = json.loads(run("diff", "claude-code@2.1.331", "claude-code@2.1.332", "--format", "json").stdout)
    assert found["differs"]


def import_sizes(agent: str, version: str) -> None:
    keep_imported([Release(agent, version, "imported", 9_000, 5_000, 1_000, 3_000, 12)])


def test_a_size_is_compared_with_one_in_the_same_words() -> None:
    learn("0.149.0")
    learn("0.170.1", tool="shout")
    import_sizes("codex", "0.100.0")
    lines = {line.split()[1]: line.split() for line in run("releases", "codex").stdout.splitlines()[1:]}
    assert lines["0.170.1"][8].startswith("+"), "it is compared with 0.149.0, which was learned, too"
    assert lines["0.169.0"][-1] == lines["0.169.0"][7], "no other one is modelled: there is no difference to show"


def test_a_version_that_was_imported_has_sizes_alone() -> None:
    import_sizes("codex", "0.100.0")
    words = "of codex 0.100.0 only sizes are known, from an import: `promptscope releases codex` lists them"
    assert words in run("diff", "codex@0.100.0", "codex@0.169.0", code=exits.CANNOT_ASSEMBLE).stderr
    assert words in run("tools", "--agent", "codex", "--agent-version", "0.100.0").stderr
    assert words not in run("tools", "--agent", "codex", "--agent-version", "0.169.0").stderr
    learn("0.100.0")
    assert words not in run("tools", "--agent", "codex", "--agent-version", "0.100.0").stderr


def test_so_has_an_agent_that_was_imported() -> None:
    import_sizes("other", "1.9.0")
    words = "only sizes are known, from an import: `promptscope releases other` lists them"
    assert words in run("diff", "other@1.9.0", "other@1.9.0", code=exits.CANNOT_ASSEMBLE).stderr
    assert words in run("show", "--agent", "other", code=exits.CANNOT_ASSEMBLE).stderr
