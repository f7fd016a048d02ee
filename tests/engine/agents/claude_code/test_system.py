"""The sections of the system prompt: what they take from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .prompts import section

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329"])
def test_prompts_of_the_command_line_are_sent_as_they_stand(project: Project, version: str) -> None:
    given = {"systemPrompt": "You are mine. ", "appendSystemPrompt": "Be brief.\n"}
    assembly = project.assemble(version, params={"args": given})
    assert section(assembly, "system_prompt").text.strip("\n") == "You are mine. "
    assert section(assembly, "append").text.strip("\n") == "Be brief."
