"""The definition in docs/definitions.md is one."""

from __future__ import annotations

import re
from pathlib import Path

from .places import made, put

DOCUMENT = (Path(__file__).parents[4] / "docs" / "definitions.md").read_text(encoding="utf-8")


def test_the_definition(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found is not None
    put(tmp_path, found[1], rules__always="Be brief.\n")
    texts = re.search(r"```text\n(=== sections.*?)```", DOCUMENT, re.DOTALL)
    assert texts is not None
    for name, text in re.findall(r"=== (\S+)\n(.*?)(?==== |$)", texts[1], re.DOTALL):
        (tmp_path / "workspace" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "workspace" / name).write_text(text, "utf-8")
    assembly = made(tmp_path)
    assert assembly.diagnostics == ()
    assert [tool.name for tool in assembly.tools if tool.present] == ["memory_search"]
    assert assembly.system_text == (
        "You help people who are in a hurry. Be warm.\n\n# Rules\n\nBe brief.\n\nSearch before you ask."
    )
    minimal = made(tmp_path, mode="minimal", params={"memory": False})
    assert [section.id for section in minimal.sections if not section.present] == ["memory"]
    assert minimal.system_text.startswith("You help people who are in a hurry. Be warm. Answer in one word.")
