"""AGENTS.md and .rooignore: which file counts, and what is said of one that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.roo.gather.rules import find_agent_files, find_rooignore
from promptscope_engine.workspace import Workspace


def workspace(root: Path) -> Workspace:
    made = Workspace()
    made.allow([str(root)])
    return made


@pytest.mark.parametrize(("target", "text"), [("docs", "first"), ("docs/b.md", "second"), ("nowhere", "")])
def test_a_link_stands_for_a_file_or_for_the_first_file_of_a_directory(tmp_path: Path, target: str, text: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("first\n")
    (tmp_path / "docs/b.md").write_text("second\n")
    (tmp_path / "AGENTS.md").symlink_to(target)
    agents, agent = find_agent_files(workspace(tmp_path), str(tmp_path)).value
    assert (agents.name, agents.text, agent.name, agent.text) == ("AGENTS.md", text, "AGENT.md", "")


@pytest.mark.parametrize(("what", "codes"), [("missing", []), ("directory", []), ("text", []), ("loop", ["file-loop"])])
def test_only_a_file_that_is_there_and_cannot_be_read_is_told(tmp_path: Path, what: str, codes: list[str]) -> None:
    for name in ("AGENTS.md", ".rooignore"):
        place = tmp_path / name
        if what == "directory":
            place.mkdir()
        elif what == "text":
            place.write_text("x")
        elif what == "loop":
            place.symlink_to(name)
    assert [d.code for d in find_agent_files(workspace(tmp_path), str(tmp_path)).diagnostics] == codes
    told = find_rooignore(workspace(tmp_path), str(tmp_path)).diagnostics
    assert [d.code for d in told] == codes
    assert not any("Roo would read it" in d.message for d in told)
