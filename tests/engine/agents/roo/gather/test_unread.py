"""What lies in or beside .roo and is not read has a row with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Scenario, assemble

READS = "in .roo, Roo reads the folders commands, rules and rules-<mode>"
FILES = "in .roo, Roo reads mcp.json and system-prompt-<mode>"


def why(place: Path, path: str) -> str:
    (place / "repo").mkdir()
    file = place / "repo" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x\n")
    values = {"agent": "roo", "workspace": str(place / "repo"), "home": str(place / "home")}
    return next(file.why.text for file in assemble(Scenario.model_validate(values)).files if file.path == path)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (".roo/rule/a.md", READS),
        (".roo/Rules/a.md", READS),
        (".roo/rules_code/a.md", READS),
        (".roo/command/a.md", READS),
        (".roo/MCP.json", FILES),
        (".roo/modes.json", FILES),
        (".roo/rules.md", "Roo reads the folder .roo/rules, not a file of that name"),
        (".roo/rules-code.md", "Roo reads the folder .roo/rules-code, not a file of that name"),
        (".roo/commands/a.txt", "only names that end in .md are commands"),
        (".roo/commands/sub/a.md", "only files of .roo/commands itself are commands"),
        (".roo/commands/a.md", "a command comes into the prompt where the task says /a"),
        (".Roo/rules/a.md", "only the name .roo counts (this is .Roo)"),
        (".clinerules/a.md", ".clinerules counts as a file"),
        (".roomodes.yaml", "only the name .roomodes counts (this is .roomodes.yaml)"),
        (".cursorrules", "Roo Code does not read .cursorrules"),
        ("AGENTS.override.md", "Roo Code has no AGENTS.override.md: it reads AGENTS.md at the workspace root"),
    ],
)
def test_a_file_that_roo_does_not_read(tmp_path: Path, path: str, reason: str) -> None:
    assert why(tmp_path, path) == f"absent: not read: {reason}"


def test_a_link_to_nowhere_among_the_commands(tmp_path: Path) -> None:
    commands = tmp_path / "repo/.roo/commands"
    commands.mkdir(parents=True)
    (commands / "a.md").symlink_to("none.md")
    values = {"agent": "roo", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    [row] = [file for file in assemble(Scenario.model_validate(values)).files if file.path == ".roo/commands/a.md"]
    assert row.why.text == "absent: not read: the link leads nowhere: there is no none.md"
