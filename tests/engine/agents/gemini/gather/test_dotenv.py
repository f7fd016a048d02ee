"""The `.env` file: which one, which of its lines count, and what a value is."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
)

pytestmark = pytest.mark.slow

NAME = "GEMINI_SYSTEM_MD"


def values(project: Project, **env: str) -> dict[str, tuple[str, int | None]]:
    """What files set, with the line."""
    found = project.assemble(env=env, dialog=True).variables
    return {each.name: (each.value, each.source.line) for each in found if each.source.path}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", "x"),
        ("  x # y", "x"),
        ("x#y", "x"),
        ("", ""),
        ("#", ""),
        ("'x # y' z", "'x"),
        ('"a\\nb"', "a\nb"),
        ("'a\\nb'", "a\\nb"),
        ("`a\\nb`", "a\\nb"),
        ("''", ""),
        ('""', ""),
        ("'", "'"),
        ("'x", "'x"),
        ("'x\" # y", "'x\""),
        ("'a'b'", "a'b"),
        ("x'y'", "x'y'"),
    ],
)
def test_a_value(project: Project, text: str, value: str) -> None:
    project.write({"workspace/.env": f"# first\n{NAME}={text}\n"})
    assert values(project) == {NAME: (value, 2)}


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        (f"export {NAME}=0", True),
        (f"  {NAME} = 0  ", True),
        (f"export  {NAME}=0", True),
        (f"{NAME}", False),
        (f"# {NAME}=0", False),
        (f"X{NAME}=0", False),
        ("PATH=/bin", False),
        ("GEMINI_CLI_TRUST_WORKSPACE=true", False),
        ("GEMINI_CLI_HOME=/x", False),
    ],
)
def test_which_lines_count(project: Project, line: str, counts: bool) -> None:
    project.write({"workspace/.env": line})
    assert bool(values(project)) is counts
    assert project.file("workspace/.env", dialog=True).present is counts


def test_of_a_name_the_last_line_counts_and_the_process_wins(project: Project) -> None:
    project.write({"workspace/.env": f"{NAME}=0\n{NAME}=false\n"})
    assert values(project) == {NAME: ("false", 2)}
    assert values(project, **{NAME: "0"}) == {}


@pytest.mark.parametrize(("number", "is_read"), [(4_999, True), (5_000, True), (5_001, False)])
def test_so_many_lines_are_read(project: Project, number: int, is_read: bool) -> None:
    project.write({"workspace/.env": "\n" * (number - 1) + f"{NAME}=0"})
    assert values(project) == ({NAME: ("0", number)} if is_read else {})


def test_the_nearest_file_is_the_one(project: Project) -> None:
    files = ["home/.env", "home/.gemini/.env", "workspace/.env", "workspace/.gemini/.env"]
    for number, path in enumerate(files):
        project.write({path: f"{NAME}={'0' * (number + 1)}"})
        assert values(project) == {NAME: ("0" * (number + 1), 1)}, path


def test_in_a_folder_that_is_not_trusted_none_counts(project: Project) -> None:
    project.write({"workspace/.env": f"{NAME}=0"})
    assert values(project, GEMINI_CLI_TRUST_WORKSPACE="false") == {}
    row = project.file("workspace/.env", dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": "false"})
    assert not row.present


@pytest.mark.parametrize(
    ("variables", "line"), [("X=1\nGEMINI_SYSTEM_MD=0\nGEMINI_PROMPT_GIT=0", 3), ("GEMINI_PROMPT_GIT=0", 1)]
)
def test_a_switch_of_the_env_file_is_named_with_its_line(project: Project, variables: str, line: int) -> None:
    project.write({"workspace/.git/HEAD": "x", "workspace/.env": variables})
    section = project.assemble().section("git_repository") or project.assemble().section("git")
    assert section is not None
    assert f".env:{line}" in section.why.text
    on = project.assemble(env={"GEMINI_PROMPT_GIT": "0"}).section(section.id)
    assert on is not None
    assert ".env" not in on.why.text
