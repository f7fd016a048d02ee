"""What the words of a task lead to: files of mentions, and what is said of them (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario
from promptscope_engine.agents.roo.gather.found import Found
from promptscope_engine.agents.roo.gather.task import find_task
from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.mentions import Expansion
from promptscope_engine.agents.roo.params import Editor
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.workspace import Workspace


def look(root: Path, words: str, **editor: Any) -> Found[Expansion]:
    for folder in ("w/docs", "home"):
        (root / folder).mkdir(parents=True)
    for name, text in {"a.ts": "one\ntwo\n", "docs/b.md": "b\n", "k.pem": "secret\n"}.items():
        (root / "w" / name).write_text(text)
    workspace = Workspace()
    workspace.allow([str(root / "w"), str(root / "home")])
    _, inputs = resolve(Scenario(agent="roo", workspace=str(root / "w"), home=str(root / "home")), workspace)
    return find_task(inputs, words, Editor(**editor), RooIgnore(inputs.workspace, "*.pem\n"), workspace)


@pytest.mark.parametrize(
    ("words", "limit", "listed"),
    [
        ("@/a.ts", -1, [("a.ts", "one\ntwo", False)]),
        ("@/a.ts", 2, [("a.ts", "one\ntwo", False)]),
        ("@/a.ts", 1, [("a.ts", "one", True)]),
        ("@/docs/ @/a.ts", -1, [("docs/b.md", "b", False), ("a.ts", "one\ntwo", False)]),
        ("@/k.pem", -1, [("k.pem", "", False)]),
        ("@/none @/docs @problems @terminal /init", -1, [("docs/b.md", "b", False)]),
    ],
)
def test_the_files_that_are_mentioned(
    tmp_path: Path, words: str, limit: int, listed: list[tuple[str, str, bool]]
) -> None:
    found = look(tmp_path, words, maxReadFileLine=limit)
    assert [(file.path, file.injected, file.truncated) for file in found.files] == listed
    assert found.diagnostics == ()


def test_a_file_that_is_held_back_says_why(tmp_path: Path) -> None:
    [file] = look(tmp_path, "@/k.pem").files
    assert file.when.evaluate(Facts()).text == "`.rooignore` hides k.pem"


@pytest.mark.parametrize(("copied", "shown"), [(None, ""), ("$ ls\na.ts\n$", "$ ls\na.ts")])
def test_the_terminal_is_what_copying_gives(tmp_path: Path, copied: str | None, shown: str) -> None:
    [appended] = look(tmp_path, "@terminal", terminalText=copied).value.appended
    assert appended.spans[1].text == shown
    assert (appended.held_back is None) is (copied is not None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("(@/a.ts)", ["@/a.ts is not a mention: '(' comes before it, not a space"]),
        ("`@problems`", ["@problems is not a mention: '`' comes before it, not a space"]),
        ("x@/a.ts", []),
    ],
)
def test_what_only_looks_like_a_mention_is_told(tmp_path: Path, words: str, told: list[str]) -> None:
    assert [each.message for each in look(tmp_path, words).diagnostics] == told


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/x.txt").write_text("x")
    [said] = look(tmp_path, "@/../elsewhere/x.txt @/a.ts").diagnostics
    assert said.code == "file-outside"
