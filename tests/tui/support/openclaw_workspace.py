"""An OpenClaw workspace with one of everything: each bootstrap file, forty skills, a configuration with comments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from promptscope_engine.inputs.scenario import Scenario

from .roo_shop import ENVIRONMENT

CONFIG = """\
// What the assistant may do on this machine.
{
  agents: {
    defaults: {
      model: "anthropic/claude-opus-4-6",
      bootstrapMaxChars: 20000, /* a file */
      userTimezone: "Europe/Vienna",
      models: { "anthropic/claude-opus-4-6": { alias: "opus" } },
    },
  },
  tools: {
    deny: ["canvas", "group:automation"], // no schedules
    web: { search: { enabled: false } },
  },
  skills: {
    limits: { maxSkillsInPrompt: 30 },
    entries: { "skill-03": { enabled: false } },
  },
  commands: { ownerAllowFrom: ["+43 660 1234567"] },
}
"""

AGENTS_LINES = 600
"""50 characters each: a file of 30,000."""

_GATES: Mapping[int, str] = {
    5: 'metadata: {"openclaw": {"requires": {"bins": ["ffmpeg-of-another-machine"]}}}',
    6: 'metadata: {"openclaw": {"requires": {"env": ["WEATHER_KEY"]}}}',
    7: 'metadata: {"openclaw": {"os": ["darwin"]}}',
    8: 'metadata: {"openclaw": {"requires": {"config": ["channels.slack"]}}}',
    9: "disable-model-invocation: true",
}


def openclaw_workspace_at(folder: Path) -> Scenario:
    """A scenario on a workspace and a home made below `folder`."""
    den, home = folder / "den", folder / "home"
    write(den / "AGENTS.md", agents_text())
    write(den / "SOUL.md", "# Soul\n\nDry, kind, brief.\n")
    write(den / "TOOLS.md", "# Tools\n\nThe camera is called porch.\n")
    write(den / "IDENTITY.md", "# Identity\n\nName: Claws\n")
    write(den / "USER.md", "   \n")
    write(den / "HEARTBEAT.md", "- look at the inbox\n")
    write(den / "MEMORY.md", "# Memory\n\nAda likes tea.\n")
    for number in range(1, 41):
        skill(den, f"skill-{number:02}", f"Does the thing number {number}.", _GATES.get(number, ""))
    write(home / ".openclaw" / "openclaw.json", CONFIG)
    return den_scenario(folder)


def den_scenario(folder: Path, **more: object) -> Scenario:
    """The frozen scenario on the workspace below `folder`."""
    values = {
        "agent": "openclaw",
        "workspace": str(folder / "den"),
        "home": str(folder / "home"),
        "environment": {**ENVIRONMENT, "node": "v22.12.0"},
        "env": {},
        **more,
    }
    return Scenario.model_validate(values)


def agents_text() -> str:
    """AGENTS.md: numbered lines of 50 characters."""
    return "".join(
        f"Rule {number:03}: be careful with whatever you touch.".ljust(49) + "\n" for number in range(1, 601)
    )


def skill(den: Path, name: str, description: str, more: str = "", body: str = "Do it.\n") -> Path:
    """A skill of the workspace; `more` are further lines of its head."""
    head = f"---\nname: {name}\ndescription: {description}\n{more and more + chr(10)}---\n"
    return write(den / "skills" / name / "SKILL.md", head + body)


def write(path: Path, text: str) -> Path:
    """A file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
