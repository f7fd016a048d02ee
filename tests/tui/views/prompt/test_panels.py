"""Headers, rows and bars, without a terminal."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len
from tests.tui.support.make import (
    TYPESCRIPT,
    absent,
    assembly,
    builtin,
    environment,
    from_file,
    gone,
    label,
    param,
    sample,
    section,
)

from promptscope_engine.prompt.model import Assembly, Reason
from promptscope_tui.views.prompt.body import Body, changed_lines
from promptscope_tui.views.prompt.layout import AbsentRow, BodyRow, HeaderRow, Layout, Place
from promptscope_tui.views.prompt.matches import Matches
from promptscope_tui.views.prompt.paint import Painter
from promptscope_tui.views.prompt.panels import Panels

WIDTHS = [40, 80, 120]


def everything(panels: Panels) -> frozenset[str]:
    return frozenset(panel.id for panel in panels.all)


def lay_out(made: Assembly, width: int = 80, *, baseline: Assembly | None = None, hide: bool = False) -> Layout:
    panels = Panels(made, baseline)
    return Layout(panels, everything(panels), hide, width)


def lines(layout: Layout, term: str = "") -> list[str]:
    painter = Painter(layout, Matches(layout.panels, term, layout.hide_absent))
    painted = (painter.paint(layout.row(y)) for y in range(layout.height))
    return ["".join(piece.text for piece in row.pieces) for row in painted]


# --- panels


def test_a_parent_counts_its_children() -> None:
    panel = Panels(sample()).by_id["tools"]
    assert panel.tokens == 4 + 512 + 601 + 397
    assert panel.summary == "3 of 5 tools"
    assert not panel.exact


def test_summaries_name_what_they_count() -> None:
    panels = Panels(sample()).by_id
    assert panels["custom"].summary == "2 of 3 files"
    assert panels["rules"].summary == "4 of 6 bullets"
    assert panels["tools.apply_diff"].summary == "one file"
    assert panels["role"].summary == ""


def test_an_unknown_count_is_unknown_above_it_too() -> None:
    made = assembly(section("a", "text", tokens=3), section("a.b", "text", parent="a", tokens=None))
    panels = Panels(made)
    assert panels.by_id["a"].tokens is None
    assert "…" in lines(lay_out(made))[0]


def test_absent_sections_keep_their_place_and_reason() -> None:
    panels = Panels(sample())
    order = [panel.id for panel in panels.all]
    assert order.index("tools.browser_action") == order.index("tools.write_to_file") - 1
    assert panels.by_id["tools.browser_action"].reason == "supportsComputerUse is off"
    assert panels.by_id["mcp"].tokens is None


def test_a_child_stands_below_its_parent_wherever_it_came() -> None:
    made = assembly(section("a", "1"), section("b", "2"), section("a.x", "3", parent="a"), section("c", parent="z"))
    assert [(p.id, p.depth) for p in Panels(made).all] == [("a", 0), ("a.x", 1), ("b", 0), ("c", 0)]


def test_an_absent_parent_of_a_present_section_unfolds() -> None:
    made = assembly(absent("a", "not needed"), section("a.b", "text", parent="a", tokens=7))
    parent = Panels(made).by_id["a"]
    assert parent.present
    assert parent.tokens == 7
    assert lay_out(made).height == 3


def test_shares_are_of_the_whole_tree_and_tools_are_tools() -> None:
    panels = Panels(sample()).by_id
    assert dict(panels["tools.read_file"].shares).keys() == {"tool"}
    assert dict(panels["tools"].shares).keys() == {"builtin", "tool"}
    assert {"file", "param", "builtin"} == dict(panels["custom"].shares).keys()


def test_paths_are_short_and_keep_their_end() -> None:
    paths = ["/work/shop/docs/guides/typescript.md", "/home/ada/.roo/rules/me.md", "/opt/rules.md"]
    made = assembly(*(section(path, from_file("x", path), title=path) for path in paths))
    assert [p.title for p in Panels(made).all] == ["docs/guides/typescript.md", "~/.roo/rules/me.md", "/opt/rules.md"]
    assert "…uides/typescript.md" in lines(Layout(Panels(made), frozenset(), False, 28))[0]


def test_the_header_tells_what_of_the_users_is_absent() -> None:
    made = assembly(section("a", "text\n", absent=[gone("2. ", "no", 1), gone("words", "no", 1)]))
    assert len(lines(lay_out(made))) == 3
    assert Panels(made).by_id["a"].summary == "", "the agent's own words may come and go"
    assert lay_out(made).place(2).absent == 1


# --- changes


def test_changes_carry_their_sign_upwards() -> None:
    panels = Panels(sample(TYPESCRIPT + "Use safeWriteJson.\n"), sample()).by_id
    assert panels["custom.typescript"].change == panels["custom"].change == 4
    assert panels["rules"].change == 0
    assert not panels["rules"].changed
    header = lines(lay_out(sample(), baseline=sample(TYPESCRIPT + "Use safeWriteJson.\n")))
    assert any("USER'S" in line and "−4" in line for line in header)


def test_what_came_and_what_went_is_counted() -> None:
    came = Panels(sample(mcp=True), sample()).by_id["mcp"]
    went = Panels(sample(), sample(mcp=True)).by_id["mcp"]
    assert came.change is not None
    assert came.change > 0
    assert went.change == -came.change
    shown = lines(lay_out(sample(), baseline=sample(mcp=True)))
    assert any("MCP SERVERS" in line and f"−{came.change}" in line for line in shown)


def test_a_change_without_tokens_is_still_said() -> None:
    one, two = (assembly(section("a", text, tokens=5)) for text in ("one", "two"))
    assert "±0" in lines(lay_out(two, baseline=one))[0]
    assert "±0" not in lines(lay_out(one, baseline=one))[0]


def test_changed_lines() -> None:
    assert changed_lines(["a", "b", "c"], ["a", "x", "c", "d"]) == {1: "~", 3: "+"}
    assert changed_lines(["a", "b", "c"], ["a", "c"]) == {1: "‾"}
    assert changed_lines(["a", "b"], ["a"]) == {0: "‾"}
    assert changed_lines(["a"], []) == {}
    many = [str(n) for n in range(5000)]
    assert changed_lines(many, ["first", *many[::-1]]) == {0: "+"}


# --- rows


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("hide", [False, True])
def test_rows_and_places_agree(width: int, hide: bool) -> None:
    layout = lay_out(sample(), width, hide=hide)
    for y in range(layout.height):
        assert layout.find(layout.place(y)) == y
        row = layout.row(y)
        assert isinstance(row, AbsentRow) <= (not hide)
        if isinstance(row, HeaderRow):
            assert layout.header(row.panel.id) == y


@pytest.mark.parametrize("width", WIDTHS)
def test_no_row_is_wider_than_the_screen(width: int) -> None:
    for line in lines(lay_out(sample(TYPESCRIPT * 3), width, baseline=sample())):
        assert cell_len(line.rstrip()) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_every_character_of_the_prompt_is_in_a_row(width: int) -> None:
    layout = lay_out(sample(), width)
    for panel in layout.panels.all:
        if not panel.present or not panel.section.text:
            continue
        rows = [layout.row(y) for y in range(layout.height)]
        mine = [row.text for row in rows if isinstance(row, BodyRow) and row.panel is panel]
        offsets = [panel.body.offset(r.line, r.start) for r in mine]
        assert offsets[0] == 0
        assert offsets == sorted(offsets)
        assert mine[-1].end == len(panel.body.wrapped.lines[-1])


def test_folding_hides_what_is_below() -> None:
    panels = Panels(sample())
    closed = Layout(panels, frozenset(), False, 80)
    assert closed.height == sum(panel.depth == 0 for panel in panels.all)
    assert closed.find(Place("tools.read_file", 3)) == closed.header("tools")
    assert closed.find(Place("nowhere")) is None


def test_hidden_absent_sections_are_found_at_what_stands_above() -> None:
    layout = lay_out(sample(), hide=True)
    assert layout.header("mcp") is None
    assert layout.find(Place("mcp")) == layout.header("tools.write_to_file")


def test_headers_one_by_one() -> None:
    layout = lay_out(sample())
    second = layout.neighbour(0, 1)
    assert second == layout.header("tools")
    assert layout.neighbour(second + 1, -1) == second
    assert layout.neighbour(second, -1) == 0
    assert layout.neighbour(layout.height - 1, 1) == layout.height - 1


def test_gutter_and_numbers_come_from_the_origin() -> None:
    shown = lines(lay_out(sample(TYPESCRIPT + "Use safeWriteJson.\n"), baseline=sample()))
    assert any(line.strip() == "┃  1 # TypeScript" for line in shown)
    assert any(line.strip() == "┃+ 5 Use safeWriteJson." for line in shown)
    assert any("┃  7 ␛[31mRun the tests␛[0m before a commit.␍" in line for line in shown)
    made = assembly(section("a", builtin("in "), environment("/work/shop\n", "cwd"), param("en", "language")))
    assert lines(lay_out(made))[1:] == [" ┇  in /work/shop", " ╏  en"]


def test_absent_fragments_stand_where_they_would() -> None:
    shown = lines(lay_out(sample()))
    first = next(number for number, line in enumerate(shown) if "✗ Begin with codebase_search." in line)
    assert "— codeIndex is not ready" in shown[first]
    assert "The project base directory" in shown[first + 1]


def test_absent_fragments_of_an_empty_text() -> None:
    made = assembly(section("a", absent=[gone("one", "no", 0), gone("two", "no", 0)]))
    assert [line.split(" —")[0].split()[-1] for line in lines(lay_out(made))[1:]] == ["one", "two"]
    assert lay_out(made, hide=True).height == 1


def test_narrow_screens_drop_the_bar_and_wide_ones_add_the_cache_class() -> None:
    assert "█" not in "".join(lines(lay_out(sample(), 40)))
    assert "█" in "".join(lines(lay_out(sample(), 80)))
    assert "static" in "".join(lines(lay_out(sample(), 120)))


def test_bars_are_shares_of_the_largest() -> None:
    made = assembly(section("a", "x", tokens=800), section("b", "x", tokens=400), section("c", "x", tokens=1))
    bars = [line.rstrip().rpartition(" ")[2] for line in lines(Layout(Panels(made), frozenset(), False, 80))]
    assert bars == ["█" * 11, "█" * 5 + "▌", "▏"]


# --- bodies


fragments = st.lists(
    st.tuples(st.sampled_from([label, builtin, lambda t: param(t, "p"), lambda t: environment(t, "e")]),
              st.text(st.sampled_from("ab \n\t\x1b字"), min_size=1, max_size=20)).map(lambda pair: pair[0](pair[1])),
    min_size=1, max_size=6,
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure
@given(fragments, st.integers(10, 40))
def test_spans_cover_each_line_with_its_fragments(parts: list, width: int) -> None:  # type: ignore[type-arg]
    body = Body(section("a", *parts))
    body.fit(width)
    for line, shown in enumerate(body.wrapped.lines):
        spans = body.spans(line)
        assert [s.start for s in spans] == [0, *(s.end for s in spans)][: len(spans)]
        assert (spans[-1].end if spans else 0) == len(shown)
        for span in spans:
            start = body.offset(line, span.start)
            assert body.fragment_at(start) == span.fragment


def test_file_lines_count_from_where_the_file_was_cut() -> None:
    body = Body(section("a", label("# From x:\n"), from_file("one\ntwo\n", "x", start=10)))
    assert [body.file_line(1, line) for line in (1, 2)] == [10, 11]
    assert body.file_line(0, 0) is None


# --- search


def test_search_finds_titles_bodies_reasons_and_what_a_section_lacks() -> None:
    panels = Panels(sample())
    found = [panels.all[m.panel].id for m in Matches(panels, "codebase_search", False)]
    assert found == ["tools.codebase_search", "rules"]
    assert [panels.all[m.panel].id for m in Matches(panels, "codebase_search", True)] == []
    assert [panels.all[m.panel].id for m in Matches(panels, "silenced", False)] == ["custom.roorules"]
    assert not Matches(panels, "silenced", True)


def test_capitals_make_case_count() -> None:
    panels = Panels(sample())
    assert len(Matches(panels, "rules", False)) > len(Matches(panels, "RULES", False)) > 0


def test_matches_are_highlighted_across_wrapped_rows() -> None:
    made = assembly(section("a", "alpha beta gamma delta", title="A"))
    layout = lay_out(made, 16)
    painter = Painter(layout, Matches(layout.panels, "a gamma d", False), current=0)
    lit = [
        piece.text
        for y in range(layout.height)
        for piece in painter.paint(layout.row(y)).pieces
        if "match-current" in piece.classes
    ]
    assert "".join(lit) == "a gamma d"


def test_the_reason_may_be_empty() -> None:
    made = assembly(replace(absent("a", ""), why=Reason("")))
    assert Panels(made).by_id["a"].reason == "absent"
