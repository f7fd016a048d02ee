"""Where there is no browser, its tests say so."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from tests.tui.pictures.conftest import place

__all__ = ["place"]


@pytest.fixture(autouse=True, scope="session")
def _browser() -> None:
    if find_spec("aiohttp") is None or find_spec("textual_serve") is None:
        pytest.skip("textual-serve is not installed: uv run --group browser pytest -m browser")
    from .chromium import PROGRAM

    if PROGRAM is None:
        pytest.skip("there is no chromium on the PATH")
