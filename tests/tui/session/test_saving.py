"""What a saved scenario holds of the environment."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from promptscope_engine.inputs.scenario import Scenario, load_scenario
from promptscope_tui.session.saving import save_scenario


@pytest.mark.parametrize("name", ["scenario.yaml", "scenario.json"])
def test_only_variables_that_matter_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("DISABLE_TELEMETRY", "1")
    env = {"API_KEY": "secret", "DISABLE_TELEMETRY": "1", "SET_HERE": "2"}
    path = save_scenario(Scenario(agent="claude-code", env=env), str(tmp_path / name))
    assert load_scenario(path).env == {"DISABLE_TELEMETRY": "1", "SET_HERE": "2"}


def test_a_scenario_without_variables_is_saved_without(tmp_path: Path) -> None:
    path = save_scenario(Scenario(agent="roo"), str(tmp_path / "scenario.yaml"))
    assert "env" not in path.read_text()


def test_a_full_disk_leaves_what_was_saved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_scenario(Scenario(agent="roo"), str(tmp_path / "scenario.yaml"))
    before = path.read_text()
    write = Path.write_text

    def full(self: Path, text: str, encoding: str) -> int:
        write(self, text[:5], encoding=encoding)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        save_scenario(Scenario(agent="openclaw"), str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["scenario.yaml"]
    assert path.read_text() == before
