"""A monorepo with GEMINI.md at three depths, imports and an extension: every row, in order, with its reason."""

from __future__ import annotations

from pathlib import Path

from tests.tui.support.apps import apps_at

from promptscope_engine import Workspace, assemble

from .conftest import COUNTER, codes


def test_every_row_of_a_monorepo(tmp_path: Path) -> None:
    assembly = assemble(apps_at(tmp_path), Workspace(), COUNTER, cached_only=True)
    rows = [
        (file.path.removeprefix(f"{tmp_path}/"), file.why.text)
        for file in assembly.files
        if file.kind in ("gemini-md", "import", "memory", "extension")
    ]
    trusted, found = "present: the folder is trusted and the file was found", "present: the file was found"
    assert rows == [
        ("home/.gemini/extensions/money/gemini-extension.json", "always present"),
        ("home/.gemini/AGENTS.md", "absent: no such file"),
        ("home/.gemini/GEMINI.md", found),
        ("home/.gemini/extensions/money/GEMINI.md", found),
        ("repo/Apps/GEMINI.md", trusted),
        ("repo/Apps/till/AGENTS.md", "absent: it holds only white space"),
        ("repo/Apps/till/GEMINI.md", trusted),
        ("repo/GEMINI.md", trusted),
        ("repo/docs/style.md", trusted),
        ("repo/docs/naming.md", trusted),
        ("home/.gemini/tmp/till/memory/MEMORY.md", "absent: no such file"),
    ]
    notes = codes(assembly)
    assert (notes["import-failed"].path, notes["import-failed"].line) == (f"{tmp_path}/repo/GEMINI.md", 3)
    assert notes["setting-without-effect"].line == 4
    assert {"core-tool-lost", "file-name-stays", "skills-without-tool"} <= notes.keys()
