"""Where words are, in the prompt or outside of it."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.insight.mentions import Mention, mentions


def asked(folder: Path, words: str, agent: str = "claude-code") -> tuple[Mention, ...]:
    for name, text in {"CLAUDE.md": "Use tabs.\nBoxes\nare blue.\n", "home/x": ""}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    values = {"agent": agent, "workspace": str(folder), "home": str(folder / "home"), "env": {}}
    workspace = Workspace()
    return mentions(words, assemble(Scenario.model_validate(values), workspace, cached_only=True), workspace)


def test_words_of_a_file_have_its_line(tmp_path: Path) -> None:
    (found,) = asked(tmp_path, "Boxes are")
    assert (found.present, found.path, found.line) == (True, str(tmp_path / "CLAUDE.md"), 2)


def test_an_entry_of_a_list_counts_before_a_word(tmp_path: Path) -> None:
    (found,) = asked(tmp_path, "general", "opencode")
    assert found.where == "the tool task"
    assert found.text.startswith("- general:")


def test_what_is_in_the_prompt_hides_what_is_not(tmp_path: Path) -> None:
    assert {each.present for each in asked(tmp_path, "tabs")} == {True}


def test_too_few_letters_are_nowhere(tmp_path: Path) -> None:
    assert asked(tmp_path, "a") == asked(tmp_path, "  ") == ()
