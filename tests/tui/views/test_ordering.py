"""Sorting a table by any column, filtering it by typed words, cutting paths in the middle; where enter leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_tui.session.snapshot import GoTo, Snapshot
from promptscope_tui.text.spans import Span, middle, row
from promptscope_tui.text.tables import Arrangement, Column, Order, column_at, shown_columns, table
from promptscope_tui.views.files.records import FilesShown
from promptscope_tui.views.files.rows import file_rows
from promptscope_tui.views.files.tree import Look
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.subjects import BlockSubject, DiagnosticSubject, FileSubject, ToolSubject, WindowSubject
from promptscope_tui.views.tools import ToolsTable, tool_rows
from promptscope_tui.views.under_cursor import of_file, of_row, of_tool

COLUMNS = (Column(""), Column("name"), Column("tokens", right=True))
RECORDS = [row("●", "b", "1,200"), row("✗", "C", ""), row("●", "a", "90")]


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Assembly:
    return assemble(roo_shop_at(tmp_path_factory.mktemp("ordering")))


def names(arrangement: Arrangement) -> str:
    return "".join(record.left[1].text for record in arrangement.of(COLUMNS, RECORDS))


def test_a_column_sorts_numbers_by_size_and_words_by_the_alphabet() -> None:
    assert names(Arrangement()) == "bCa"
    assert names(Arrangement(Order.by(COLUMNS, 1))) == "abC"
    assert names(Arrangement(Order.by(COLUMNS, 1).reversed())) == "Cba"
    assert names(Arrangement(Order.by(COLUMNS, 2))) == "baC", "the largest first, what has no number last"
    assert names(Arrangement(Order.by(COLUMNS, 2).reversed())) == "abC"


def test_the_head_says_what_sorts_and_which_way() -> None:
    order = Order.by(COLUMNS, 2)
    assert [column.head for column in Arrangement(order).heads(COLUMNS)] == ["", "name", "tokens ↓"]
    head = table(Arrangement(order.reversed()).heads(COLUMNS), RECORDS, 40)[0]
    assert texts([head])[0].rstrip().endswith("tokens ↑")
    assert shown_columns(head, COLUMNS) == [0, 1, 2]
    more = (*COLUMNS, Column("kind", spare=2), Column("why"))
    assert shown_columns(table(more, [row("●", "a", "1", "rule", "it is")], 40)[0], more) == [0, 1, 2, 4]
    at = texts([head])[0].index
    assert [column_at(head, COLUMNS, x) for x in (at("name"), at("tokens"), at("↑"), 99)] == [1, 2, 2, None]


def test_a_filter_keeps_the_rows_that_have_every_word() -> None:
    assert names(Arrangement(needle="1,2")) == "b"
    assert names(Arrangement(needle="B ●")) == "b"
    assert names(Arrangement(needle="absent")) == "C", "a mark is found by what it means"
    assert names(Arrangement(Order(1), "●")) == "ab"
    assert names(Arrangement(needle="nothing")) == ""


def test_files_and_tools_sort_and_filter(assembly: Assembly) -> None:
    tokens = next(n for n, column in enumerate(FilesTable.columns) if column.head == "always")
    rows = file_rows(FilesShown(assembly), 160, Look(arrangement=Arrangement(Order.by(FilesTable.columns, tokens))))
    found = [row.key.path for row in rows if isinstance(row.key, FileSubject)]
    counts = {file.path: file.tokens or 0 for file in assembly.files if file.present}
    assert found[: len(counts)] == sorted(counts, key=lambda path: -counts[path])
    assert set(found) == {file.path for file in assembly.files}
    after = texts(rows)[next(n for n, row in enumerate(rows) if ".roorules " in texts([row])[0]) + 1]
    assert "⚠" in after, "a diagnostic stays with its file"

    rows = file_rows(FilesShown(assembly), 160, Look(arrangement=Arrangement(needle="mode-rules typescript")))
    assert [Path(r.key.path).name for r in rows if isinstance(r.key, FileSubject)] == ["typescript.md"]
    tools = tool_rows(assembly, 160, Arrangement(needle="browser"))
    assert all("browser" in texts([r])[0] for r in tools if r.key)
    assert [r.key for r in tools if r.key]
    by_name = tool_rows(assembly, 160, Arrangement(Order.by(ToolsTable.columns, 1)))
    shown = [r.key.name for r in by_name if isinstance(r.key, ToolSubject)]
    assert shown == sorted(tool.name for tool in assembly.tools)


@pytest.mark.parametrize("width", [1, 5, 9, 20, 30])
def test_a_path_is_cut_in_the_middle(width: int) -> None:
    path = "packages/日本/src/components/widgets/button.md"
    found = middle(path, width)
    assert cell_len(found) <= width
    assert found.count("…") == 1
    if width >= 20:
        assert found.startswith("pack")
        assert found.endswith("/button.md")
    assert middle(path, 80) == path
    columns = (Column("file", most=30, path=True), Column("why"))
    line = texts(table(columns, [row(Span(path), "because")], 60))[1]
    assert "…" in line
    assert "/button.md " in line


def test_a_file_leads_to_its_first_line_in_the_prompt(assembly: Assembly) -> None:
    for file in assembly.files:
        found = of_file(file.path, assembly)
        if found is None:
            assert not any(f.origin.path in (file.path, file.real_path) for s in assembly.sections for f in s.fragments)
            continue
        section = assembly.section(str(found.key))
        assert section is not None
        line = section.text.split("\n")[found.line - 1]
        first = next(f for f in section.fragments if f.origin.kind == "file" and f.origin.path == file.path)
        assert first.text.split("\n")[0] in line
    assert of_file("nowhere.md", assembly) is None


def test_a_tool_leads_to_its_section_or_to_its_block(assembly: Assembly, tmp_path: Path) -> None:
    assert of_tool("read_file", assembly) == GoTo("prompt", "tools.read_file")
    assert of_tool("nothing", assembly) is None
    roo_shop_at(tmp_path)
    for agent in ("claude-code", "openclaw", "codex"):
        other = assemble(scenario_of(tmp_path, agent=agent, mode=None, model=None))
        blocks = {tool.name: of_tool(tool.name, other) for tool in other.tools_beside}
        assert blocks
        for name, found in blocks.items():
            assert found is not None, name
            assert isinstance(found.key, BlockSubject), name


def test_what_stands_nowhere_leads_nowhere(assembly: Assembly) -> None:
    snapshot = Snapshot(Scenario(), assembly)
    absent = next(file for file in assembly.files if not file.present)
    assert of_row(FileSubject(absent.path), snapshot) is None
    assert of_row(WindowSubject(), snapshot) is None
    assert of_row(DiagnosticSubject(99), snapshot) is None
    assert of_row(GoTo("tools"), snapshot) == GoTo("tools")
    assert of_row(ToolSubject("read_file"), Snapshot(Scenario())) is None
