"""Two assemblies held against each other."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine import Scenario, assemble
from promptscope_engine.insight.comparison import compare
from promptscope_engine.prompt.model import Assembly


def assembled(folder: Path, **files: str) -> Assembly:
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    return assemble(Scenario(agent="openclaw", workspace=str(folder), home=str(folder), env={}))


def test_only_what_differs_is_told_and_by_how_much(tmp_path: Path) -> None:
    before = assembled(tmp_path, SOUL="one\n", USER="kept\n", TOOLS="gone\n")
    (tmp_path / "TOOLS.md").unlink()
    after = assembled(tmp_path, SOUL="one\ntwo\n", AGENTS="new\n")
    found = {change.id.rpartition("/")[2]: change for change in compare(before, after)}
    soul = next(change for name, change in found.items() if "SOUL" in name)
    assert (soul.change, soul.unified()[2:]) == ("changed", (" one", "+two"))
    assert soul.tokens == 2
    assert not any("USER" in name for name in found)
    assert compare(after, assembled(tmp_path)) == ()


def test_what_came_or_went_counts_whole_and_what_is_not_counted_is_not_known(tmp_path: Path) -> None:
    scenario = Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), env={})
    without = assemble(scenario)
    (tmp_path / "AGENTS.md").write_text("one\ntwo\n")
    more, uncounted = assemble(scenario), assemble(scenario, cached_only=True)
    added = [change for change in compare(without, more) if change.change == "added"]
    removed = [change for change in compare(more, without) if change.change == "removed"]
    sizes = {s.id: s.expected_tokens or 0 for s in more.sections}
    assert added
    assert all(change.tokens == sizes[change.id] > 0 for change in added)
    assert {change.id: change.tokens for change in removed} == {change.id: -sizes[change.id] for change in added}
    (tmp_path / "AGENTS.md").write_text("another\n")
    counted = assemble(scenario)
    for before, after in ((uncounted, counted), (counted, uncounted)):
        assert {change.tokens for change in compare(before, after)} == {None}
