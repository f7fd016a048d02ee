"""The README's moving picture is what its script records."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location

import pytest
from tests.tui.support.pictures import FOLDER, compare

pytestmark = pytest.mark.slow


async def test_it_shows_what_the_app_draws() -> None:
    spec = spec_from_file_location("record", FOLDER / "record.py")
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    picture: str = await script.recorded()
    assert "Save CLAUDE.md" in picture
    compare("moving", picture)
