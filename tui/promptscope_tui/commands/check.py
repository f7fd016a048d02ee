"""`promptscope check`: budgets and rules for a repository's instruction files, and what was found in each format."""

import collections
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine import __version__
from promptscope_engine.agents.registry import load_observed, observed_id
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE
from promptscope_engine.checks.budgets import initial_settings, moved_budgets
from promptscope_engine.checks.checker import check as check_repository
from promptscope_engine.checks.checker import repository_of
from promptscope_engine.checks.findings import RULES, CheckReport, Finding
from promptscope_engine.checks.settings import OWN_FILE, Loaded, load_settings
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter, counter_for
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute, to_system
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import harmless, on_terminal, put, put_json
from promptscope_tui.text.words import many

from .options import lay_over_agents, with_settings
from .overview import overview_here, put_overview
from .table import command

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_UNPRINTED = {ord(c): None for c in map(chr, (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF))}
"""What XML 1.0 cannot hold."""


def as_text(report: CheckReport) -> str:
    """`path:line: rule: message`, a line each; then a line for each prompt that was checked, and the counts."""
    checked = list(dict.fromkeys(prompt.agent for prompt in report.prompts))
    lines = [
        f"{_place(each)}: {each.rule}: {' '.join(each.message.split())}{_marks(each, checked)}"
        for each in report.findings
    ]
    lines += [f"promptscope: {note}" for note in report.notes]
    lines += _costs(report)
    counts = collections.Counter(finding.level for finding in report.findings)
    lines.append(", ".join(many(counts[level], level) for level in ("error", "warning")))
    return "".join(f"{line}\n" for line in lines)


def _marks(finding: Finding, checked: Sequence[str]) -> str:
    """The level unless it is an error, and the agents that it was found for unless that is all of them."""
    some = finding.agents if set(finding.agents) < {*checked} else ()
    marks = [finding.level] * (finding.level != "error") + [*some]
    return f" ({', '.join(marks)})" if marks else ""


def _place(finding: Finding) -> str:
    return finding.place or ", ".join(finding.agents) or "promptscope"


def _costs(report: CheckReport) -> Iterator[str]:
    agents = collections.Counter(prompt.agent for prompt in report.prompts)
    for p in report.prompts:
        name = f"{p.agent} {p.mode}" if p.mode and agents[p.agent] > 1 else p.agent
        yield f"{name}: {p.expected:,} of {p.window:,} tokens"
    if agents:
        yield "(with a fixed date, system, user and folder; `show` has this machine's)"


def _as_github(report: CheckReport) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    notes = (f"::notice title=promptscope::{_data(note)}" for note in report.notes)
    return "".join(f"{line}\n" for line in (*map(_command, report.findings), *notes))


def _command(finding: Finding) -> str:
    name = {"error": "error", "warning": "warning", "info": "notice"}[finding.level]
    values = {"file": finding.path, "line": finding.line, "title": finding.rule}
    known = {key: _data(str(value)) for key, value in values.items() if value is not None}
    given = ",".join(f"{key}={value.replace(':', '%3A').replace(',', '%2C')}" for key, value in known.items())
    return f"::{name} {given}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def as_sarif(report: CheckReport) -> str:
    """SARIF 2.1.0; paths are relative to the repository's root."""
    rules = [
        {
            "id": rule.id,
            "shortDescription": {"text": rule.text},
            "defaultConfiguration": {"enabled": not rule.advice, "level": _SARIF_LEVELS[rule.level]},
        }
        for rule in RULES.values()
    ]
    driver = {"name": "promptscope", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, list(RULES)) for each in report.findings],
    }
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


_SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def _result(finding: Finding, rules: list[str]) -> Mapping[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": finding.message},
        "properties": {"agents": list(finding.agents)},
    }
    if finding.path is not None:
        place: dict[str, object] = {"artifactLocation": {"uri": quote(finding.path, errors="surrogateescape")}}
        if finding.line is not None:
            place["region"] = {"startLine": finding.line}
        result["locations"] = [{"physicalLocation": place}]
    return result


def as_junit(report: CheckReport) -> str:
    """JUnit's XML: a test case for each rule, which fails with what was found; warnings do not fail."""
    suite = Element("testsuite", name="promptscope", tests=str(len(RULES)), errors="0", skipped="0")
    failures = 0
    for rule in RULES.values():
        case = SubElement(suite, "testcase", classname="promptscope.check", name=rule.id)
        of_rule = [each for each in report.findings if each.rule == rule.id]
        failed = [each for each in of_rule if each.level == "error"]
        failures += bool(failed)
        if failed:
            failure = SubElement(case, "failure", message=_xml(f"{len(failed)} × {rule.text}"))
            failure.text = _xml("\n".join(_lines(failed)))
        if others := [each for each in of_rule if each.level != "error"]:
            SubElement(case, "system-out").text = _xml("\n".join(_lines(others)))
    suite.set("failures", str(failures))
    root = Element("testsuites")
    root.append(suite)
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _lines(findings: list[Finding]) -> Iterator[str]:
    for each in findings:
        yield f"{_place(each)}: {each.message}"


