"""The published schemas: files of the repository, and true of what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from tests.support.generated import ROOT, assert_current
from tests.support.repository import write

from promptscope_engine import Scenario, assemble, check, compare, schema
from promptscope_engine.captures.model import SCHEMA as CAPTURE
from promptscope_engine.formats.document import Json
from promptscope_engine.schemas import Schema

PUBLISHED: tuple[Schema, ...] = get_args(Schema)


def file_of(what: Schema) -> str:
    """`promptscope.check.v1` is in schemas/check.v1.json."""
    return f"schemas/{str(schema(what)['$id']).removeprefix('promptscope.')}.json"


@pytest.mark.slow
@pytest.mark.parametrize("what", PUBLISHED)
def test_the_file_is_what_the_command_prints(what: Schema) -> None:
    Draft202012Validator.check_schema(schema(what))
    assert_current(file_of(what), json.dumps(schema(what), indent=1, ensure_ascii=False) + "\n")


def test_there_are_no_other_files() -> None:
    assert {f"schemas/{file.name}" for file in (ROOT / "schemas").iterdir()} == set(map(file_of, PUBLISHED))
    assert file_of("capture") == f"schemas/{CAPTURE.removeprefix('promptscope.')}.json"


def valid(what: Schema, value: Json) -> bool:
    validator = Draft202012Validator(json.loads((ROOT / file_of(what)).read_text(encoding="utf-8")))
    return validator.is_valid(json.loads(json.dumps(value)))


@pytest.mark.slow
def test_what_comes_out_is_valid(tmp_path: Path) -> None:
    write(tmp_path, {"CLAUDE.md": "@none.md\n", ".roo/rules/a.md": "A.\n", "AGENTS.md": "B.\n"})
    agents = ("claude-code", "codex", "gemini", "openclaw", "roo")
    scenarios = [Scenario(agent=agent, workspace=str(tmp_path), home=str(tmp_path / "home")) for agent in agents]
    assemblies = [assemble(scenario) for scenario in scenarios]
    for assembly in assemblies:
        assert valid("assembly", assembly.to_dict()), assembly.agent
    assert valid("diff", compare(assemblies[0], assemblies[-1]).to_dict())
    report = check(scenarios[0])
    assert report.findings
    assert valid("check", report.to_dict())
    assert valid("scenario", scenarios[0].to_dict())


@pytest.mark.parametrize("what", ["assembly", "diff", "check"])
def test_what_is_something_else_is_not(what: Schema) -> None:
    assert not valid(what, {"schema": "promptscope.other.v1"})
    assert not valid("scenario", {"agnet": "roo"})
