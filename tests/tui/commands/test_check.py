"""`promptscope check` as a team and its CI meet it, and its formats, held to what other programs read."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft4Validator, Draft202012Validator
from tests.support.repository import commit, write

from promptscope_engine import schema
from promptscope_engine.checks.findings import RULES, Checked, CheckReport, Finding, Spent
from promptscope_tui.cli import cli
from promptscope_tui.commands.check import as_junit, as_sarif

FILES = {"CLAUDE.md": "# Shop\n@docs/none.md\nKey: sk-ant-api03-" + "a1B2" * 8 + "\n"}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    commit(folder, FILES)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["check", *words])


@pytest.mark.usefixtures("repo")
def test_text() -> None:
    result = run()
    assert result.exit_code == 1
    error, warning, cost, *_, fixed, counts = result.stdout.splitlines()
    assert error == "CLAUDE.md:2: unresolved-import: docs/none.md is imported, and is not there (claude-code)"
    assert warning.startswith("CLAUDE.md:3: secret: ")
    assert warning.endswith(" (warning)")
    assert cost.startswith("claude-code: 38,")
    assert cost.endswith(" of 1,000,000 tokens")
    assert "`show` has this machine's" in fixed
    assert counts == "1 error, 1 warning"


def test_a_line_for_each_agent_and_who_a_finding_is_for(repo: Path) -> None:
    write(repo, {"CLAUDE.md": "# Shop\n", "AGENTS.md": "Key: AKIAA1B2C3D4E5F6G7H8\n"})
    *found, claude, roo, openclaw, codex, opencode, copilot, _, counts = run().stdout.splitlines()
    marks = [line.rpartition(" (")[2] for line in found]
    assert marks == ["warning, claude-code)", "warning, roo, openclaw, codex, opencode, copilot)"]
    names = [line.partition(":")[0] for line in (claude, roo, openclaw, codex, opencode, copilot)]
    assert names == ["claude-code", "roo", "openclaw", "codex", "opencode", "copilot"]
    assert counts == "0 errors, 2 warnings"


def test_exit_codes(repo: Path) -> None:
    write(repo, {"CLAUDE.md": "# Shop\nAKIAA1B2C3D4E5F6G7H8\n"})
    assert run().exit_code == 0
    assert run("--strict").exit_code == 1
    write(repo, {".promptscope.toml": "strict = true\n"})
    assert run().exit_code == 1
    write(repo, {".promptscope.toml": "strct = true\n"})
    wrong = run()
    assert wrong.exit_code == 2
    assert ".promptscope.toml:1: strct: unknown key 'strct' (did you mean strict?)" in wrong.stderr
    assert run("--init", "--update").exit_code == 2
    assert run("no-such-folder").exit_code == 2


@pytest.mark.usefixtures("repo")
def test_any_input_of_a_scenario_can_be_set() -> None:
    assert run("--set", 'reads=["src/a.py"]').exit_code == 1
    wrong = run("--set", "reads=4")
    assert wrong.exit_code == 3
    assert "reads" in wrong.stderr


@pytest.mark.usefixtures("repo")
def test_github() -> None:
    first, second = run("--format", "github").stdout.splitlines()
    assert first == (
        "::error file=CLAUDE.md,line=2,title=unresolved-import::docs/none.md is imported, and is not there"
    )
    assert second.startswith("::warning file=CLAUDE.md,line=3,title=secret::")


def test_every_format_says_which_settings_count(repo: Path) -> None:
    write(repo, {".promptscope.toml": "strict = false\n", "pyproject.toml": "[tool.promptscope]\n"})
    note = ".promptscope.toml counts; [tool.promptscope] in pyproject.toml is not read"
    assert f"promptscope: {note}\n" in run().stdout
    assert run("--format", "github").stdout.endswith(f"::notice title=promptscope::{note}\n")
    assert json.loads(run("--format", "json").stdout)["notes"] == [note]
    assert run("--format", "sarif").stderr == run("--format", "junit").stderr == f"promptscope: {note}\n"


def test_github_escapes_what_a_file_is_called(repo: Path) -> None:
    write(repo, {"a,b: 100%.md": "AKIAA1B2C3D4E5F6G7H8\n", "CLAUDE.md": "x\n"})
    (repo / ".claude" / "rules").mkdir(parents=True)
    (repo / "a,b: 100%.md").rename(repo / ".claude" / "rules" / "a,b: 100%.md")
    assert "file=.claude/rules/a%2Cb%3A 100%25.md,line=1," in run("--format", "github").stdout


@pytest.mark.usefixtures("repo")
def test_sarif() -> None:
    made = json.loads(run("--format", "sarif").stdout)
    assert made["version"] == "2.1.0"
    (sarif,) = made["runs"]
    rules = [rule["id"] for rule in sarif["tool"]["driver"]["rules"]]
    for result in sarif["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    first = sarif["results"][0]
    assert first["level"] == "error"
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "CLAUDE.md"}, "region": {"startLine": 2}}


@pytest.mark.usefixtures("repo")
def test_junit() -> None:
    root = ElementTree.fromstring(run("--format", "junit").stdout)
    suite = root.find("testsuite")
    assert suite is not None
    assert suite.get("failures") == "1"
    failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failed == ["unresolved-import"]
    told = [case.get("name") for case in suite.iter("testcase") if case.find("system-out") is not None]
    assert told == ["secret"]


@pytest.mark.usefixtures("repo")
def test_json_has_the_keys_of_its_schema() -> None:
    made = json.loads(run("--format", "json").stdout)
    published = schema("check")
    assert set(made) == set(published["properties"])
    assert made["findings"][0]["rule"] == "unresolved-import"


@pytest.mark.slow
def test_no_control_character_of_a_file_reaches_a_reader(repo: Path) -> None:
    write(repo, {"CLAUDE.md": "@\x1b[31mdocs/x.md\n@\u202edocs/y.md\n"})
    for form in ("text", "github", "junit", "sarif", "json"):
        text = run("--format", form).stdout
        assert "\x1b" not in text, form
        assert "\u202e" not in text, form


HOSTILE = 'a [b] "c" \\ \x01*.md'


def test_init_passes_right_after_it(repo: Path) -> None:
    write(repo, {f".claude/rules/{HOSTILE}": "---\npaths: [\n---\nx\n", ".codex/config.toml": "model = 3\n"})
    assert run().exit_code == 1
    assert run("--init").exit_code == 0
    assert run().exit_code == 0
    write(repo, {f".claude/rules/{HOSTILE.replace('b', 'd')}": "---\npaths: [\n---\nx\n"})
    assert run().exit_code == 1, "another file is not ignored"


def test_init_passes_where_no_file_is_to_blame(repo: Path) -> None:
    write(repo, {"CLAUDE.md": "x\n"})
    refusing = ("--set", "args.agent=none")
    assert run(*refusing).exit_code == 1
    assert run("--init", *refusing).exit_code == 0
    assert run(*refusing).exit_code == 0


@pytest.mark.slow
def test_init_then_bloat_then_update(repo: Path) -> None:
    write(repo, {"CLAUDE.md": "# Shop\n"})
    assert run("--init").exit_code == 0
    begun = (repo / ".promptscope.toml").read_text()
    again = run("--init")
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    assert (repo / ".promptscope.toml").read_text() == begun
    assert run().exit_code == 0
    write(repo, {"CLAUDE.md": "".join(f"- rule {n} is unlike the others {n * 7919}\n" for n in range(500))})
    over = run()
    assert over.exit_code == 1
    line = begun.splitlines().index("[[budget]]") + 3
    assert over.stdout.startswith(f".promptscope.toml:{line}: budget: the prompt of claude-code takes ")
    moved = run("--update")
    assert moved.exit_code == 0
    assert "→" in moved.stderr
    assert run().exit_code == 0
    assert "no budget is exceeded" in run("--update").stderr


def test_update_never_edits_pyproject(repo: Path) -> None:
    text = "[tool.promptscope]\n[[tool.promptscope.budget]]\ntokens = 1\n"
    write(repo, {"pyproject.toml": text})
    assert run("--update").exit_code == 2
    assert (repo / "pyproject.toml").read_text() == text


SARIF = json.loads((Path(__file__).parents[2] / "standards" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
MESSAGE = 'a `b` | <c> & "d"\n\x1b[31m \ud800 %0A'
PLACES = [(None, None), ("CLAUDE.md", None), ("a b/ä%#?:[x].md", 3), ("bad\udcff.md", 1)]


def report(*findings: Finding) -> CheckReport:
    prompts = (Checked("claude-code", "2.1.330", None, 100, 1_000), Checked("roo", "3.28.16", "code", 200, 1_000))
    spent = (Spent(0, "the prompt", "roo", 200, 100),)
    return CheckReport("/repo", "/repo/.promptscope.toml", prompts, findings, spent, ("a note",))


EVERYTHING = report(
    *(
        Finding(rule.id, level, MESSAGE, path, line, ("claude-code", "roo"))
        for rule in RULES.values()
        for level in ("error", "warning", "info")
        for path, line in PLACES
    )
)


@pytest.mark.parametrize("found", [report(), EVERYTHING], ids=["nothing", "everything"])
def test_sarif_is_valid(found: CheckReport) -> None:
    made = json.loads(as_sarif(found))
    assert [f"{error.json_path}: {error.message}" for error in Draft4Validator(SARIF).iter_errors(made)] == []
    (run,) = made["runs"]
    assert len(run["results"]) == len(found.findings)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_the_schema_would_notice() -> None:
    made = json.loads(as_sarif(EVERYTHING))
    made["runs"][0]["results"][0]["level"] = "fatal"
    assert not Draft4Validator(SARIF).is_valid(made)


def test_junit_has_a_case_for_each_rule() -> None:
    root = ElementTree.fromstring(as_junit(EVERYTHING))
    (suite,) = root.findall("testsuite")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == list(RULES)
    assert suite.get("tests") == suite.get("failures") == str(len(RULES))
    assert all(case.find("failure") is not None and case.find("system-out") is not None for case in cases)
    nothing = ElementTree.fromstring(as_junit(report())).find("testsuite")
    assert nothing is not None
    assert nothing.get("failures") == "0"
    assert not list(nothing.iter("failure"))


@pytest.mark.parametrize("found", [report(), EVERYTHING], ids=["nothing", "everything"])
def test_json_is_valid(found: CheckReport) -> None:
    Draft202012Validator(schema("check")).validate(json.loads(json.dumps(found.to_dict())))
