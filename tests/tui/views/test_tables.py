"""Rows, columns and the pages that are made of them, without a terminal where none is needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from tests.tui.support.apps import shared_at
from tests.tui.support.codex_repo import codex_repo_at
from tests.tui.support.roo_shop import roo_shop_at, texts
from tests.tui.support.user import running

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import Assembly, Diagnostic, SettingSource, Variable
from promptscope_tui.text.spans import Row, Span, cut, lay_out, pad, paragraph, row, signed, tail, width_of
from promptscope_tui.text.tables import Column, table
from promptscope_tui.text.words import total_mark
from promptscope_tui.views.bars.budget import figures, free_part, half_cells
from promptscope_tui.views.bars.top import Header
from promptscope_tui.views.files.records import FilesShown
from promptscope_tui.views.files.rows import file_rows
from promptscope_tui.views.files.tree import Look
from promptscope_tui.views.request import request_rows
from promptscope_tui.views.subjects import BlockSubject, FileSubject, SwitchSubject, ToolSubject
from promptscope_tui.views.tools import tool_rows
from promptscope_tui.views.window.rows import by_origin, composition, context_rows
from promptscope_tui.watching.status import WatchStatus


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Assembly:
    """The shop's, with counts."""
    return assemble(roo_shop_at(tmp_path_factory.mktemp("tables")))


def test_cutting_and_padding_go_by_cells() -> None:
    assert pad("日本語", 4) == "日… " or cell_len(pad("日本語", 4)) == 4
    assert cut([Span("one "), Span("two three")], 8) == (Span("one "), Span("two…"))
    assert tail("/a/long/path/name.md", 9) == "…/name.md"
    assert [signed(n).text for n in (1240, -612, 0, None)] == ["+1,240", "−612", "·", "…"]


@pytest.mark.parametrize("width", [8, 13, 20, 80])
@pytest.mark.parametrize(
    "text", ["word " * 20, "x" * 50, "日本語" * 10, " " * 40 + "end", "/a/very/long/path-with-parts.md"]
)
def test_wrapping_stays_inside_and_loses_nothing(width: int, text: str) -> None:
    lines = lay_out(paragraph("- ", text, indent=2), width)
    assert all(width_of(left) <= width for left, _ in lines)
    joined = "".join(s.text for left, _ in lines for s in left)
    assert joined.replace(" ", "") == f"-{text}".replace(" ", "")


def test_control_characters_never_reach_the_screen() -> None:
    ((left, _),) = lay_out(row("a\x1b[31mb\u202ec"), 40)
    assert "\x1b" not in "".join(s.text for s in left)
    assert "\u202e" not in "".join(s.text for s in left)


def test_columns_align_and_drop_out_where_it_is_narrow() -> None:
    columns = (Column("name"), Column("size", right=True), Column("extra", spare=1), Column("why"))
    records = [
        row("a", "1,000", "x", "r"),
        row("bb", "1", "y", "s"),
    ]
    assert [line.strip() for line in texts(table(columns, records, 60))] == [
        "name   size  extra  why",
        "a     1,000  x      r",
        "bb        1  y      s",
    ]
    assert "extra" not in texts(table(columns, records, 30))[0]


def test_the_least_useful_columns_make_room_and_those_that_say_nothing_go() -> None:
    columns = (
        Column("name"),
        Column("zero", right=True),
        Column("one", spare=1),
        Column("two", spare=2),
        Column("why"),
    )
    records = [row("a", "·", "x" * 8, "y" * 8, "r"), row("b", "", "x", "y", "s")]
    heads = [texts(table(columns, records, width))[0].split() for width in (74, 73, 32, 31)]
    assert heads == [["name", "one", "two", "why"], ["name", "one", "why"], ["name", "one", "why"], ["name", "why"]]


def test_schemas_are_shown_where_no_tool_is_described_in_the_prompt(assembly: Assembly) -> None:
    def schema_only(width: int) -> list[str]:
        schema = {"type": "object", "properties": {"path": {"type": "string"}}}
        tools = tuple(
            replace(t, tokens=replace(t.tokens, prompt=0, schema=99), input_schema=schema) for t in assembly.tools
        )
        return texts(tool_rows(replace(assembly, tools=tools), width))[0].split()

    for width in (66, 110):
        assert "schema" in schema_only(width)
        assert "prompt" not in schema_only(width)


def test_tools_present_ones_first_each_with_its_reason(assembly: Assembly) -> None:
    rows = tool_rows(assembly, 110)
    keys = [r.key for r in rows if r.key]
    assert keys == [ToolSubject(t.name) for t in sorted(assembly.tools, key=lambda t: not t.present)]
    lines = texts(rows)
    assert next(line for line in lines if "codebase_search" in line).lstrip().startswith("✗")
    assert next(line for line in lines if "read_file" in line).startswith("●")
    assert f"{sum(t.present for t in assembly.tools)} of {len(assembly.tools)} present" in lines[-1]


