"""Stretches of text that are in more than one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .prompts import section

if TYPE_CHECKING:
    from .conftest import Project


def test_an_id_that_tells_nothing_is_credited_as_recorded(project: Project) -> None:
    found = section(project.assemble("2.1.329", model="some-other-model"), "attribution")
    assert "Co-Authored-By: Claude Code <noreply@anthropic.com>" in found.text
    tools = project.assemble("2.1.100", model="some-other-model").tools
    assert "Co-Authored-By: Claude Opus 4.6 <" in next(tool for tool in tools if tool.name == "Bash").description
