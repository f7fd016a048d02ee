"""The switches of the sections (docs/agents/gemini.md#system-text)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
)

pytestmark = pytest.mark.slow


def test_every_switch_of_a_section_takes_it_away(project: Project) -> None:
    project.write({"workspace/.git/HEAD": "x"})
    names = [
        "PREAMBLE",
        "COREMANDATES",
        "AGENTCONTEXTS",
        "AGENTSKILLS",
        "HOOKCONTEXT",
        "PRIMARYWORKFLOWS",
        "OPERATIONALGUIDELINES",
        "GIT",
    ]
    off = {f"GEMINI_PROMPT_{name}": " False " for name in names}
    assert project.assemble(env=off).request.system[0]["text"] == ""
