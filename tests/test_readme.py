"""What the README and docs/library.md show is what happens."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from shlex import split
from textwrap import indent

import pytest
from click.testing import CliRunner

from promptscope_tui.cli import cli
from promptscope_tui.session.folders import demo_folder

from .support.generated import ROOT, assert_current

LIBRARY = {"Scenario", "assemble", "effects", "compare", "check"}
README = (ROOT / "README.md").read_text(encoding="utf-8")

_ASKED = re.compile(r"^    \$ promptscope ([^\n]+)\n(?:(?:    [^\n]+)?\n)*?(?=[^ \n]|\Z)", re.MULTILINE)


LIBRARY_PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", LIBRARY_PAGE, re.MULTILINE | re.DOTALL)


def test_there_is_an_example_of_each() -> None:
    imports = (example.splitlines()[0].partition(" import ")[2] for example in EXAMPLES)
    assert {name for names in imports for name in names.split(", ")} == LIBRARY


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.splitlines()[0].rpartition(" ")[2])
def test_it_runs_as_written(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "tests" / "samples" / "shop", tmp_path / "shop")
    (tmp_path / "shop" / "CLAUDE.md").write_text("# Shop\n@docs/none.md\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "shop")
    monkeypatch.setenv("HOME", str(tmp_path))
    exec(compile(example, "docs/library.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "tokens" in printed or "CLAUDE.md:2: unresolved-import: docs/none.md is imported" in printed


@pytest.mark.slow
def test_the_questions_are_answered_as_the_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo_folder())
    monkeypatch.setenv("HOME", str(tmp_path))
    asked: list[str] = []

    def answered(question: re.Match[str]) -> str:
        asked.append(question[1])
        printed = CliRunner().invoke(cli, split(question[1]), env={"COLUMNS": "100"}).stdout
        return indent(f"$ promptscope {question[1]}\n{printed.strip()}", "    ") + "\n\n"

    text = _ASKED.sub(answered, README)
    assert len(asked) == 5
    assert_current("README.md", text)


def test_the_readme_is_read_in_one_go() -> None:
    assert len(README.splitlines()) <= 220
