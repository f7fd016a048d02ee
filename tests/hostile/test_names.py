"""Names that somebody made up: of files and folders, of modes, skills, agents, servers and tools."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from promptscope_tui.output.stdout import harmless

from .runs import AGENTS, hold, put, scenario, target

pytestmark = pytest.mark.slow

NAMES = {
    "newline": "a\nb",
    "return": "a\rb\ttab",
    "escape": "e\x1b[2J\x1b]0;t\x07",
    "c1": "c\x9b31m",
    "bidi": "gpj\u202egnp.exe\u2066",
    "invisible": "z\u200b\u2060\ufeff\u00ad",
    "tags": "t\U000e0041\U000e007f",
    "no UTF-8": os.fsdecode(b"bytes-\xff\xfe"),
    "half a pair": os.fsdecode(b"half-\xed\xa0\x80"),
    "long": "l" * 240,
    "combining": "e" + "\u0301" * 60,
    "emoji": "👩‍👩‍👧🏳️‍🌈",
    "spaces": " lead and trail ",
    "dash": "-rf --help",
    "shell": "$(id) `id` ;|&'\"",
    "template": "{{mode}} %s ${x} {0}",
    "markup": "<rule> & </system> ```",
    "glob": "[a-z]*{b,c}?!",
    "separators": "a\u2028b\u2029c\x85d",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_of_files_and_folders(place: Path, agent: str) -> None:
    """All in one place: beside each other they do no less harm."""
    head = "---\ndescription: It does.\n---\nBody.\n"
    for name in NAMES.values():
        for file in (f".roo/rules/{name}.md", f".roo/rules/{name}/{name}.md", f".roo/rules-{name[:200]}/a.md",
                     f".roo/commands/{name}.md", f".claude/rules/{name}.md", f".claude/rules/{name}/a.md",
                     f"src/{name}/{name}"):  # fmt: skip
            put(place, file, f"A rule.\n@{name}\n")
        for file in (f".claude/skills/{name}/SKILL.md", f".claude/agents/{name}.md", f".claude/commands/{name}.md",
                     f".claude/output-styles/{name}.md", f"skills/{name}/SKILL.md", f".agents/skills/{name}/SKILL.md",
                     f".gemini/skills/{name}/SKILL.md", f".gemini/agents/{name}.md"):  # fmt: skip
            put(place, file, head)
        link = target(place, f".roo/rules/link-{name[:200]}.md")
        link.symlink_to(name)
    assembly = hold(scenario(agent, place))
    shown = harmless("\n".join([*(f.path for f in assembly.files), *(d.message for d in assembly.diagnostics)]))
    assert not {"\x1b", "\x9b", "\u202e", "\r", "\u200b"} & set(shown)


@pytest.mark.parametrize("agent", AGENTS)
def test_of_modes_skills_servers_and_tools(place: Path, agent: str) -> None:
    modes, servers = [], []
    for number, name in enumerate(NAMES.values()):
        modes.append({"slug": f"x{number}", "name": name, "roleDefinition": name, "whenToUse": name, "groups": []})
        head = f"---\nname: {json.dumps(name)}\ndescription: {json.dumps(name)}\n---\n{name}\n"
        for folder in (".claude", ".gemini"):
            put(place, f"{folder}/agents/s{number}.md", head)
        for folder in ("skills", ".claude/skills", ".agents/skills", ".gemini/skills"):
            put(place, f"{folder}/s{number}/SKILL.md", head)
        put(place, f".claude/output-styles/s{number}.md", head)
        schema = {"type": "object", "properties": {name: {"title": name}}}
        tool = {"name": name, "description": name, "inputSchema": schema}
        servers.append(
            {"name": name, "instructions": name, "tools": [tool], "resources": [{"uri": name, "name": name}]}
        )
    started = {name: {"command": name, "args": [name]} for name in NAMES.values()}
    put(place, ".roomodes", json.dumps({"customModes": modes}))
    put(place, ".roo/mcp.json", json.dumps({"mcpServers": started}))
    put(place, ".mcp.json", json.dumps({"mcpServers": started}))
    for mode in [f"x{number}" for number in range(len(modes))] if agent == "roo" else [None]:
        hold(scenario(agent, place, mcp_servers=servers, mode=mode))


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", ["newline", "escape", "bidi", "no UTF-8", "spaces", "glob", "template", "markup"])
def test_of_the_workspace_itself(place: Path, agent: str, kind: str) -> None:
    odd = place / NAMES[kind]
    (odd / "workspace").mkdir(parents=True)
    for folder in ("home", "managed"):
        (odd / folder).mkdir()
    put(odd, "AGENTS.md", "Here.")
    hold(scenario(agent, odd))


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", ["newline", "escape", "c1", "bidi", "half a pair", "long"])
def test_of_everything_that_the_scenario_says(place: Path, agent: str, kind: str) -> None:
    name = NAMES[kind]
    env = {"PATH": name, "HOME": name, "SHELL": name, "USER": name, "LANG": name, "TZ": name}
    machine = {"os_name": name, "shell": name, "hostname": name, "timezone": name, "username": name, "language": name}
    asked = scenario(agent, place, model=name, reads=[name, f"/{name}"], env=env)
    hold(asked.model_copy(update={"environment": asked.environment.model_copy(update=machine)}))
