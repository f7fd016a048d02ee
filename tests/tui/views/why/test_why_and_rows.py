"""Why says of everything the same number as its row."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts

from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Row
from promptscope_tui.text.words import MARKS, number
from promptscope_tui.views.files.records import FilesShown
from promptscope_tui.views.files.rows import file_rows
from promptscope_tui.views.prompt.panels import Panels
from promptscope_tui.views.subjects import Cursor, FileSubject, Subject, ToolSubject
from promptscope_tui.views.tools import tool_rows
from promptscope_tui.views.why.pages import why_page


def words_by_key(rows: list[Row]) -> dict[Hashable, list[str]]:
    return {row.key: text.split() for row, text in zip(rows, texts(rows), strict=True)}


@pytest.mark.parametrize("agent", [agent.id for agent in all_agents()])
def test_rows_and_why_agree(tmp_path: Path, agent: str) -> None:
    roo_shop_at(tmp_path)
    scenario = scenario_of(tmp_path, agent=agent, mode=None, model=None)
    assembly = assemble(scenario)
    snapshot, inputs = Snapshot(scenario, assembly), AgentInputs.of(load_agent(agent), scenario)

    def why(subject: Subject) -> str:
        return "\n".join(" ".join(line.split()) for line in texts(why_page(subject, snapshot, inputs).rows))

    for panel in Panels(assembly).all:
        if panel.present and not (panel.leads or panel.folds):
            mark = MARKS["exact" if panel.exact else "estimated"]
            assert f"\n{mark} {number(panel.tokens)} tok" in why(Cursor(panel.id)), panel.id
    rows = words_by_key(tool_rows(assembly, 140))
    for tool in assembly.tools:
        if tool.present:
            assert number(tool.expected_tokens) in rows[ToolSubject(tool.name)]
            assert f" {number(tool.expected_tokens)} tok" in why(ToolSubject(tool.name))
    rows = words_by_key(file_rows(FilesShown(assembly), 140))
    for file in assembly.files:
        if file.present and file.tokens:
            assert number(file.tokens) in rows[FileSubject(file.path)]
            assert f" characters, {number(file.tokens)} tok" in why(FileSubject(file.path))
