"""What a start goes by: trust, the `.env` file, the file in place of the system prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.engine.agents.gemini.conftest import SETTINGS, UNTRUSTED, Project, codes, loaded, rows

from promptscope_engine import Workspace
from promptscope_engine.agents.gemini.gather.start import is_vouched_for
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Verdict
from promptscope_engine.prompt.spans import joined

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
        ("true", {}, True), ("TRUE", {}, False), ("false", {"trusted": True}, False), ("", {"trusted": True}, True),
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


PLACES = ["workspace/.env", "workspace/.gemini/.env", ".env", ".gemini/.env", "home/.env", "home/.gemini/.env"]


@pytest.mark.parametrize(
    ("advanced", "counting"),
    [
        ({"ignoreLocalEnv": True}, ["home/.env", "home/.gemini/.env", "workspace/.gemini/.env", ".gemini/.env"]),
        ({"excludedEnvVars": [NAME]}, ["home/.gemini/.env", "workspace/.gemini/.env", ".gemini/.env"]),
        ({"excludedEnvVars": ["X"], "ignoreLocalEnv": False}, PLACES),
    ],
)
def test_settings_keep_files_from_setting_variables(
    project: Project, advanced: dict[str, object], counting: list[str]
) -> None:
    project.write({SETTINGS: json.dumps({"advanced": advanced})})
    for path in PLACES:
        project.write({path: f"{NAME}=0"})
        counts = path in counting
        assert values(project) == ({NAME: ("0", 1)} if counts else {}), path
        assert project.file(path, dialog=True).present is counts
        (project.root / path).unlink()


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


@pytest.mark.parametrize(("value", "refuses"), [("0", False), ("", False), ("False", False), ("nope.md", True)])
def test_an_override_that_is_off_or_missing(project: Project, value: str, refuses: bool) -> None:
    assembly = project.assemble(env={"GEMINI_SYSTEM_MD": value})
    assert ("agent-refuses" in codes(assembly)) is refuses
    assert bool(assembly.request.system) is not refuses


@pytest.mark.parametrize(
    ("value", "file", "why"),
    [
        ("0", None, None),
        ("0", "x", "`GEMINI_SYSTEM_MD` names no file"),
        ("1", "x", "`GEMINI_SYSTEM_MD` replaces the built-in prompt and the file was found"),
        ("1", None, "there is no such file"),
        ("1", "", "it cannot be read: directory"),
    ],
)
def test_the_row_of_the_file(project: Project, value: str, file: str | None, why: str | None) -> None:
    """`file` is what it holds; "": it is a folder."""
    path = "workspace/.gemini/system.md"
    if file is not None:
        project.write({path if file else f"{path}/x": "text"})
    found = project.gathered(env={"GEMINI_SYSTEM_MD": value})
    said = [draft.when.evaluate(found.facts).text for draft in found.files if draft.kind == "system-prompt-override"]
    assert said == ([] if why is None else [why])
    assert (found.refused is not None) is (value == "1" and file != "x")


def test_a_file_far_away_is_read_where_the_scenario_names_it(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    far = tmp_path_factory.mktemp("far") / "system.md"
    far.write_text("far")
    given = {"GEMINI_SYSTEM_MD": str(far), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    found = project.gathered(env=given)
    assert joined(found.materials.override.spans) == "far"
    project.write({"workspace/.env": f"GEMINI_SYSTEM_MD={far}"})
    found = project.gathered()
    assert joined(found.materials.override.spans) == ""
    assert [(each.code, each.path) for each in found.diagnostics if each.path == str(far)] == [("outside", str(far))]
    assert found.refused is None


@pytest.mark.parametrize(("value", "starts"), [("true", False), ("TRUE", True), ("1", True), ("", True)])
def test_restricted_mode_trusts_no_folder(project: Project, value: str, starts: bool) -> None:
    """It goes before the variable that trusts the folder, and takes just one word."""
    assert ("agent-refuses" not in codes(project.assemble(env={"GEMINI_RESTRICTED_MODE": value}))) is starts


@pytest.mark.parametrize(
    ("env", "path", "trusted"),
    [
        ({}, "home/.gemini/trustedFolders.json", True),
        ({"GEMINI_CLI_TRUSTED_FOLDERS_PATH": "R/own.json"}, "own.json", True),
        ({"GEMINI_CLI_TRUSTED_FOLDERS_PATH": "R/own.json"}, "home/.gemini/trustedFolders.json", False),
        ({"SANDBOX": "sandbox-exec"}, "home/.cache/.gemini/trustedFolders.json", True),
        ({"SANDBOX": "sandbox-exec"}, "home/.gemini/trustedFolders.json", False),
    ],
)
def test_where_the_list_of_trusted_folders_is(project: Project, env: dict[str, str], path: str, trusted: bool) -> None:
    project.write({path: json.dumps({project.cwd: "TRUST_FOLDER"})})
    env = {name: value.replace("R", str(project.root), 1) for name, value in env.items()}
    found = project.gathered(env={"GEMINI_CLI_TRUST_WORKSPACE": "", **env})
    assert found.materials.gates["trusted"].holds(found.facts) is trusted