def test_files_in_load_order_with_diagnostics_on_their_row(assembly: Assembly) -> None:
    open_all = Look(choices={"": True})
    rows = file_rows(FilesShown(assembly), 130, open_all)
    keys = {r.key for r in rows if isinstance(r.key, FileSubject)}
    assert keys == {FileSubject(f.path) for f in assembly.files}
    lines = texts(rows)
    at = next(n for n, line in enumerate(lines) if " .roorules " in line)
    assert "⚠" in lines[at + 1]
    assert "◐ conditional" in lines[-1]
    assert not any(assembly.workspace in line for line in lines)


def test_a_diagnostic_of_no_row_names_its_path(assembly: Assembly) -> None:
    path = str(Path(assembly.workspace) / ".codex")
    found = [Diagnostic("warning", "x", "not here", path, 3), Diagnostic("info", "y", "nor here", path)]
    found.append(Diagnostic("info", "z", "of all", assembly.workspace))
    lines = [line.rstrip() for line in texts(file_rows(FilesShown(replace(assembly, diagnostics=tuple(found))), 130))]
    at = lines.index("DIAGNOSTICS")
    assert lines[at + 1 : at + 4] == ["⚠ .codex:3: not here  x", "i .codex: nor here  y", "i of all  z"]


def test_tools_inside_of_another_one_are_counted_once_and_said(tmp_path: Path) -> None:
    assembly = assemble(shared_at(tmp_path, agent="codex"))
    lines = texts(tool_rows(assembly, 200))
    inside = [tool for tool in assembly.tools if tool.present and tool.section == "functions.exec"]
    assert inside
    present = sum(tool.present for tool in assembly.tools)
    assert f"{present} of {len(assembly.tools)} present, {len(inside)} of them inside of functions.exec" in lines[-1]
    beside = next(line for line in lines if "sent beside the prompt" in line)
    assert f"for {len(inside)} tools in the text of functions.exec" in beside
    assert f"{assembly.tokens.expected_by_channel['tools']:,} tok" in beside
    assert not any("described in sections" in line for line in lines)


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_the_window_map_fits_its_width(assembly: Assembly, width: int) -> None:
    rows = context_rows(by_origin(assembly), width)
    assert all(width_of(r.left) <= width for r in rows if "■" in texts([r])[0])
    text = "\n".join(texts(rows))
    assert "compacts at" in text
    assert "▤ built in" in text, "each group has a shape besides its colour"


def test_the_request_opens_block_by_block(assembly: Assembly) -> None:
    closed, opened = request_rows(assembly, frozenset()), request_rows(assembly, frozenset({BlockSubject("system", 0)}))
    assert f"SYSTEM  1 block  {assembly.tokens.expected_by_channel['system']:,} tok" in texts(closed)
    assert len(opened) > len(closed) + 100


def test_what_the_provider_is_handed_beside_the_prompt_is_named(tmp_path: Path) -> None:
    for mode in "code", "ask":
        lines = texts(request_rows(assemble(shared_at(tmp_path, agent="roo", mode=mode)), frozenset()))
        line = lines[lines.index(next(line for line in lines if line.startswith("ALSO SENT"))) + 1]
        assert line.startswith(f"  metadata  `mode` ({mode}) and `taskId`, for the code of the provider")


def test_the_request_begins_with_where_it_goes(tmp_path: Path) -> None:
    closed = texts(request_rows(assemble(codex_repo_at(tmp_path)), frozenset()))
    assert closed[0].startswith("SENT TO")
    assert closed[1].strip() == "POST https://api.openai.com/v1/responses"


def test_an_address_that_nobody_knows_has_its_reason(assembly: Assembly) -> None:
    said, address, *_ = texts(request_rows(assembly, frozenset()))
    assert said.startswith("SENT TO  `apiProvider` is not given")
    assert address.strip() == "POST …"


def test_input_items_stand_in_their_order_with_their_roles(tmp_path: Path) -> None:
    assembly = assemble(codex_repo_at(tmp_path))
    closed = texts(request_rows(assembly, frozenset()))
    counts = assembly.tokens.expected_by_channel
    assert f"INPUT  7 blocks  {(counts['system'] or 0) + (counts['messages'] or 0):,} tok" in closed
    heads = [line.split()[1] for line in closed if line.startswith("▸ ")]
    assert heads[:7] == ["developer", "developer", "·", "·", "user", "·", "user"]
    part = BlockSubject("messages", 2, 0)
    assert len(request_rows(assembly, frozenset({part}))) > len(closed) + 100


def test_one_tool_is_no_tools(tmp_path: Path) -> None:
    closed = texts(request_rows(assemble(shared_at(tmp_path, agent="codex")), frozenset()))
    assert any("clock  1 tool " in f"{line} " for line in closed)


def test_shares_add_up_to_the_expected_tokens(assembly: Assembly) -> None:
    shares = composition(assembly)
    assert {s.tone for s in shares} >= {"tool", "builtin", "file", "environment"}
    assert sum(s.tokens for s in shares) == assembly.tokens.expected


