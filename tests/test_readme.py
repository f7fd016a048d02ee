"""The README's examples in Python, as they are written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY = {"Scenario", "assemble", "effects", "compare", "check"}


def examples() -> Iterator[str]:
    """The indented blocks that import the library."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines(keepends=True)
    for indented, block in groupby(lines, lambda line: line.startswith("    ") or not line.strip()):
        text = dedent("".join(block)).strip()
        if indented and text.startswith("from promptscope_engine import"):
            yield text


EXAMPLES = list(examples())


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
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "tokens" in printed or "CLAUDE.md:2: unresolved-import: docs/none.md is imported" in printed
