"""What can be set: every environment variable that an agent's package names."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from promptscope_engine.agents.registry import load_agent

PREFIXES = {
    "claude-code": (
        "CLAUDE_",
        "ANTHROPIC_",
        "DISABLE_",
        "ENABLE_",
        "DO_NOT_",
        "SLASH_",
        "SHELL",
        "BASH_DEFAULT",
        "BASH_MAX_T",
        "IS_S",
    ),
    "openclaw": ("OPENCLAW_", "CLAWDBOT_", "SHELL"),
    "gemini": ("GEMINI_", "GOOGLE_GENAI_", "SANDBOX"),
}
PLACEHOLDERS = {"CLAUDE_EFFORT", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR", "CLAUDE_SESSION_ID", "CLAUDE_SKILL_DIR"}
"""What the text of a skill or command may hold as `${NAME}`: filled in, and not read from the environment."""
HANDED_ON = {"GEMINI_CLI"}
"""What an MCP server is given, and the agent itself does not read."""


KEYS = {
    "GEMINI_API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
}
"""A person's key: of it only whether it is set says something, and no value of it is shown."""
SERVICES = {"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"}
"""They choose where the request goes, and no text of it."""


def named(package: Path, prefixes: tuple[str, ...]) -> set[str]:
    """What looks like a variable of the agent in its modules, its conditions and its models, or as a switch."""
    agent = tomllib.loads((package / "agent.toml").read_text(encoding="utf-8"))
    heads = "".join(file.read_text(encoding="utf-8") for file in sorted(package.glob("bundled/**/*.md")))
    found = set(re.findall(r"(?m)^off_by: (\w+)$", heads))
    conditions = json.dumps(agent.get("gates", {}))
    found |= set(re.findall(r'(?:is_set|has|not_off|stays_on|own_host|sets_effort)\(\\"(\w+)\\"\)', conditions))
    models = package / "models.json"
    if models.is_file():
        found |= set(json.loads(models.read_text(encoding="utf-8")).get("redefined_by", {}).values())
    for module in package.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(text)) if text.startswith(prefixes) and text.replace("_", "").isalnum():
                    found.add(text)
    return {name for name in found if name.isupper()}


@pytest.mark.parametrize("agent", PREFIXES)
@pytest.mark.slow
def test_every_variable_that_is_read_can_be_set(agent: str) -> None:
    package = Path(str(files(f"promptscope_engine.agents.{agent.replace('-', '_')}")))
    assert {field.title for field in load_agent(agent).about.variables} == named(
        package, PREFIXES[agent]
    ) - PLACEHOLDERS - HANDED_ON - KEYS - SERVICES
