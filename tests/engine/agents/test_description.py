"""What agents declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.description import Quirk, of_version
from promptscope_engine.agents.kit.text.sources import FolderError, Layer, laid_over
from promptscope_engine.agents.registry import load_agent


def test_a_row_is_of_the_versions_from_its_first_to_its_last() -> None:
    rows = [Quirk("a", "A", since="2"), Quirk("b", "B", until="2"), Quirk("c", "C", since="1", until="1")]
    known = ("1", "2", "3")
    assert ["".join(row.says for row in of_version(rows, version, known)) for version in known] == ["bc", "ab", "a"]


def test_what_is_laid_over_an_agent_changes_what_it_declares(tmp_path: Path) -> None:
    before = load_agent("codex").about
    (tmp_path / "agent.toml").write_text('id = "codex"\nmodel_form = "{provider}/{model}"\n')
    with laid_over(Layer("codex", "given", tmp_path)):
        assert load_agent("codex").about.model_form == "{provider}/{model}"
    assert load_agent("codex").about == before


def test_a_table_of_another_form_is_a_mistake_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "agent.toml").write_text('id = "codex"\nown_files = 3\n')
    with laid_over(Layer("codex", "given", tmp_path)), pytest.raises(FolderError, match=r"own_files"):
        load_agent("codex").about  # noqa: B018
