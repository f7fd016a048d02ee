"""The file of GEMINI_SYSTEM_MD: whether it is on, and there (specs/gemini.md 12)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
    codes,
)

from promptscope_engine.prompt.pieces import joined

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("value", "refuses"), [("0", False), ("", False), ("False", False), ("nope.md", True)])
def test_an_override_that_is_off_or_missing(project: Project, value: str, refuses: bool) -> None:
    assembly = project.assemble(env={"GEMINI_SYSTEM_MD": value})
    assert ("agent-refuses" in codes(assembly)) is refuses
    assert bool(assembly.request.system) is not refuses


@pytest.mark.parametrize(
    ("value", "file", "why"),
    [
        ("0", None, None),
        ("0", "x", "`GEMINI_SYSTEM_MD` names no file"),
        ("1", "x", "`GEMINI_SYSTEM_MD` replaces the built-in prompt and the file was found"),
        ("1", None, "there is no such file"),
        ("1", "", "it cannot be read: directory"),
    ],
)
def test_the_row_of_the_file(project: Project, value: str, file: str | None, why: str | None) -> None:
    """`file` is what it holds; "": it is a folder."""
    path = "workspace/.gemini/system.md"
    if file is not None:
        project.write({path if file else f"{path}/x": "text"})
    found = project.gathered(env={"GEMINI_SYSTEM_MD": value})
    said = [draft.when.evaluate(found.facts).text for draft in found.files if draft.kind == "system-prompt-override"]
    assert said == ([] if why is None else [why])
    assert (found.refused is not None) is (value == "1" and file != "x")


def test_a_file_far_away_is_read_where_the_scenario_names_it(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    far = tmp_path_factory.mktemp("far") / "system.md"
    far.write_text("far")
    given = {"GEMINI_SYSTEM_MD": str(far), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    found = project.gathered(env=given)
    assert joined(found.materials.override.pieces) == "far"
    project.write({"workspace/.env": f"GEMINI_SYSTEM_MD={far}"})
    found = project.gathered()
    assert joined(found.materials.override.pieces) == ""
    assert [(each.code, each.path) for each in found.diagnostics if each.path == str(far)] == [("outside", str(far))]
    assert found.refused is None
