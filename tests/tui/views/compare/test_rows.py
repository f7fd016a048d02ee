"""A comparison and the agents' table as rows."""

from __future__ import annotations

from datetime import date

from tests.tui.support.roo_shop import texts

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.insight.agents_table import AgentsTable, AgentTotal, AgentUse, FileUse
from promptscope_engine.insight.comparison import (
    Compared,
    Comparison,
    FileChange,
    ProblemChange,
    SectionChange,
    ToolChange,
)
from promptscope_engine.insight.repeats import Copy, Shared
from promptscope_tui.learning.clients import Client
from promptscope_tui.session.installed import Standing
from promptscope_tui.text.spans import Row, width_of
from promptscope_tui.views.agents.rows import agents_rows, standing_rows, use_rows
from promptscope_tui.views.compare.rows import MOST, ChangeKey, change_rows, copied, detail_rows, text_rows

A = Compared("git:main", "roo", "3.28.16", "code", None, 1_000, 10_000)
B = Compared("now", "roo", "3.28.16", "ask", None, 1_240, 10_000)
FOUND = Comparison(
    A,
    B,
    240,
    sections=(
        SectionChange("rules", "RULES", "changed", 40, "Use pnpm.\nkeep\n", "Use npm.\nkeep\n", True, 10, 50),
        SectionChange("env", "ENV", "moved", 0, "same", "same", True, 5, 5),
    ),
    tools=(ToolChange("read", "added", 200, "", "Reads.\n", None, 0, 200),),
    files=(FileChange("x.md", "removed", -3, "absent: imported by nothing", 3, 0),),
    problems=(ProblemChange("added", "warning", "unresolved-import", "y.md is not there", "CLAUDE.md", 4),),
)


def marked(rows: list[Row]) -> set[str]:
    return {span.text for row in rows for span in row.left if span.tone in ("gone", "new")}


def test_what_differs_stands_in_groups_with_its_tokens() -> None:
    rows = change_rows(FOUND)
    lines = [line.strip() for line in texts(rows)]
    assert lines[0] == "1,000 → 1,240 tok (+240), 12.4% of the window"
    assert "SECTIONS  1 section changed, 1 moved" in lines
    assert {"~ RULES", "↕ ENV", "+ read", "− x.md", "+ y.md is not there"} <= {
        "".join(span.text for span in row.left) for row in rows
    }
    assert [row.key for row in rows if row.key][:3] == [
        ChangeKey("sections", 0), ChangeKey("sections", 1), ChangeKey("tools", 0),
    ]  # fmt: skip
    assert texts(change_rows(Comparison(A, A, 0)))[-1].strip() == "no difference"


def test_each_change_has_its_page() -> None:
    pages = {
        part: "\n".join(texts(detail_rows(FOUND, ChangeKey(part, 0), 80, beside=False)))
        for part in ("sections", "tools", "files", "problems")
    }
    assert "~ changed  10 → 50 tok" in pages["sections"]
    assert "moved as well" in pages["sections"]
    assert "+ added" in pages["tools"]
    assert "absent: imported by nothing" in pages["files"]
    assert "CLAUDE.md:4" in pages["problems"]
    moved = "\n".join(texts(detail_rows(FOUND, ChangeKey("sections", 1), 80, beside=False)))
    assert "the same text, at another place" in moved
    whole = "\n".join(texts(detail_rows(FOUND, None, 80, beside=False)))
    assert "a git:main  roo 3.28.16 › code" in whole
    assert copied(FOUND, ChangeKey("sections", 0)).splitlines()[-2:] == ["    2   keep", "    3"]


def test_a_text_is_unified_or_side_by_side() -> None:
    before, after = "one\nUse pnpm here.\nthe end", "one\nUse npm here.\nthe end"
    unified = text_rows(before, after, 80, beside=False)
    assert [line.strip() for line in texts(unified)] == [
        "1   one", "2 - Use pnpm here.", "2 + Use npm here.", "3   the end",
    ]  # fmt: skip
    assert marked(unified) == {"pnpm", "npm"}
    beside = text_rows(before, after, 61, beside=True)
    assert len(beside) == 3
    assert all(width_of(row.left) <= 61 for row in beside)
    left, right = texts(beside)[1].split("│")
    assert (left.strip(), right.strip()) == ("2 - Use pnpm here.", "2 + Use npm here.")
    assert marked(beside) == {"pnpm", "npm"}


def test_columns_wrap_and_stay_in_their_half() -> None:
    rows = text_rows("word " * 30, "word " * 30 + "more \x1b[31m", 60, beside=True)
    assert len(rows) > 3
    assert len({text.index("│") for text in texts(rows)}) == 1
    assert "\x1b" not in "".join(texts(rows))


