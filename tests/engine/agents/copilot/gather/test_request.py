"""What the message of a session comes to: files and folders that it names, as Copilot CLI 1.0.102 lists them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble

TAGGED = """see @src/a.txt and @src/b.md, @src and @none.txt (@AGENTS.md)



<tagged_files>
* {0}/src/a.txt (3 lines)
* {0}/src/b.md (2 lines)
* {0}/src (2 items)
</tagged_files>"""


@pytest.mark.parametrize("entry", ["interactive", "prompt"])
def test_a_session_lists_what_its_message_names(tmp_path: Path, entry: str) -> None:
    workspace = tmp_path / "workspace"
    (workspace / "src").mkdir(parents=True)
    for name, text in {"src/a.txt": "one\ntwo\n", "src/b.md": "b\n", "AGENTS.md": "Be brief.\n"}.items():
        (workspace / name).write_text(text)
    typed = TAGGED.partition("\n")[0]
    scenario = frozen_scenario("copilot", tmp_path, model="gpt-5.4", params={"prompt": typed, "entry": entry})
    (prompt,) = (section for section in assemble(scenario).sections if section.id == "prompt")
    assert prompt.text == (TAGGED.format(workspace) if entry == "interactive" else typed)
