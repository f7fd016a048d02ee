"""Which model a provider is asked for, and whose .claude a start folder has, as Copilot CLI 1.0.102 takes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble

PROVIDER = {"COPILOT_PROVIDER_MODEL_ID": "claude-sonnet-5", "COPILOT_PROVIDER_WIRE_MODEL": "own"}


@pytest.mark.parametrize(
    ("model", "env", "wire", "edits"),
    [
        (None, PROVIDER, "own", "edit"),
        ("claude-sonnet-5", PROVIDER, "own", "edit"),
        ("gpt-5.4", PROVIDER, "gpt-5.4", "apply_patch"),
        ("gpt-5.4", {"COPILOT_PROVIDER_MODEL_ID": "claude-sonnet-5"}, "gpt-5.4", "edit"),
        ("gpt-5.4", {"COPILOT_PROVIDER_WIRE_MODEL": "own"}, "own", "apply_patch"),
    ],
)
def test_the_names_of_a_providers_model(
    tmp_path: Path, model: str | None, env: dict[str, str], wire: str, edits: str
) -> None:
    assembly = assemble(frozen_scenario("copilot", tmp_path, model=model, env=env))
    assert assembly.request["model"] == wire
    assert [tool.name for tool in assembly.tools if tool.present and tool.name in ("edit", "apply_patch")] == [edits]


@pytest.mark.parametrize("path", ["skills/own/SKILL.md", "commands/own.md", "agents/own.md"])
def test_the_claude_folder_of_the_home_folder_is_no_projects(tmp_path: Path, path: str) -> None:
    """Home is the start folder or a folder above it; of any other folder there it counts."""
    folder = tmp_path / "workspace"
    (folder / ".claude" / path).parent.mkdir(parents=True)
    (folder / ".claude" / path).write_text("---\nname: own\ndescription: does it\n---\nx\n")
    for home, counts in ((folder, False), (tmp_path / "home", True)):
        assembly = assemble(frozen_scenario("copilot", tmp_path, model="gpt-5.4", home=str(home)))
        listed = [file.path for file in assembly.files if file.present and file.path.endswith(path)]
        assert bool(listed) is counts