def _xml(text: str) -> str:
    return text.translate(_UNPRINTED).encode("utf-8", "replace").decode()


_FORMATS: Mapping[str, Callable[[CheckReport], str]] = {
    "text": as_text,
    "github": _as_github,
    "sarif": as_sarif,
    "junit": as_junit,
}
"""How each format but `json` is written."""


class _Asked(Struct, frozen=True):
    """The options of a check."""

    path: str
    agent: str | None
    capture: str | None
    home: str | None
    settings: tuple[str, ...]
    agent_dir: str | None
    against: str | None
    advice: bool
    strict: bool
    begins: bool
    moves: bool
    form: str

    @property
    def is_bare(self) -> bool:
        """Whether only a folder was named."""
        named = (self.agent, self.capture, self.home, self.settings, self.agent_dir, self.against, self.advice)
        return self.form == "text" and not any(named) and not self.strict

    def scenario(self) -> Scenario:
        """The repository and the agents to check: with no variables and, but for --home, no home folder."""
        named = {"workspace": self.path, "agent": self.agent, "home": self.home}
        scenario = Scenario.of({**{key: value for key, value in named.items() if value}, "env": {}, "attended": True})
        if self.capture is not None:
            captured = absolute(self.capture)
            observed = load_observed(self.agent and observed_id(self.agent), captured, Workspace())
            scenario = scenario.model_copy(update={"agent": observed.id, "capture": captured})
        return with_settings(scenario.to_dict(), self.settings)


@command("check")
def check(**options: Any) -> None:
    """Check the instruction files in PATH: what they cost, what never loads, what should not be in them."""
    asked = _Asked(**options)
    if asked.begins and asked.moves:
        raise click.UsageError("--init and --update: give only one")
    lay_over_agents(asked.agent_dir, own=False)
    scenario, counter, place = asked.scenario(), counter_for(None), Workspace()
    _, root = repository_of(scenario, place)
    failed = False
    if asked.begins:
        _begin(root, scenario, counter)
    elif asked.moves:
        _move(root, scenario, counter, place)
    else:
        loaded = _settings(root, place)
        if asked.advice:
            loaded = replace(loaded, settings=loaded.settings.model_copy(update={"advice": True}))
        report = check_repository(scenario, counter=counter, loaded=loaded, growth_against=asked.against)
        if asked.is_bare and report.prompts and on_terminal():
            _put_first_sight(scenario)
        _put(report, asked.form)
        failed = report.failed(strict=asked.strict or loaded.settings.strict)
    counter.flush()
    if failed:
        raise click.exceptions.Exit(exits.CHECK_FAILED)


def _put_first_sight(scenario: Scenario) -> None:
    """The overview, as on this machine."""
    workspace, cache = Workspace(), CountCache()
    here = scenario.model_copy(update={"env": dict(os.environ)})
    assembly = assemble(here, workspace, Counter(tokenizer_for_model(None), cache))
    put_overview(overview_here(here, assembly, workspace, cache, NO_KNOWLEDGE), assembly)
    put("\n")


def _put(report: CheckReport, form: str) -> None:
    if form == "json":
        put_json(report.to_dict())
        return
    put(harmless(_FORMATS[form](report)))  # logs and viewers act on control characters as terminals do
    if form in ("sarif", "junit"):  # which have no place for them
        for note in report.notes:
            exits.say(f"promptscope: {note}")


def _settings(root: str, place: Workspace) -> Loaded:
    try:
        return load_settings(root, place)
    except ScenarioError as error:
        raise click.UsageError(str(error)) from None


def _begin(root: str, scenario: Scenario, counter: Counter) -> None:
    text = initial_settings(check_repository(scenario, counter=counter, loaded=Loaded.nothing()))
    try:
        with Path(to_system(root), OWN_FILE).open("x", encoding="utf-8") as file:  # never over another one
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{root}/{OWN_FILE} is there already: `check --update` moves its budgets") from None
    exits.say(f"promptscope: wrote {root}/{OWN_FILE}")


def _move(root: str, scenario: Scenario, counter: Counter, place: Workspace) -> None:
    loaded = _settings(root, place)
    if loaded.path != f"{root}/{OWN_FILE}":
        raise click.UsageError(f"there is no {OWN_FILE} in {root}: only budgets in that file are moved")
    report = check_repository(scenario, counter=counter, loaded=loaded)
    with Path(to_system(loaded.path)).open(encoding="utf-8", newline="") as file:  # line ends stay as they are
        text = file.read()
    moved, changes = moved_budgets(text, loaded.settings, report)
    for change in changes:
        exits.say(f"promptscope: {OWN_FILE}:{change}")
    if not changes:
        exits.say("promptscope: no budget is exceeded")
        return
    with Path(to_system(loaded.path)).open("w", encoding="utf-8", newline="") as file:
        file.write(moved)
