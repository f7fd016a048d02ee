"""The client that is asked, and the person whose things it must not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.client import client_in, poison


@pytest.fixture
def client(tmp_path: Path) -> Path:
    return client_in(tmp_path)


@pytest.fixture
def poisoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return poison(tmp_path, monkeypatch)
