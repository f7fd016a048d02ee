"""The agents' folders follow the platform, and what is in them is read. The disk is pretended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.workspace.disk import Entry, RealDisk

ROO = "User/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml"
MODES = "customModes: [{slug: quetzal, name: Quetzal, roleDefinition: You are a quetzal., groups: [read]}]\n"
TEAM = '{"context": {"fileName": "QUETZAL.md"}}\n'


class Moved(RealDisk):
    """A disk whose root is a folder of this machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def at(self, path: str) -> str:
        return str(self.root / path.lstrip("/"))

    def lstat(self, path: str) -> os.stat_result:
        return super().lstat(self.at(path))

    def stat(self, path: str) -> os.stat_result:
        return super().stat(self.at(path))

    def read(self, path: str, limit: int) -> bytes:
        return super().read(self.at(path), limit)

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        return super().chunks(self.at(path), size)

    def scan(self, path: str) -> list[Entry]:
        return super().scan(self.at(path))

    def realpath(self, path: str) -> str:
        return path


@pytest.mark.parametrize(
    ("agent", "platform", "path", "text"),
    [
        ("roo", "linux", f"/home/ada/.config/Code/{ROO}", MODES),
        ("roo", "darwin", f"/home/ada/Library/Application Support/Code/{ROO}", MODES),
        ("roo", "win32", f"/home/ada/AppData/Roaming/Code/{ROO}", MODES),
        ("claude-code", "linux", "/etc/claude-code/CLAUDE.md", "A quetzal.\n"),
        ("claude-code", "darwin", "/Library/Application Support/ClaudeCode/CLAUDE.md", "A quetzal.\n"),
        ("claude-code", "win32", r"C:\Program Files\ClaudeCode/CLAUDE.md", "A quetzal.\n"),
        ("gemini", "linux", "/etc/gemini-cli/settings.json", TEAM),
        ("gemini", "darwin", "/Library/Application Support/GeminiCli/settings.json", TEAM),
        ("gemini", "win32", r"C:\ProgramData\gemini-cli/settings.json", TEAM),
        ("codex", "linux", "/etc/codex/config.toml", 'developer_instructions = "A quetzal."\n'),
        ("codex", "darwin", "/etc/codex/config.toml", 'developer_instructions = "A quetzal."\n'),
        ("openclaw", "darwin", "/home/ada/.openclaw/openclaw.json", '{"skills": {"quetzal": 1}}'),
    ],
)
def test_the_files_of_the_platform_are_read(tmp_path: Path, agent: str, platform: str, path: str, text: str) -> None:
    disk = Moved(tmp_path)
    for place, content in ((path, text), ("/home/ada/.gemini/QUETZAL.md", "The quetzal's rule.\n")):
        file = Path(disk.at(place))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    scenario = Scenario(
        agent=agent,
        workspace="/work",
        home="/home/ada",
        env={"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        environment={"platform": platform},  # type: ignore[arg-type]  # as a person writes it
    )
    assembly = assemble(scenario, Workspace(disk), cached_only=True)
    found = [file for file in assembly.files if file.real_path == path]
    assert [file.bytes for file in found] == [len(text)]
    if agent == "roo":
        assert "quetzal" in [mode.slug for mode in assembly.modes]
    elif agent != "openclaw":
        assert any("quetzal" in section.text for section in assembly.sections if section.present)
