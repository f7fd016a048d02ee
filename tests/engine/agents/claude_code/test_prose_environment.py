"""What the prompt says of the machine and the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import ENVIRONMENT
from .prompts import section

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize(
    ("version", "part", "name"),
    [
        ("2.1.100", "environment", "claude-sonnet-4-6[1m]"),
        ("2.1.329", "environment.model", "claude-sonnet-5-5"),
    ],
)
def test_only_the_older_version_names_the_model_with_its_suffix(
    project: Project, version: str, part: str, name: str
) -> None:
    found = section(project.assemble(version, model="sonnet[1m]"), part)
    assert f" is {name}." in found.text


@pytest.mark.parametrize(
    ("machine", "lines"),
    [
        ({}, ["Platform: linux", "Shell: bash", "OS Version: Linux 6.1.0"]),
        ({"platform": "darwin", "shell": "/opt/bin/fish"}, ["Platform: darwin", "Shell: bash (login shell: fish)"]),
        ({"shell": "/bin/zsh"}, ["Platform: linux", "Shell: zsh"]),
        ({"shell": ""}, ["Platform: linux", "Shell: bash"]),
    ],
)
def test_the_machine_and_the_day(project: Project, machine: dict[str, str], lines: list[str]) -> None:
    assembly = project.assemble(environment=ENVIRONMENT | machine)
    said = section(assembly, "environment.facts").text.split("\n")
    assert [line for line in said if line.removeprefix(" - ") in lines] == [f" - {line}" for line in lines]
    assert [each.text for each in section(assembly, "date").fragments if "2026" in each.text] == ["2026-11-20"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("bin/zsh", "zsh"),
        ("bash/5/bash5", "bash5"),
        ("zsh/fish", "fish"),
        ("none/zsh5", "zsh (login shell: zsh5)"),
        ("zsh", "zsh"),
        ("bin/fish/", "zsh (login shell: fish)"),
        ("", "zsh"),
    ],
)
def test_the_shell_that_a_variable_names(project: Project, path: str, shown: str) -> None:
    programs = ["bin/zsh", "bash/5/bash5", "zsh/fish", "bin/fish"]
    project.write({f"workspace/{name}": "" for name in programs})
    for name in programs:
        (project.root / "workspace" / name).chmod(0o755)
    env = {"SHELL": path, "PATH": str(project.root / "workspace/bin")}
    assembly = project.assemble(environment=ENVIRONMENT | {"shell": "/bin/ash"}, env=env)
    assert f" - Shell: {shown}\n" in section(assembly, "environment.facts").text


def test_another_shell_for_commands(project: Project) -> None:
    project.write({"workspace/zsh": ""})
    env = {"SHELL": "/bin/ash", "CLAUDE_CODE_SHELL": str(project.root / "workspace/zsh")}
    (project.root / "workspace/zsh").chmod(0o755)
    found = section(project.assemble(environment=ENVIRONMENT, env=env), "environment.facts").text
    assert " - Shell: zsh (login shell: ash)\n" in found
