"""What `why` says of a file: also how the agent reads those of its kind."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.repository import write

from promptscope_tui.cli import cli

FILES = {
    "claude-code": ("CLAUDE.md", "one after another, in the order of the prompt"),
    "codex": ("AGENTS.md", "one after another, in the order of the prompt"),
    "copilot": ("AGENTS.md", "one after another; ordered by place"),
    "gemini": ("GEMINI.md", "side by side; ordered by place"),
    "openclaw": ("AGENTS.md", "one after another, in the order of the prompt"),
    "opencode": ("AGENTS.md", "side by side; ordered by place"),
    "roo": (".roo/rules/a.md", "side by side within a folder, folder after folder; ordered by name"),
}


@pytest.mark.parametrize("agent", FILES)
def test_how_an_instruction_file_is_read_beside_the_others(tmp_path: Path, agent: str) -> None:
    name, said = FILES[agent]
    write(tmp_path, {f"repo/{name}": "Use tabs.\n", "repo/.git/HEAD": "ref: refs/heads/main\n", "home/a": ""})
    place = ["--agent", agent, "--home", str(tmp_path / "home")]
    done = CliRunner().invoke(cli, ["why", name, str(tmp_path / "repo"), *place])
    assert f"files are read {said}" in done.stdout, done.output
