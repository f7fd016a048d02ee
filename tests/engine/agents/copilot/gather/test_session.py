"""Which model a provider is asked for, and whose .claude a start folder has, as Copilot CLI 1.0.102 takes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def refusals(tmp_path: Path, **more: Any) -> list[str]:
    found = assemble(frozen_scenario("copilot", tmp_path, model="gpt-5.4", **more)).diagnostics
    return [each.message for each in found if each.code == "agent-refuses"]


@pytest.mark.parametrize(
    ("args", "starts"),
    [
        ({"dynamicRetrieval": ["skills=on"]}, True),
        ({"dynamicRetrieval": ["skills=on", "mcp=off"]}, True),
        ({"dynamicRetrieval": ["skills=maybe"]}, False),
        ({"maxAiCredits": 30}, True),
        ({"maxAiCredits": 29}, False),
    ],
)
def test_options_that_it_does_not_take(tmp_path: Path, args: dict[str, Any], starts: bool) -> None:
    assert (refusals(tmp_path, params={"args": args}) == []) is starts


@pytest.mark.parametrize(
    ("name", "value", "starts"),
    [
        ("COPILOT_PROVIDER_TYPE", "anthropic", True),
        ("COPILOT_PROVIDER_TYPE", "other", False),
        ("COPILOT_PROVIDER_WIRE_API", "other", False),
        ("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "1000", True),
        ("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "0", False),
        ("COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", "many", False),
        ("COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", "", True),
    ],
)
def test_variables_of_a_provider_that_it_does_not_take(tmp_path: Path, name: str, value: str, starts: bool) -> None:
    assert (refusals(tmp_path, env={name: value}) == []) is starts


def test_the_sandbox_is_told_of(tmp_path: Path) -> None:
    def limits(on: object) -> str:
        path = tmp_path / "home/.copilot/settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"sandbox": {"enabled": on}}))
        more = {"home": str(tmp_path / "home"), "model": "gpt-5.4"}
        section = assemble(frozen_scenario("copilot", tmp_path, **more)).section("environment_limitations")
        return section.text if section else ""

    assert limits(on=True) != limits(on=False)
