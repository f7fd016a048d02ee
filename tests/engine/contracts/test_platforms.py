"""The agents' folders follow the platform, and what is in them is read. The disks are pretended."""

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
        ("claude-code", "win32", "/C:/Program Files/ClaudeCode/CLAUDE.md", "A quetzal.\n"),
        ("gemini", "linux", "/etc/gemini-cli/settings.json", TEAM),
        ("gemini", "darwin", "/Library/Application Support/GeminiCli/settings.json", TEAM),
        ("gemini", "win32", "/C:/ProgramData/gemini-cli/settings.json", TEAM),
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


class Folding(Moved):
    """A disk to which `claude.md` and `CLAUDE.md` are one name, as those of macOS and Windows."""

    def at(self, path: str) -> str:
        found = self.root
        for part in path.strip("/").split("/"):
            names = [each.name for each in found.iterdir()] if found.is_dir() else []
            found /= next((name for name in names if name.lower() == part.lower()), part)
        return str(found)


@pytest.mark.parametrize("is_folding", [False, True])
@pytest.mark.parametrize(
    ("agent", "name", "written"),
    [
        ("claude-code", "CLAUDE.md", "claude.md"),
        ("codex", "AGENTS.md", "agents.md"),
        ("gemini", "GEMINI.md", "Gemini.md"),
        ("openclaw", "SOUL.md", "soul.md"),
        ("roo", "AGENTS.md", "Agents.md"),
        ("opencode", "AGENTS.md", "agents.md"),
        ("claude-code", ".claude/skills/bird/SKILL.md", ".claude/skills/bird/skill.md"),
    ],
)
def test_a_name_in_other_letters_is_found_where_the_disk_finds_it(
    tmp_path: Path, agent: str, name: str, written: str, is_folding: bool
) -> None:
    file = tmp_path / "work" / written
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: bird\ndescription: The quetzal.\n---\nA quetzal.\n")
    (tmp_path / "home/ada").mkdir(parents=True)
    disk = (Folding if is_folding else Moved)(tmp_path)
    trusts = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}
    scenario = Scenario(agent=agent, workspace="/work", home="/home/ada", env=trusts)
    assembly = assemble(scenario, Workspace(disk), cached_only=True)
    rows = {file.path.removeprefix("/work/"): file.present for file in assembly.files}
    assert rows.get(name, False) == is_folding
    assert rows.get(written) == (None if is_folding else False)


@pytest.mark.parametrize(
    ("agent", "env", "found"),
    [
        ("claude-code", {}, ("C/work/shop/CLAUDE.md", "C/work/CLAUDE.md", "C/Users/ada/.claude/CLAUDE.md")),
        ("claude-code", {"CLAUDE_CONFIG_DIR": r"D:\claude"}, ("D/claude/CLAUDE.md",)),
        ("codex", {}, ("C/work/shop/AGENTS.md", "C/Users/ada/.codex/AGENTS.md")),
        ("codex", {"CODEX_HOME": r"D:\codex"}, ("D/codex/AGENTS.md",)),
        ("copilot", {"COPILOT_MODEL": "gpt-5.2"}, ("C/work/shop/.github/copilot-instructions.md",)),
        ("gemini", {"GEMINI_CLI_TRUST_WORKSPACE": "true"}, ("C/work/shop/GEMINI.md", "C/Users/ada/.gemini/GEMINI.md")),
        ("openclaw", {"OPENCLAW_STATE_DIR": r"D:\claw"}, ("C/work/shop/SOUL.md",)),
        ("opencode", {}, ("C/work/shop/AGENTS.md", "C/Users/ada/.config/opencode/AGENTS.md")),
        ("roo", {}, ("C/work/shop/AGENTS.md", "C/Users/ada/.roo/rules/bird.md")),
    ],
)
def test_files_are_found_on_the_drives_of_windows(
    drives: Path, agent: str, env: dict[str, str], found: tuple[str, ...]
) -> None:
    for place in found:
        file = drives / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"A quetzal of {place}.\n")
    scenario = Scenario(agent=agent, workspace=r"C:\work\shop", home=r"C:\Users\ada", env=env)
    assembly = assemble(scenario, Workspace(), cached_only=True)
    text = "".join(section.text for section in assembly.sections if section.present)
    rows = {file.real_path for file in assembly.files if file.present}
    for place in found:
        assert f"/{place.replace('/', ':/', 1)}" in rows
        assert f"A quetzal of {place}." in text
