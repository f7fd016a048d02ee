"""What could be saved, in rows, lines and the app."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.insight.costs import Saving, savings
from promptscope_engine.insight.effects import Effect
from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.cli import cli
from promptscope_tui.session.snapshot import ApplyLevers, GoTo
from promptscope_tui.text.spans import Row
from promptscope_tui.views.prompt.layout import BodyRow, Layout
from promptscope_tui.views.prompt.matches import Matches
from promptscope_tui.views.prompt.paint import Painter
from promptscope_tui.views.prompt.panels import Panels
from promptscope_tui.views.savings import rows as twice
from promptscope_tui.views.savings.rows import FoundSaving, leads_to, saving_rows, savings_rows
from promptscope_tui.views.subjects import FileSubject, ToolSubject

COUNTER = Counter(get_tokenizer("o200k_base"))
TWICE = (
    "Run the tests of every package that you touched before you commit, and say in the message that all of them pass, \
or which of them fail and why nothing is done about it now.\n"
)


@pytest.fixture
def found(tmp_path: Path) -> FoundSaving:
    (tmp_path / ".roo/rules").mkdir(parents=True)
    for name in ("a.md", "b.md"):
        (tmp_path / ".roo/rules" / name).write_text(TWICE)
    assembly = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}))
    repeats = find_repeats(assembly, COUNTER.count)
    return FoundSaving(assembly, savings(assembly, [], repeats), repeats, switches=False)


def text(rows: list[Row]) -> str:
    return "\n".join("".join(span.text for span in (*each.left, *each.right)) for each in rows)


def test_rows_name_what_goes_and_where_it_stands(found: FoundSaving) -> None:
    rows = savings_rows(found, 80)
    assert "… switches" in text(rows)
    passage = next(each for each in found.savings if each.kind == "passage" and "Run the tests" in each.title)
    assert [found.saving(row.key) for row in rows if row.key is not None] == list(found.savings)
    told = text(list(saving_rows(found, passage)))
    assert "2 times" in told
    assert ".roo/rules/a.md:1" in told
    assert ".roo/rules/b.md:1" in told


def test_a_switch_that_starts_another_kind_of_session_comes_last(found: FoundSaving) -> None:
    whole = found.assembly.tokens.expected
    assert whole
    effects = (Effect("bare", True, "on", -whole + 1), Effect("small", True, "on", -2))
    savings_with = replace(found, savings=savings(found.assembly, effects, found.repeats))
    told = text(savings_rows(savings_with, 80))
    assert told.index("small=on") < told.index("ANOTHER KIND OF SESSION") < told.index("bare=on")


def test_a_row_keeps_its_key_when_its_tokens_change(found: FoundSaving) -> None:
    keys = [row.key for row in savings_rows(found, 80) if row.key is not None]
    less = tuple(replace(each, tokens=n + 1) for n, each in enumerate(found.savings))[::-1]
    assert len(set(keys)) == len(keys)
    assert [row.key for row in savings_rows(replace(found, savings=less), 80) if row.key is not None] == keys[::-1]


def test_tools_that_are_sent_beside_the_prompt_are_listed(tmp_path: Path) -> None:
    asked = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path / "home"), env={})
    assembly = assemble(asked, counter=COUNTER)
    found = {each.id: each.tokens for each in savings(assembly, [], ()) if each.kind == "tool"}
    assert found == {tool.name: tool.expected_tokens for tool in assembly.tools_beside if tool.expected_tokens}
    assert "Bash" in found


def test_choosing_one_leads_to_it() -> None:
    assert leads_to(Saving("file", "x.md", "x.md", 3)) == GoTo("files", FileSubject("x.md"))
    assert leads_to(Saving("section", "rules", "RULES", 3)) == GoTo("prompt", "rules")
    assert leads_to(Saving("tool", "Read", "Read", 3)) == GoTo("tools", ToolSubject("Read"))
    assert leads_to(Saving("passage", "rules", "…", 3, line=4)) == GoTo("prompt", "rules", 5)
    intent = leads_to(Saving("switch", "mode=Ask", "mode=Ask", 3, "", "mode", "ask"))
    assert isinstance(intent, ApplyLevers)
    assert intent.levers[0].param == "mode"


def test_lines_tell_what_is_paid_twice(found: FoundSaving) -> None:
    paid = LiveCheck(COUNTER).paid_twice(found.assembly, Workspace())
    head, first, *_ = twice.summary(found.assembly, paid)
    (finding,) = paid.findings
    assert head == f"paid twice in your files: {finding.tokens} tok"
    assert first == f"  {finding.tokens} tok  {finding.message}"
    assert finding.message.startswith(".roo/rules/a.md is sent twice (by itself, and as .roo/rules/b.md)")
    assert not any("in your files" in line for line in twice.summary(found.assembly, replace(paid, findings=())))


def test_bullets_of_the_agents_lists_weigh_at_the_right_once_they_are_counted(found: FoundSaving) -> None:
    panels = Panels(found.assembly)
    layout = Layout(panels, {"rules"}, True, 100)
    rules = panels.by_id["rules"]
    assert len(rules.body.bullets) > 20
    y = next(
        y
        for y in range(layout.height)
        if isinstance(row := layout.row(y), BodyRow) and row.panel is rules and row.text.line in rules.body.bullets
    )
    plain = Painter(layout, Matches(panels, "", True)).paint(layout.row(y))
    known = {"rules": (57, *[1_234] * (len(rules.body.bullets) - 1))}
    weighed = Painter(layout, Matches(panels, "", True), weights=known).paint(layout.row(y))
    line = "".join(piece.text for piece in weighed.pieces)
    assert line.endswith(" ≈57")
    assert len(line) < 100
    assert weighed.text == plain.text  # what is copied stays the same
    narrow = Layout(panels, {"rules"}, True, 59)
    assert narrow.weights(rules) == 0
    assert layout.weights(rules) == Layout(panels, {"rules"}, True, 60).weights(rules) > 0


@pytest.mark.slow
def test_commands_list_savings_bullets_and_what_is_paid_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / ".roo/rules").mkdir(parents=True)
    for name in ("a.md", "b.md"):
        (tmp_path / ".roo/rules" / name).write_text(TWICE)

    def run(*args: str) -> str:
        result = CliRunner().invoke(cli, [*args, str(tmp_path), "--agent", "roo"])
        assert result.exit_code == 0, result.output
        return result.stdout

    listed = json.loads(run("tokens", "--savings", "--format", "json"))
    assert {each["kind"] for each in listed} == {"switch", "file", "section", "passage"}
    assert "settings.todoListEnabled=off" in run("tokens", "--savings")
    assert "rules:5" in run("tokens", "--bullets")
    plain = json.loads(run("tokens", "--format", "json"))
    rules = next(each for each in plain["sections"] if each["id"] == "rules")
    assert len(rules["bullets"]) > 20
    assert rules["bullets"][0]["tokens"] > 0
    assert plain["paid_twice"]["tokens"] > 0
    assert re.search(r"found in files:\n +\d+ tok  \.roo/rules/a\.md is sent twice", run("files"))
    files = {Path(each["path"]).name: each for each in json.loads(run("files", "--format", "json"))}
    assert len(files["a.md"]["paid_twice"][0]["copies"]) == 2
    assert [[each["rule"] for each in files[name]["findings"]] for name in ("a.md", "b.md")] == [["sent-twice"], []]
