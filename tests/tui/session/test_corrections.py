"""Which texts of an agent may be copied and edited, and where the copies are."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import agents
from promptscope_engine.agents.kit.text.sources import Layer, laid_over
from promptscope_engine.agents.registry import load_agent
from promptscope_tui.session.corrections import correction_of

AGENTS = Path(agents.__file__).parent
RULES = AGENTS / "roo" / "sections" / "rules.md"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROMPTSCOPE_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


def test_a_copy_is_the_users_own_or_of_the_folder_that_was_given(config: Path, tmp_path: Path) -> None:
    roo = load_agent("roo")
    own = correction_of(RULES, roo)
    assert own is not None
    assert own.file == config / "agents" / "roo" / "sections" / "rules.md"
    (tmp_path / "roo").mkdir()
    with laid_over(Layer("roo", "given", tmp_path / "roo")):
        given = correction_of(RULES, roo)
    assert given is not None
    assert given.file == tmp_path / "roo" / "sections" / "rules.md"


def test_a_copy_that_is_there_stays() -> None:
    found = correction_of(RULES, load_agent("roo"))
    assert found is not None
    found.write()
    assert found.file.read_bytes() == RULES.read_bytes()
    found.file.write_text("Mine.\n")
    found.write()
    assert found.file.read_text() == "Mine.\n"
    assert [path.name for path in found.file.parent.iterdir()] == ["rules.md"]


def test_other_files_have_no_copy(tmp_path: Path) -> None:
    roo = load_agent("roo")
    for file in (AGENTS / "roo" / "agent.toml", AGENTS / "roo" / "agent.py", AGENTS / "roo" / "sections" / "none.md"):
        assert correction_of(file, roo) is None
    assert correction_of(RULES, load_agent("codex")) is None, "another agent's"
    assert correction_of(RULES, None) is None
    assert correction_of(tmp_path / "CLAUDE.md", roo) is None


def test_a_link_to_the_package_is_no_copy(config: Path) -> None:
    """Somebody who works on promptscope may have linked the folder."""
    (config / "agents").mkdir(parents=True)
    (config / "agents" / "roo").symlink_to(AGENTS / "roo")
    assert correction_of(RULES, load_agent("roo")) is None
