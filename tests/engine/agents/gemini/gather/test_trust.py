"""Whether the workspace is trusted, and what said so (specs/gemini.md 13)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.engine.agents.gemini.conftest import (
    SETTINGS,
    UNTRUSTED,
    Project,
    loaded,
    rows,
)

from promptscope_engine import Workspace
from promptscope_engine.agents.gemini.gather.start import is_vouched_for
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Verdict

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("folders", "listed", "place"),
    [
        (None, False, None),
        ("{}", True, None),
        ('{\n "W": "DO_NOT_TRUST"\n}', True, 2),
        ('{\n\n "W": "TRUST_FOLDER"\n}', True, 3),
    ],
)
def test_the_list_of_trusted_folders_is_the_place_of_the_cause(
    project: Project, folders: str | None, listed: bool, place: int | None
) -> None:
    if folders is not None:
        project.write({"home/.gemini/trustedFolders.json": folders.replace("W", project.cwd)})
    project.write({"workspace/GEMINI.md": "w"})
    assert ("home/.gemini/trustedFolders.json" in rows(project, "settings", **UNTRUSTED)) is listed
    row = project.file("workspace/GEMINI.md", **UNTRUSTED)
    leaves = [row.why.condition]
    while any(leaf and leaf.children for leaf in leaves):
        leaves = [child for leaf in leaves if leaf for child in (leaf.children or (leaf,))]
    places = {leaf.source.line for leaf in leaves if leaf and leaf.source and "trusted" in str(leaf.source.path)}
    assert places == (set() if place is None else {place})


@pytest.mark.parametrize(
    ("folders", "trusted"),
    [
        ({"W": "TRUST_FOLDER", "R": "DO_NOT_TRUST"}, True),
        ({"R": "DO_NOT_TRUST", "W": "TRUST_FOLDER"}, True),
        ({"W/": "TRUST_FOLDER"}, True),
        ({"/": "TRUST_FOLDER"}, True),
        ({"W/a/b": "TRUST_PARENT"}, False),
        ({"R/x": "TRUST_PARENT"}, True),
        ({"/x": "TRUST_PARENT"}, True),
        ({"WX": "TRUST_FOLDER"}, False),
        ({"workspace": "TRUST_FOLDER"}, False),
        ({"W": "TRUST"}, False),
        ({"W": "DO_NOT_TRUST", "W/": "TRUST_FOLDER"}, False),
    ],
)
def test_the_longest_entry_that_speaks_of_a_folder_decides(
    project: Project, folders: dict[str, str], trusted: bool
) -> None:
    named = {key.replace("W", project.cwd).replace("R", str(project.root)): level for key, level in folders.items()}
    project.write({"home/.gemini/trustedFolders.json": json.dumps(named)})
    found = project.gathered(**UNTRUSTED)
    assert found.materials.gates["trusted"].holds(found.facts) is trusted


@pytest.mark.parametrize(
    ("said_by", "params", "vouched"),
    [
        ("true", {}, True), (" TRUE ", {}, True), ("false", {"trusted": True}, False), ("", {"trusted": True}, True),
        ("", {"trusted": False}, False), ("", {}, False), ("yes", {}, False), ("yes", {"trusted": True}, True),
    ],
)  # fmt: skip
def test_what_the_scenario_says_of_trust(
    project: Project, said_by: str, params: dict[str, bool], vouched: bool
) -> None:
    scenario = project.scenario(dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": said_by}, **params)
    assert is_vouched_for(resolve(scenario, Workspace())[1]) is vouched


@pytest.mark.parametrize(
    ("enabled", "trusted"), [(False, True), (True, False), ("false", True), (None, False), (0, False)]
)
def test_folders_may_all_be_trusted(project: Project, enabled: object, trusted: bool) -> None:
    project.write({SETTINGS: json.dumps({"security": {"folderTrust": {"enabled": enabled}}})})
    found = project.gathered(**UNTRUSTED)
    assert found.materials.gates["trusted"].holds(found.facts) is trusted


@pytest.mark.parametrize(
    ("folders", "trusted"),
    [
        ("{}", False),
        ('{"W": "TRUST_FOLDER"}', True),
        ('{"P": "TRUST_FOLDER"}', True),
        ('{"P": "TRUST_FOLDER", "W": "DO_NOT_TRUST"}', False),
        ('{"W/x": "TRUST_PARENT"}', True),
        ('{"W/x": "TRUST_FOLDER"}', False),
        ("[", False),
    ],
)
def test_the_list_of_trusted_folders(project: Project, folders: str, trusted: bool) -> None:
    text = folders.replace("W", project.cwd).replace('"P', f'"{project.root}')
    project.write({"home/.gemini/trustedFolders.json": text, "workspace/GEMINI.md": "p"})
    assembly = project.assemble(dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": ""})
    assert bool(loaded(assembly)) is trusted


def sentences(verdict: Verdict | None) -> Iterator[str]:
    """What a verdict and those below it say."""
    if verdict is not None:
        yield verdict.text
        for child in verdict.children:
            yield from sentences(child)


@pytest.mark.parametrize(
    ("folders", "why"),
    [
        ("{}", "trustedFolders.json does not name it"),
        ('{"W": "MAYBE"}', "trustedFolders.json does not name it"),
        ('{"/elsewhere": "DO_NOT_TRUST"}', "trustedFolders.json does not name it"),
        ('{"WX": "TRUST_FOLDER"}', "trustedFolders.json does not name it"),
        ('{"W": "DO_NOT_TRUST"}', "`W` is marked DO_NOT_TRUST"),
        ('{"W/": "DO_NOT_TRUST", "/": "TRUST_FOLDER"}', "`W/` is marked DO_NOT_TRUST"),
    ],
)
def test_why_a_folder_is_not_trusted(project: Project, folders: str, why: str) -> None:
    project.write({"home/.gemini/trustedFolders.json": folders.replace("W", project.cwd), "workspace/GEMINI.md": "p"})
    row = project.file("workspace/GEMINI.md", dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": ""})
    assert row.why.text == "absent: the folder is not trusted"
    assert why.replace("W", project.cwd) in sentences(row.why.condition)
    on = project.file("workspace/GEMINI.md", dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": ""}, trusted=True)
    assert on.why.text == "present: the folder is trusted and the file was found"
