"""Repositories in which a client is recorded and verified: the client is a small script."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.client import client_in, program

from .clients.client import Client
from .repositories import How, rows

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "roots").mkdir()
    monkeypatch.setattr(Client, "base", str(tmp_path / "roots"))


@pytest.mark.parametrize("interactive", [False, True])
def test_a_client_of_any_path_is_verified(tmp_path: Path, interactive: bool) -> None:
    told = 'import sys\nsys.argv.append("folder")\n'
    client = client_in(tmp_path)
    client.write_text(client.read_text().replace("import json", f"{told}import json", 1))
    ((kind, _, found),) = rows(["claude-code"], ["no repository"], How(interactive, learned=True, program=str(client)))
    assert (kind, found.failed) == ("no repository", "")
    assert found.characters > 1_000
    assert found.unexplained, "it is no Claude Code"


def test_a_client_that_sends_nothing_says_why(tmp_path: Path) -> None:
    client = program(tmp_path / "claude", "import sys\nsys.exit('no login here')\n")
    ((_, _, found),) = rows(["claude-code"], ["submodule"], How(program=str(client)))
    assert found.failed == "by itself: no login here"
