"""`promptscope diff`: sides, formats, exit codes, and that every machine gets the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.support.repository import commit, git, write

from promptscope_engine.insight.comparison import Compared, Comparison, FileChange, SectionChange
from promptscope_tui.cli import cli
from promptscope_tui.commands.diff import COMMENT, Report
from promptscope_tui.output import exits

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two commits with changes since; home has rules of its own."""
    home, folder = tmp_path / "home", tmp_path / "home" / "shop"
    commit(folder, {"CLAUDE.md": "Use pnpm.\n@docs/x.md\n", "docs/x.md": "imported\n"}, "first")
    commit(folder, {"CLAUDE.md": "Use npm.\n@docs/x.md\n"}, "second")
    write(folder, {"CLAUDE.md": "Use npm, always.\n@docs/gone.md\n"})
    write(home, {".claude/CLAUDE.md": "from home\n", "CLAUDE.md": "around\n"})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    return folder


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["diff", *args])
    assert result.exit_code == code, result.output
    return result


def data(*args: str) -> Any:
    return json.loads(run(*args, "--format", "json").stdout)


@pytest.mark.usefixtures("shop")
def test_a_revision_against_the_work_tree() -> None:
    text = run("--git", "HEAD").stdout
    assert text.startswith("git:HEAD → work tree   claude-code ")
    assert "1 section removed, 1 changed; 1 file removed, 1 changed" in text
    assert "−  section  docs/x.md" in text
    assert "-Use npm.\n+Use npm{+, always+}.\n-@docs/[-x-].md\n+@docs/{+gone+}.md\n" not in text  # removed ones first
    assert "-Use npm.\n-@docs/[-x-].md\n+Use npm{+, always+}.\n+@docs/{+gone+}.md\n" in text
    assert "imported" not in run("git:HEAD", "--summary").stdout
    assert run("git:HEAD").stdout == text


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_two_revisions_do_not_ask_the_work_tree() -> None:
    found = data("--git", "HEAD~1..HEAD")
    (section,) = found["sections"]
    assert (section["before"].count("pnpm"), section["after"].count("npm.")) == (1, 1)
    assert found["tokens"] == found["after"]["tokens"] - found["before"]["tokens"] == section["tokens"]
    assert [file["path"] for file in found["files"]] == ["CLAUDE.md"]
    assert data("git:HEAD~1", "git:HEAD")["sections"] == found["sections"]
    assert not data("--git", "HEAD...HEAD")["differs"]


@pytest.mark.slow
def test_home_and_what_lies_around_are_left_out_unless_asked_for(shop: Path) -> None:
    write(shop, {"other.json": json.dumps({"mode": "plan", "home": str(shop.parent)})})
    home = ("--home", str(shop.parent))
    for words, came in (((), True), (home, False)):
        paths = [file["path"] for file in data("git:HEAD", "other.json", *words)["files"] if file["change"] == "added"]
        assert ("~/.claude/CLAUDE.md" in paths) is came
    assert "around\n" not in run("agent:roo", *home, "--format", "plain").stdout
    assert "from home\n" not in run("agent:roo", "--format", "plain").stdout


@pytest.mark.slow
def test_a_run_elsewhere_gives_the_same(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "clone", "-q", str(shop), "shop")
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    monkeypatch.setenv("USER", "someone")
    monkeypatch.setenv("HOME", str(tmp_path))
    there = data("--git", "HEAD~1..HEAD", str(tmp_path / "shop"))
    here = data("--git", "HEAD~1..HEAD")
    assert there == here


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_agents_modes_and_versions() -> None:
    agents = data("agent:roo", "agent:claude-code", "--agent", "openclaw")
    assert (agents["before"]["agent"], agents["after"]["agent"]) == ("roo", "claude-code")
    assert {change["change"] for change in agents["sections"]} == {"added", "removed"}
    modes = data("mode:ask", "mode:code", "--agent", "roo")
    assert "apply_diff" in [tool["name"] for tool in modes["tools"] if tool["change"] == "added"]
    versions = data("version:2.1.100")
    assert (versions["before"]["agent_version"], versions["after"]["name"]) == ("2.1.100", "this prompt")


