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
