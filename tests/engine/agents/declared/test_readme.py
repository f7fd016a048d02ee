"""The README's definition is one, and its table of keys is the model's."""

from __future__ import annotations

import re
from pathlib import Path

from promptscope_engine.agents.declared.definition import reference

from .places import made, put

README = (Path(__file__).parents[4] / "README.md").read_text(encoding="utf-8")


def test_the_table_of_keys() -> None:
    found = re.search(r"<!-- definition: [^\n]*-->\n(.*?)<!-- /definition -->", README, re.DOTALL)
    assert found is not None
    assert found[1] == reference()


def test_the_definition(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert found is not None
    put(tmp_path, found[1], rules__always="Be brief.\n")
    assembly = made(tmp_path)
    assert [(d.code, d.message) for d in assembly.diagnostics] == [("no-match", "`tools/*.json`: no file matches it")]
    assert assembly.system_text == (
        "You help people who are in a hurry. Be warm.\n\n# Rules\n\nBe brief.\n\nSearch before you ask."
    )
    minimal = made(tmp_path, mode="minimal", params={"memory": False})
    assert [section.id for section in minimal.sections if not section.present] == ["memory"]
