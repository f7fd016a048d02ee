"""Files that a person may expect to count, and that are not read."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    MANIFEST,
    Project,
    said,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("count", "named"), [(19, 19), (20, 20), (21, 20)])
def test_of_the_policies_and_extensions_of_a_workspace_twenty_are_named(
    project: Project, count: int, named: int
) -> None:
    for number in range(count):
        project.write(
            {f"workspace/.gemini/policies/{number:02}.toml": "", f"workspace/.gemini/policies/{number:02}.md": ""}
        )
        project.write({f"workspace/.gemini/extensions/{number:02}/gemini-extension.json": ""})
    found = [path for path, _, _ in said(project, "file-not-read")]
    folder = "workspace/.gemini"
    assert found == [
        *(f"{folder}/policies/{number:02}.toml" for number in range(named)),
        *(f"{folder}/extensions/{number:02}/gemini-extension.json" for number in range(named)),
    ]


def test_in_the_home_folder_all_of_it_is_read(project: Project) -> None:
    project.write(
        {"home/.gemini/GEMINI.md": "g", "home/.gemini/policies/p.toml": "", MANIFEST.format("e"): '{"name": "e"}'}
    )
    assert said(project, "file-not-read", workspace=project.home) == []
