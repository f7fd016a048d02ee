"""What an assembly goes by beside the disk."""

from __future__ import annotations

from operator import is_
from pathlib import Path

from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, Counter, Workspace, assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.reuse import LastDrafts
from promptscope_engine.tokens.models import tokenizer_for_model


def test_another_workspace_does_not_take_what_was_drafted_last(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    kept, scenario = Workspace(), frozen_scenario("roo", tmp_path)
    known, counter = Knowledge(drafts=LastDrafts(kept)), Counter(tokenizer_for_model(None))

    def made(workspace: Workspace) -> Assembly:
        return assemble(scenario, workspace, counter, knowledge=known)

    before, other, after = made(kept), made(kept.snapshot()), made(kept)
    assert all(map(is_, before.sections, after.sections))
    assert not any(map(is_, before.sections, other.sections))
