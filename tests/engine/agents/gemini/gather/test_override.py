"""The file of GEMINI_SYSTEM_MD: whether it is on, and there (specs/gemini.md 12)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
    codes,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("value", "refuses"), [("0", False), ("", False), ("False", False), ("nope.md", True)])
def test_an_override_that_is_off_or_missing(project: Project, value: str, refuses: bool) -> None:
    assembly = project.assemble(env={"GEMINI_SYSTEM_MD": value})
    assert ("agent-refuses" in codes(assembly)) is refuses
    assert bool(assembly.request.system) is not refuses