@pytest.mark.parametrize("width", [12, 40, 120])
def test_the_bar_is_as_wide_as_its_room(assembly: Assembly, width: int) -> None:
    shares = composition(assembly)
    halves = half_cells(shares, assembly.tokens.window, width)
    assert {h for h in halves if h} == {s.tone for s in shares}
    rest = free_part(shares, assembly.tokens, width, len(halves) // 2)
    assert len(halves) // 2 + width_of(rest) == width


@pytest.mark.slow
async def test_a_row_without_a_key_cannot_be_chosen(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("2", "G")
        last = user.tools.key
        await user.press("down")
        assert user.tools.key == last
        await user.press("g")
        first = next(r for r in user.tools.rows if isinstance(r, Row) and r.key)
        assert user.tools.key == first.key


def test_a_prompt_that_is_too_large_says_by_how_much(assembly: Assembly) -> None:
    over = replace(assembly.tokens, expected=437_123, window=200_000)
    found = figures(over, 120, "≈")
    assert "".join(span.text for span in found).endswith("218.6%   over by 237,123")
    assert found[-1].tone == "warn"
    full = replace(over, expected=200_000)
    assert figures(full, 120, "≈")[-1].text.startswith("   compacts at")
    assert figures(replace(full, compact_at=None, compaction="not observed: x"), 120, "≈")[-1].text == "100.0%"
    assert figures(replace(full, compact_at=None, compaction="off by X: x"), 120, "≈")[-1].text == (
        "   compaction off by X"
    )
    silent = figures(replace(full, compact_at=None, compaction=""), 120, "≈")
    assert "compact" not in "".join(span.text for span in silent), (
        "an agent of one's own, of which nobody said anything"
    )


def test_what_is_watched_is_said_where_no_file_is_yet() -> None:
    header = Header()
    header.status = WatchStatus("live", 0, places=1203)
    left, right = header.parts(120)
    assert (left[1:], "".join(s.text for s in right[-1].spans)) == ([], "● live, no files yet, watching 1,203 paths")


def test_variables_follow_the_files_with_who_set_them(assembly: Assembly) -> None:
    here = SettingSource("env.A", "/w/.claude/settings.json", ".claude/settings.json", 4)
    variables = (Variable("A", "1", here), Variable("B", "x", SettingSource("B")))
    rows = file_rows(FilesShown(replace(assembly, variables=variables)), 100)
    start = texts(rows).index("VARIABLES  ") + 1
    assert [text.rstrip() for text in texts(rows[start:])] == [
        "$ A=1  in .claude/settings.json:4",
        "$ B=x  set in the environment",
    ]
    assert [each.key for each in rows[start:]] == [SwitchSubject("env.A"), SwitchSubject("env.B")]


def test_a_legend_with_little_room_keeps_the_users_files(assembly: Assembly) -> None:
    def legend(width: int) -> str:
        return "".join(span.text for span in free_part(composition(assembly), assembly.tokens, width, 4))

    assert "tools" in legend(160)
    narrow = legend(40)
    assert "your files" in narrow
    assert "built in" not in narrow


def test_a_total_over_estimated_parts_is_an_estimate(assembly: Assembly) -> None:
    exact = replace(assembly, tokens=replace(assembly.tokens, exact=True))
    assert total_mark(exact) == "≈"
    assert figures(exact.tokens, 120, total_mark(exact))[0].text == "≈ "
    assert figures(exact.tokens, 120, "=")[0].text == ""


class Counted:
    """A record that notes which of its cells are made."""

    def __init__(self, number: int, made: list[int]) -> None:
        self.key = FileSubject(f"{number}.md")
        self._number, self._made = number, made

    def cell(self, column: int) -> Span:
        if column == 1:
            self._made.append(self._number)
        return Span(f"{column}-{self._number}")


def test_a_row_says_what_it_says_when_it_is_looked_at() -> None:
    made: list[int] = []
    head, *rows = table((Column("name"), Column("why")), [Counted(n, made) for n in range(5_000)], 40)
    assert (len(rows), made) == (5_000, [])
    assert texts([head, rows[7]]) == ["name    why  ", "0-7     1-7  "]
    assert made == [7], "and it is kept"
    same = table((Column("name"), Column("why")), [Counted(7, made)], 40)[1]
    assert rows[7].left[1:] == same.left[1:]
    assert rows[7] != same, "columns are as wide as their widest cell"


@pytest.mark.slow
async def test_of_thousands_of_rows_those_in_view_are_drawn(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("3")
        files, made = user.app.main.pages.files, list[int]()
        records = [Counted(n, made) for n in range(5_000)]
        files.show(lambda width: table((Column("name"), Column("why")), records, width))
        await user.press("g", "down", "pagedown")
        assert made[:2] == [0, 1]
        assert max(made) < 100
        await user.press("G")
        assert files.key == FileSubject("4999.md")
        assert "1-4999" in "".join(segment.text for segment in files.render_line(files.size.height - 1))
        assert len(set(made)) < 200
