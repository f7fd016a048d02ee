"""The numbers among Roo's settings: what they are unless somebody sets them, and what may be set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from promptscope_engine.agents.roo.params import Problem, RooParams, Terminal
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.scenario import Scenario


def test_the_settings_that_are_numbers() -> None:
    settings, editor = RooParams().settings, RooParams().editor
    assert settings.maxConcurrentFileReads == 5
    assert (editor.maxWorkspaceFiles, editor.maxOpenTabsContext, editor.maxReadFileLine) == (200, 20, -1)
    assert editor.maxDiagnosticMessages == 50
    assert (Terminal().id, Problem(path="a").line) == (1, 0)


@pytest.mark.parametrize("value", [None, 5])
def test_null_stands_for_what_roo_takes_in_its_place(tmp_path: Path, value: int | None) -> None:
    params = {"settings": {"maxConcurrentFileReads": value}, "mcpEnabled": None}
    assembly = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), env={}, params=params))
    one = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), env={}))
    assert [section.text for section in assembly.sections] == [section.text for section in one.sections]
    tool = assembly.section("tools.read_file")
    assert tool
    assert "one or more files contain" in tool.text


@pytest.mark.parametrize(
    ("place", "least", "most"),
    [
        ("settings.maxConcurrentFileReads", 0, None),
        ("editor.cost", 0, None),
        ("editor.maxWorkspaceFiles", 0, 500),
        ("editor.maxOpenTabsContext", 0, 500),
        ("mcpConnectSeconds", 0, None),
    ],
)
def test_the_bounds_of_a_number(place: str, least: int, most: int | None) -> None:
    def given(value: int) -> dict[str, Any]:
        outer, _, inner = place.rpartition(".")
        return {outer: {inner: value}} if outer else {inner: value}

    largest = least if most is None else most
    for value in (least, largest):
        RooParams.model_validate(given(value))
    for value in (least - 1, *([] if most is None else [most + 1])):
        with pytest.raises(ValidationError):
            RooParams.model_validate(given(value))


def test_null_stands_for_the_default() -> None:
    given = RooParams.model_validate({"mcpEnabled": None, "settings": {"maxConcurrentFileReads": None}}).settled()
    assert (given.mcpEnabled, given.settings.maxConcurrentFileReads) == (True, 5)
    off = RooParams.model_validate({"mcpEnabled": False, "settings": {"maxConcurrentFileReads": 1}}).settled()
    assert (off.mcpEnabled, off.settings.maxConcurrentFileReads) == (False, 1)
