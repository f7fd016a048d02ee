"""What the prompt says of the machine and the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
