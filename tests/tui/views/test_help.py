"""The help: what is under the cursor first, then the keys that do something, then the signs; and the first hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.make import assembly, sample
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts
from tests.tui.support.user import running

from promptscope_engine.agents.registry import all_agents
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.actions.table import ACTIONS
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.unavailable import unavailable_actions
from promptscope_tui.settings.memory import Memory
from promptscope_tui.text.words import LOADS
from promptscope_tui.views.bars.bottom import Hint
from promptscope_tui.views.bars.top import TABS
from promptscope_tui.views.help import PANES, explained, sign_rows
from promptscope_tui.views.prompt.paint import GUTTER
from promptscope_tui.views.subjects import ChangeSubject, Cursor, FileSubject, Subject, SwitchSubject, ToolSubject
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


def said(subject: Subject | None, pane: str = "prompt") -> str:
    return "\n".join(texts(explained(subject, pane, Snapshot(Scenario(), sample()), ACTIONS)))


def test_a_line_of_a_file_and_its_keys() -> None:
    cursor = Cursor("custom.typescript", "body", ".roo/rules-code/typescript.md", 3, None, 1)
    words = said(cursor)
    assert "A line of .roo/rules-code/typescript.md:3, sent as is." in words
    assert "enter to the file of a line in Files" in words


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (Cursor("rules"), "RULES, a section of the prompt."),
        (Cursor("rules"), "Its own text takes 2,103 tokens, an estimate"),
        (Cursor("custom.agents", path="AGENTS.md", line=7), "It begins at line 7 of your AGENTS.md."),
        (Cursor("rules", "body", fragment=2), "A line of RULES: machine cwd."),
        (Cursor("mcp", "absent"), "MCP SERVERS: not in the prompt. No server is configured."),
        (Cursor("rules", "absent", fragment=0), "not in the prompt. CodeIndex is not ready."),
        (ToolSubject("read_file"), "The tool read_file"),
        (FileSubject("/work/shop/AGENTS.md"), "AGENTS.md, a file that the agent looked for."),
        (SwitchSubject("diffEnabled"), "The switch diffEnabled."),
        (ChangeSubject(0), "What a save, a switch or a commit changed"),
        (Cursor(kind="tools"), "The tools, which are sent beside the prompt."),
        (Cursor("gone"), "The prompt, a panel for each section."),
        (None, "The prompt, a panel for each section."),
    ],
)
def test_everything_is_explained(subject: Subject | None, words: str) -> None:
    assert words in said(subject)


def test_before_there_is_a_prompt() -> None:
    assert "There is no prompt yet." in "\n".join(texts(explained(None, "prompt", Snapshot(Scenario()), ACTIONS)))


def test_every_sign_has_its_meaning() -> None:
    signs = "\n".join(texts(sign_rows()))
    for sign in (*GUTTER.values(), *LOADS.values(), *"▸▾▹✗┊✂+~‾=≈…−·⊘⚠◉○●◐◆▒→"):
        assert sign in signs, sign


def test_nothing_is_offered_that_an_agent_lacks() -> None:
    lacking = {agent.id: set(unavailable_actions(agent, assembly())) for agent in all_agents()}
    of_a_capture = {"views", "differences", "next_request", "previous_request"}
    assert {"report", "imagine", "mode"} | of_a_capture == lacking["roo"]
    assert {"responses", "completion"} <= lacking["claude-code"]
    assert "imagine" not in lacking["claude-code"]
    assert "report" not in lacking["openclaw"]
    assert unavailable_actions(next(iter(all_agents())), assembly())["report"] == "Claude Code has no context report"


async def test_help_begins_with_what_is_under_the_cursor(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("question_mark")
        page = user.app.screen.query_one(RowList).plain
        assert page.startswith("UNDER THE CURSOR")
        assert "a section of the prompt. It begins at line 1 of your" in page
        assert "context report" not in page
        await user.press("escape", "v")
        assert user.tab == "window"
        assert user.note == "Roo Code has no context report; this is its window"


async def test_where_nothing_is_under_the_cursor_the_page_is_explained(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for scenario, keys in (
        (roo_shop_at(tmp_path), "0123456f"),
        (scenario_of(tmp_path, workspace=str(tmp_path / "empty"), home=str(tmp_path / "empty")), "1"),
    ):
        async with running(scenario, (80, 24), page=None) as user:
            for key in ("", *keys):
                await user.press(*key, "question_mark")
                _, first, *_ = user.app.screen.query_one(RowList).plain.splitlines()
                assert first.strip(), key
                assert "Nothing" not in first, key
                await user.press("escape")


def test_every_pane_can_be_explained() -> None:
    assert {*TABS, "welcome", "switches", "why"} == set(PANES)


async def test_the_hint_is_shown_once(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    async with running(roo_shop_at(tmp_path), (80, 30), memory=memory) as user:
        hint = user.app.main.query_one(Hint)
        assert hint.plain.startswith("? explains what is under the cursor   space folds")
        assert hint.plain.endswith("esc hides this line")
        user.app.main.confirm(False)
        assert hint.plain == "", "a kept frame has none"
        await user.press("escape")
        assert not user.app.main.query(Hint)
    async with running(scenario_of(tmp_path), memory=Memory(tmp_path / "state")) as user:
        assert not user.app.main.query(Hint)
