"""What is in or beside .roo and is not read has a row with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.locked import LockedDisk
from tests.support.repository import write

from promptscope_engine import Scenario, assemble
from promptscope_engine.workspace import Workspace

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
        ("roo/rules/a.md", "only the name .roo counts (this is roo)"),
        ("roo/commands/a.md", "only the name .roo counts (this is roo)"),
        (".roo/roo/rules/a.md", ".roo/roo is one folder too deep"),
        (".roo/.roo/rules/a.md", ".roo/.roo is one folder too deep"),
        ("pkg/.roo/rules/a.md", "Roo Code 3.28.16 reads .roo/rules only at the workspace root and in the home folder"),
        ("roorules", "only the name .roorules counts (this is roorules)"),
        (".clinerules/a.md", ".clinerules counts as a file"),
        (".roomodes.yaml", "only the name .roomodes counts (this is .roomodes.yaml)"),
        (".cursorrules", "Roo Code does not read .cursorrules"),
        ("AGENTS.override.md", "Roo Code has no AGENTS.override.md: it reads AGENTS.md at the workspace root"),
    ],
)
def test_a_file_that_roo_does_not_read(tmp_path: Path, path: str, reason: str) -> None:
    assert why(tmp_path, path) == f"absent: not read: {reason}"


def test_at_home_an_agents_md_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"home/AGENTS.md": "x\n", "repo/a.md": "x\n"})
    values = {"agent": "roo", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    rows = {file.path: file.why.text for file in assemble(Scenario.model_validate(values)).files}
    only = "Roo Code 3.28.16 reads AGENTS.md only at the workspace root"
    assert rows[f"{tmp_path}/home/AGENTS.md"] == f"absent: not read: {only}"


def test_a_workspace_that_is_the_home_folder_has_its_agents_md(tmp_path: Path) -> None:
    write(tmp_path, {"AGENTS.md": "x\n"})
    values = {"agent": "roo", "workspace": str(tmp_path), "home": str(tmp_path)}
    files = assemble(Scenario.model_validate(values)).files
    assert [(file.path, file.present) for file in files if file.path.endswith("AGENTS.md")] == [("AGENTS.md", True)]


def test_a_folder_without_the_dot_may_hold_anything(tmp_path: Path) -> None:
    with pytest.raises(StopIteration):
        why(tmp_path, "roo/source.md")


def test_the_files_above_the_workspace_end_with_its_repository(tmp_path: Path) -> None:
    for path in ("over/.roo/rules/a.md", "over/repo/.roo/rules/a.md", "over/repo/AGENTS.md", "over/repo/.git/HEAD"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x\n")
    (tmp_path / "over/repo/sub").mkdir()
    values = {"agent": "roo", "workspace": str(tmp_path / "over/repo/sub"), "home": str(tmp_path / "home")}
    rows = {file.path: file.why.text for file in assemble(Scenario.model_validate(values)).files}
    reads = "absent: not read: Roo Code 3.28.16 reads"
    assert rows[f"{tmp_path}/over/repo/AGENTS.md"] == f"{reads} AGENTS.md only at the workspace root"
    where = ".roo/rules only at the workspace root and in the home folder"
    assert rows[f"{tmp_path}/over/repo/.roo/rules/a.md"] == f"{reads} {where}"
    assert f"{tmp_path}/over/.roo/rules/a.md" not in rows


def test_a_link_to_nowhere_among_the_commands(tmp_path: Path) -> None:
    commands = tmp_path / "repo/.roo/commands"
    commands.mkdir(parents=True)
    (commands / "a.md").symlink_to("none.md")
    values = {"agent": "roo", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    [row] = [file for file in assemble(Scenario.model_validate(values)).files if file.path == ".roo/commands/a.md"]
    assert row.why.text == "absent: not read: the link leads nowhere: there is no none.md"


def test_a_linked_folder_of_rules_that_is_read_has_no_row_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, {"repo/docs/start/a.md": "Count in cents.\n", "repo/.roo/rules/start": "-> ../../docs/start"})
    values = {"agent": "roo", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    rows = {file.path: file.present for file in assemble(Scenario.model_validate(values)).files}
    assert rows[str(tmp_path / "repo/docs/start/a.md")] is True
    assert ".roo/rules/start" not in rows


@pytest.mark.parametrize("folder", [".roo/rules", ".roo/rules/deep"])
def test_rules_in_a_folder_that_cannot_be_listed_are_lost_and_the_row_says_so(tmp_path: Path, folder: str) -> None:
    write(tmp_path, {"repo/.roo/rules/a.md": "Use tabs.\n", "repo/.roo/rules/deep/b.md": "Short names.\n"})
    values = {"agent": "roo", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home")}
    place = Workspace(LockedDisk(tmp_path / "repo" / folder))
    assembly = assemble(Scenario.model_validate(values), place)
    (row,) = [file for file in assembly.files if file.path == ".roo/rules" or file.path.endswith("/repo/.roo/rules")]
    assert not row.present
    assert f"{folder} cannot be listed (Permission denied)" in row.why.text
    assert "holds no file" not in " ".join(file.why.text for file in assembly.files)
