"""A check's findings in the formats of other programs, held to what those programs read."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from promptscope_engine import schema
from promptscope_engine.checks.findings import RULES, Checked, CheckReport, Finding, Spent
from promptscope_tui.output.findings import as_junit, as_sarif

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
