"""The folders of the client, and the name that it gives a project (docs/agents/gemini.md#folders)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
    text_of,
)

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.gemini.gather.folders import find_places, slug_of
from promptscope_engine.assembly.resolve import resolve

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("files", "slug"),
    [
        ({}, "workspace"),
        ({"projects.json": {"W": "mine"}}, "mine"),
        ({"projects.json": {"W": "a/b"}}, "workspace"),
        ({"projects.json": {"W": ""}}, "workspace"),
        ({"projects.json": {"W": "mine"}, "tmp/mine/.project_root": "W"}, "mine"),
        ({"projects.json": {"W": "mine"}, "tmp/mine/.project_root": "/other"}, "workspace"),
        ({"projects.json": {"W": "mine"}, "history/mine/.project_root": "/other"}, "workspace"),
        ({"history/old/.project_root": "W"}, "old"),
        ({"tmp/workspace/.project_root": "/other"}, "workspace-1"),
        ({"tmp/workspace/.project_root": "/other", "history/workspace-1/.project_root": "/third"}, "workspace-2"),
        ({"projects.json": {"/other": "workspace", "/third": "workspace-1"}}, "workspace-2"),
        ({"projects.json": "["}, "workspace"),
    ],
)
def test_the_name_that_a_project_is_given(project: Project, files: dict[str, Any], slug: str) -> None:
    for name, value in files.items():
        text = json.dumps({"projects": value}) if isinstance(value, dict) else value
        project.write({f"home/.gemini/{name}": text.replace("W", project.cwd)})
    assert project.gathered().materials.temporary == f"{project.home}/.gemini/tmp/{slug}"


@pytest.mark.parametrize(
    ("path", "slug"), [("/a/My Project!", "my-project"), ("/a/--x__Y--", "x-y"), ("/a/中", "project"), ("/", "project")]
)
def test_the_name_of_a_project(path: str, slug: str) -> None:
    assert slug_of(path) == slug


def test_the_registry_may_give_a_project_another_name(project: Project) -> None:
    project.write({"home/.gemini/projects.json": json.dumps({"projects": {"/other": "workspace"}})})
    assert "/.gemini/tmp/workspace-1\n" in text_of(project.assemble(), "session")
    project.write({"home/.gemini/tmp/mine/.project_root": project.cwd})
    assert "/.gemini/tmp/mine\n" in text_of(project.assemble(), "session")


def test_another_home(project: Project) -> None:
    project.write({"elsewhere/.gemini/GEMINI.md": "g"})
    assembly = project.assemble(env={"GEMINI_CLI_HOME": f"{project.root}/elsewhere"})
    assert f"{project.root}/elsewhere/.gemini/GEMINI.md ---\ng\n" in text_of(assembly, "memory")


@pytest.mark.parametrize(
    ("path", "absolute"),
    [
        ("~", "{home}"), ("~/x", "{home}/x"), ("~x", "{cwd}/~x"), ("x", "{cwd}/x"), ("../x", "{root}/x"), ("/x", "/x"),
        (".", "{cwd}"),
    ],
)  # fmt: skip
def test_a_path_that_a_person_wrote(project: Project, path: str, absolute: str) -> None:
    workspace = Workspace()
    scenario = {"agent": "gemini", "workspace": project.cwd, "home": project.home, "env": {}}
    _, inputs = resolve(Scenario.model_validate(scenario), workspace)
    places = find_places(inputs, "s", workspace)
    wanted = absolute.format(home=project.home, cwd=project.cwd, root=project.root)
    assert places.absolute(path) == wanted


@pytest.mark.parametrize(
    ("path", "shown"),
    [("{cwd}/a/b", "a/b"), ("{home}/a", "~/a"), ("{root}/a", "{root}/a"), ("{cwd}", "{cwd}"), ("{cwd}x/a", "{cwd}x/a")],
)
def test_a_path_as_a_sentence_has_it(project: Project, path: str, shown: str) -> None:
    workspace = Workspace()
    scenario = {"agent": "gemini", "workspace": project.cwd, "home": project.home, "env": {}}
    _, inputs = resolve(Scenario.model_validate(scenario), workspace)
    named = {"home": project.home, "cwd": project.cwd, "root": str(project.root)}
    assert find_places(inputs, "s", workspace).shown(path.format(**named)) == shown.format(**named)


@pytest.mark.parametrize(("taken", "slug"), [(999, "workspace-999"), (1_000, "workspace")])
def test_a_thousand_names_are_tried(project: Project, taken: int, slug: str) -> None:
    names = ["workspace", *(f"workspace-{number}" for number in range(1, taken))]
    projects = {f"/project/{number}": name for number, name in enumerate(names)}
    project.write({"home/.gemini/projects.json": json.dumps({"projects": projects})})
    assert project.gathered().materials.temporary == f"{project.home}/.gemini/tmp/{slug}"


@pytest.mark.parametrize(
    ("sandbox", "folder"), [("", ".gemini"), ("docker", ".gemini"), ("sandbox-exec", ".cache/.gemini")]
)
def test_where_a_sandbox_keeps_what_is_temporary(project: Project, sandbox: str, folder: str) -> None:
    project.write({"home/.gemini/GEMINI.md": "g"})
    found = project.gathered(env={"SANDBOX": sandbox})
    assert found.materials.temporary == f"{project.home}/{folder}/tmp/workspace"
    assert [file.path for file in found.materials.placed("global")] == [f"{project.home}/.gemini/GEMINI.md"]