@pytest.mark.slow
def test_exit_codes(shop: Path) -> None:
    run("--git", "HEAD", "--exit-code", code=exits.CHECK_FAILED)
    assert "no difference" in run("--git", "HEAD..HEAD", "--exit-code").stdout
    for words, message in (
        ((), "give one or two sides"),
        (("a:b",), "no side 'a:b': a side is git:REV"),
        (("modus:ask",), "did you mean mode:ask?"),
        (("HEAD",), "did you mean git:HEAD?"),
        (("git:a..b",), "two revisions are given as --git a..b"),
        (("--git", "HEAD", "mode:plan"), "--git names both sides"),
        ((str(shop), str(shop.parent)), "are both folders"),
    ):
        assert message in run(*words, code=exits.WRONG_USE).stderr
    for words, message in (
        (("git:mian",), "there is no revision 'mian'; `git fetch` brings those of the remote (did you mean main?)"),
        (("agent:rooo",), "did you mean roo"),
        (("git:HEAD", str(shop.parent)), "is in no git repository"),
    ):
        assert message in run(*words, code=exits.CANNOT_ASSEMBLE).stderr


@pytest.mark.usefixtures("shop")
def test_markdown_is_one_line_a_table_and_folded_details() -> None:
    text = run("--git", "HEAD", "--format", "markdown").stdout
    first, blank, head, *_ = text.splitlines()
    assert first.startswith("**Prompt** `git:HEAD` → `work tree`, `claude-code ")
    assert (blank, head) == ("", "|  | what | name | before | after | ± |")
    assert "| − | section | `docs/x.md` |" in text
    assert "<details><summary><code>CLAUDE.md</code> " in text
    assert text.count("<details>") == text.count("</details>") == 2
    assert "```diff\n@@ -" in text
    assert "<details>" not in run("--git", "HEAD", "--format", "markdown", "--summary").stdout


@pytest.mark.usefixtures("shop")
def test_plain_is_a_patch() -> None:
    lines = run("--git", "HEAD", "--format", "plain").stdout.splitlines()
    assert lines[0].startswith("--- ")
    assert lines[0][4:] == lines[1][4:]
    assert "-Use npm." in lines
    assert "+Use npm, always." in lines


SIDE = Compared("a", "roo", "3", None, None, 10, 100)


def test_names_of_strangers_do_nothing_in_a_comment() -> None:
    title = "@team <img src=x> | `code` ```"
    heading = "<summary><code>@team &lt;img src=x&gt; | `code` ```</code> +1</summary>"
    change = SectionChange("x", title, "changed", 1, "a\n```\n", "b\n````\n", False, 1, 2)
    file = FileChange("![x](http://h/y)", "added", 1, "", 0, 1)
    text = Report(Comparison(SIDE, SIDE, 1, (change,), files=(file,))).markdown()
    assert "<img" not in text.replace("```` " + title.replace("|", "\\|") + " ````", "")
    assert "`![x](http://h/y)`" in text
    assert heading in text
    assert "\n`````diff\n" in text
    assert "\x1b" not in CliRunner().invoke(cli, ["diff", "\x1b:x"]).stderr


@pytest.mark.usefixtures("shop")
def test_the_two_sides_of_mods_go_together_and_need_a_run() -> None:
    assert "these two go together: mods:before mods:run" in run("mods:run", code=exits.WRONG_USE).output
    said = run("mods:before", "mods:run", "--agent", "claude-code", code=exits.CANNOT_ASSEMBLE).output
    assert "`promptscope learn --mods`" in said


def test_what_mods_did_has_the_mod_beside_its_tokens() -> None:
    side = Compared("mods:before", "claude-code", "2.1.332", None, None, 10, 200_000)
    change = SectionChange("file:/w/CLAUDE.md", "CLAUDE.md", "removed", -3, "Use pnpm.", "", False, 3, 0, ("m@inline",))
    report = Report(Comparison(side, side, -3, (change,)))
    assert "file  CLAUDE.md       3      0  −3  m@inline" in report.text()
    assert "| mod |" in report.markdown()
    assert "1 part removed" in report.text()


def test_a_comment_has_a_largest_size() -> None:
    texts = [f"line {number} " + "x" * 200 for number in range(500)]
    changes = tuple(SectionChange(f"s{n}", f"s{n}", "added", 1, "", "\n".join(texts), False, 0, 1) for n in range(5))
    text = Report(Comparison(SIDE, SIDE, 3, changes)).markdown()
    assert len(text) < COMMENT + 500
    assert "more lines @@" in text
    assert "2 more texts left out: too long for a comment." in text