def test_a_text_of_megabytes_is_cut() -> None:
    rows = text_rows("", "\n".join(map(str, range(MOST + 10))), 80, beside=False)
    assert len(rows) == MOST + 1
    assert "more than 3,000 lines" in texts(rows)[-1]


TABLE = AgentsTable(
    (
        AgentTotal("claude-code", "Claude Code", 18_000),
        AgentTotal("roo", "Roo Code", None, "no such mode"),
        AgentTotal("gemini", "Gemini CLI", 0, refused="the folder is not trusted"),
    ),
    (
        FileUse(
            "CLAUDE.md", "/s/CLAUDE.md",
            {"claude-code": AgentUse("taken", "claude-md", 17), "gemini": AgentUse("left", "gemini-md")},
            (Shared(2, 4, Copy("agents_md", "AGENTS.md", 6, 12, "AGENTS.md", 7, 9), 12),),
        ),
        FileUse("docs/CLAUDE.md", "/s/docs/CLAUDE.md", {"claude-code": AgentUse("later", "claude-md")}),
        FileUse(".cursorrules", "/s/.cursorrules", {}),
    ),
)  # fmt: skip


def test_a_file_has_a_column_for_each_agent() -> None:
    for width in (60, 80, 140):
        rows = agents_rows(TABLE, width)
        lines = ["".join(span.text for span in row.left) for row in rows]
        first = next(line for line in lines if line.startswith("CLAUDE.md"))
        assert first.split() == ["CLAUDE.md", "≡", "3", "17", "·", "✗"]
        assert next(line for line in lines if line.startswith("docs/")).split()[1:] == ["○", "·", "·"]
        assert next(line for line in lines if line.startswith("from files")).split()[2:] == ["17", "…", "0"]
        assert next(line for line in lines if line.startswith("whole")).split()[2] == "18,000"
        assert lines.index("READ BY NO AGENT  with current settings") < lines.index(
            next(line for line in lines if line.startswith(".cursorrules"))
        )
        assert all(width_of(row.left) <= width for row in rows if not row.wrap)


def test_agents_whose_names_begin_alike_are_told_apart_however_narrow_it_is() -> None:
    names = {
        "openclaw": "OpenClaw",
        "opencode": "OpenCode",
        "copilot": "GitHub Copilot CLI",
        "own-helper": "Our helper",
    }
    found = AgentsTable(tuple(AgentTotal(name, title, 1) for name, title in names.items()), ())
    above, below = ("".join(span.text for span in row.left).split() for row in agents_rows(found, 50)[:2])
    assert (above, below) == (["Open", "Open", "Our"], ["FILE", "Claw", "Code", "…pilot", "helper"])
    above, below = ("".join(span.text for span in row.left).split() for row in agents_rows(found, 75)[:2])
    assert (above, below) == (["GitHub"], ["FILE", "OpenClaw", "OpenCode", "Copilot", "CLI", "Our", "helper"])
    (one,) = ("".join(span.text for span in row.left).split() for row in agents_rows(TABLE, 140)[:1])
    assert one == ["FILE", "Claude", "Code", "Roo", "Code", "Gemini", "CLI"]


def test_an_agent_says_how_old_its_model_is_and_what_became_of_it() -> None:
    roo = Standing(load_agent("roo"), "", None, date(2026, 12, 20))
    codex = Standing(load_agent("codex"), "9.0.0", Client("/bin/codex", ""), date(2026, 12, 20))
    lines = ["".join(span.text for span in row.left) for row in agents_rows(TABLE, 80, (roo, codex))]
    assert lines[-2].split() == ["Roo", "Code", "3.28.16", "4", "weeks", "ago", "archived"]
    assert lines[-1].split()[-3:] == ["9.0.0", "?", "active"]
    page = "\n".join(texts(list(standing_rows(roo))))
    assert "3.28.16, on 2026-11-20, 4 weeks ago" in page
    assert "no client was found" in page
    assert "archived since 2026-05-15: its successor is Zoo Code (looked up 2026-11-27)" in page


def test_a_file_says_what_each_agent_makes_of_it() -> None:
    page = "\n".join(texts(list(use_rows(TABLE, "/s/CLAUDE.md"))))
    assert "Claude Code  ✓ 17 tok, claude-md" in page
    assert "unknown: no such mode" in page
    assert "✗ the folder is not trusted" in page
    assert "lines 2-4, also in AGENTS.md:7  12 tok" in page
    assert "no agent reads it" in "\n".join(texts(list(use_rows(TABLE, "/s/.cursorrules"))))
    assert list(use_rows(TABLE, "/s/gone")) == []
