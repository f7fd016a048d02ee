"""Where the extra is not installed, the tests of the protocol say so."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


@pytest.fixture(autouse=True, scope="session")
def _protocol() -> None:
    if find_spec("mcp") is None:
        pytest.skip("the package mcp is not installed: uv run --group mcp pytest -m mcp")
