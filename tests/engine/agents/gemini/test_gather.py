"""What the files of the client come to, and what is said of those that are not in order (specs/gemini.md 7, 9-13)."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine.agents.gemini.gather.frontmatter import MAX_WEIGHT, HeadBudget, described, head_of
from promptscope_engine.agents.gemini.gather.trust import is_vouched_for
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.front_matter import MAX_CHARS
from promptscope_engine.workspace import FileText, Workspace

from .conftest import Project
from .test_sessions import AGENT, SKILL

pytestmark = pytest.mark.slow

SETTINGS = "home/.gemini/settings.json"
UNTRUSTED = {"dialog": True, "env": {"GEMINI_CLI_TRUST_WORKSPACE": ""}}
MANIFEST = "home/.gemini/extensions/{}/gemini-extension.json"


def said(project: Project, code: str, **given: Any) -> list[tuple[str | None, int | None, str]]:
    """(path relative to the root, line, message) of every diagnostic of a code."""
    found = [each for each in project.gathered(**given).diagnostics if each.code == code]
    return [(each.path and each.path.removeprefix(f"{project.root}/"), each.line, each.message) for each in found]


def rows(project: Project, kind: str, **given: Any) -> list[str]:
    """The rows of files of a kind, whether they count or not, relative to the root."""
    drafts = [draft for draft in project.gathered(**given).files if draft.kind == kind]
    return [draft.path.removeprefix(f"{project.root}/") for draft in drafts]


# --- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[]", 1, "settings are a JSON object"),
        ("\n\n{x", 3, "not valid JSON: "),
        ("{" + "x" * 300, 1, "not valid JSON: "),
    ],
)
def test_what_is_wrong_with_settings(project: Project, text: str, line: int, message: str) -> None:
    [(path, at, found)] = said(project.write({SETTINGS: text}), "bad-settings", dialog=True)
    assert (path, at, found[: len(message)]) == (SETTINGS, line, message)
    assert len(found) <= 200


@pytest.mark.parametrize(
    ("files", "listed"),
    [
        ({}, [SETTINGS, "workspace/.gemini/settings.json"]),
        (
            {"managed/settings.json": "{}", "managed/system-defaults.json": "{}"},
            ["managed/system-defaults.json", SETTINGS, "managed/settings.json", "workspace/.gemini/settings.json"],
        ),
        (
            {"managed/settings.json": "["},
            [SETTINGS, "managed/settings.json", "workspace/.gemini/settings.json"],
        ),
    ],
)
def test_the_settings_of_the_machine_have_a_row_where_they_are_there(
    project: Project, files: dict[str, str], listed: list[str]
) -> None:
    assert rows(project.write(files), "settings", dialog=True) == listed


def test_started_in_the_home_folder_there_is_one_settings_file(project: Project) -> None:
    assert rows(project, "settings", workspace=project.home) == [SETTINGS]


@pytest.mark.parametrize(("count", "cut"), [(999, False), (1_000, False), (1_001, True)])
def test_so_many_items_of_a_list_are_used(project: Project, count: int, cut: bool) -> None:
    names = [f"x{number}" for number in range(count - 1)]
    project.write({SETTINGS: json.dumps({"tools": {"allowed": [*names, "write_file"]}}, indent=1)})
    found = project.gathered()
    assert (("write_file",) in [rule.tools for rule in found.materials.policy.rules[:2_000]]) is not cut
    line = [(SETTINGS, 3, "only the first 1,000 items of `tools.allowed` are used")]
    assert said(project, "bad-settings") == (line if cut else [])


@pytest.mark.parametrize(
    ("values", "env", "found"),
    [
        ("$NAME", {"NAME": "a.md"}, "a.md"),
        ("${NAME}", {"NAME": "a.md"}, "a.md"),
        ("${NAME:-b.md}", {"NAME": "a.md"}, "a.md"),
        ("${NAME:-b.md}", {"NAME": ""}, "b.md"),
        ("${NAME:-b.md}", {}, "b.md"),
        ("x${NAME}.md", {"NAME": ""}, "x.md"),
        ("x${NAME}.md", {}, "x${NAME}.md"),
        ("x${NAME:-}.md", {}, "x.md"),
    ],
)
def test_variables_in_settings(project: Project, values: str, env: dict[str, str], found: str) -> None:
    project.write({SETTINGS: json.dumps({"context": {"fileName": [values]}})})
    assert project.gathered(env=env).materials.names[0] == found


def test_objects_of_settings_merge_and_servers_do_not(project: Project) -> None:
    server = {"trust": True, "includeTools": ["a"]}
    project.write({SETTINGS: json.dumps({"mcpServers": {"fx": server, "of": server}, "context": {"fileName": "A.md"}})})
    own = {"mcpServers": {"fx": {"includeTools": ["b"]}}, "context": {"includeDirectoryTree": False, "fileName": None}}
    project.write({"workspace/.gemini/settings.json": json.dumps(own)})
    servers = [{"name": name, "tools": [{"name": "a"}, {"name": "b"}]} for name in ("fx", "of")]
    found = project.gathered(mcp_servers=servers)
    offered = [tool.name for tool in found.materials.mcp_tools if tool.offered.holds(found.facts)]
    assert offered == ["mcp_fx_b", "mcp_of_a"]
    assert (found.materials.names[0], found.materials.trees) == ("A.md", ())


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


# --- trust, places --------------------------------------------------------------------------------------------------


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
    assert found.materials.gates.trusted.holds(found.facts) is trusted


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
    ("enabled", "trusted"), [(False, True), (True, False), ("false", False), (None, False), (0, False)]
)
def test_folders_may_all_be_trusted(project: Project, enabled: object, trusted: bool) -> None:
    project.write({SETTINGS: json.dumps({"security": {"folderTrust": {"enabled": enabled}}})})
    found = project.gathered(**UNTRUSTED)
    assert found.materials.gates.trusted.holds(found.facts) is trusted


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


# --- modes, models, folders -----------------------------------------------------------------------------------------


def derived(project: Project, param: str, **given: Any) -> list[tuple[object, str]]:
    """What an input comes to that nobody set, and why."""
    found = project.gathered(**given)
    return [(each.computed, each.because.evaluate(found.facts).text) for each in found.derived if each.param == param]


@pytest.mark.parametrize(
    ("general", "given", "reason"),
    [
        ({}, {}, ("default", "it is the mode of a session that names none")),
        ({"defaultApprovalMode": "auto_edit"}, {}, ("auto_edit", "`general.defaultApprovalMode` is auto_edit")),
        ({"defaultApprovalMode": "yolo"}, {}, ("default", "it is the mode of a session that names none")),
        ({"defaultApprovalMode": "auto_edit"}, {"mode": "plan"}, None),
        ({}, {"mode": "default"}, None),
        ({"plan": {"enabled": False}}, {"mode": "plan"}, ("default", "`general.plan.enabled` is off")),
        ({"plan": {"enabled": False}, "defaultApprovalMode": "plan"}, {}, ("default", "`general.plan.enabled` is off")),
        ({"plan": {"enabled": False}}, {"mode": "yolo"}, None),
        ({}, {**UNTRUSTED, "mode": "yolo"}, ("default", "the folder is not trusted")),
        ({"defaultApprovalMode": "auto_edit"}, UNTRUSTED, ("default", "the folder is not trusted")),
    ],
)
def test_what_decides_the_mode(
    project: Project, general: dict[str, Any], given: dict[str, Any], reason: tuple[str, str] | None
) -> None:
    project.write({SETTINGS: json.dumps({"general": general})})
    assert [(mode, text[: len(reason[1])]) for mode, text in derived(project, "mode", **given) if reason] == (
        [reason] if reason else []
    )
    assert bool(derived(project, "mode", **given)) is (reason is not None)


@pytest.mark.parametrize(
    ("settings", "given", "reason"),
    [
        ({}, {}, ("gemini-3.8-flash", "the model that `auto` asks first routes to flash")),
        ({}, {"model": "auto"}, ("gemini-3.8-flash", "the model that `auto` asks first routes to flash")),
        ({"model": {"name": "pro"}}, {}, ("gemini-3.1-pro-preview", "`model.name` is pro")),
        ({"model": {"name": "pro"}}, {"env": {"GEMINI_MODEL": "mine"}}, ("mine", "`env.GEMINI_MODEL` is mine")),
        ({"model": {"name": "pro"}}, {"model": "mine"}, None),
        ({"model": {"name": 5}}, {}, ("gemini-3.8-flash", "the model that `auto` asks first routes to flash")),
    ],
)
def test_what_decides_the_model(
    project: Project, settings: dict[str, Any], given: dict[str, Any], reason: tuple[str, str] | None
) -> None:
    project.write({SETTINGS: json.dumps(settings)})
    found = [(model, text.partition(" (in ")[0]) for model, text in derived(project, "model", **given)]
    assert found == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("configured", "plans"),
    [
        ({}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
        ({"e": "docs"}, "{cwd}/docs"),
        ({"e": ""}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
        ({"e": 5}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
        ({"d": "first", "e": "docs"}, "{cwd}/first"),
        ({"e": "."}, "{cwd}"),
        ({"e": "../workspace-2"}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
    ],
)
def test_the_folder_of_plans_of_an_extension(project: Project, configured: dict[str, Any], plans: str) -> None:
    for name, folder in configured.items():
        project.write({MANIFEST.format(name): json.dumps({"name": name, "plan": {"directory": folder}})})
    assert project.gathered().materials.plans == plans.format(home=project.home, cwd=project.cwd)
    [(folder, why)] = derived(project, "settings.general.plan.directory")
    named = next((name for name, folder in configured.items() if folder and folder != 5), None)
    assert (folder, why) == (
        plans.format(home=project.home, cwd=project.cwd),
        f"the extension {named} names it" if named else "it lies in the session's folder",
    )
    given = {"settings": {"general": {"plan": {"directory": "own"}}}}
    assert project.gathered(**given).materials.plans == f"{project.cwd}/own"


@pytest.mark.parametrize(("folders", "named"), [(9, 9), (10, 10), (11, 10)])
def test_folders_that_are_missing_keep_the_client_from_starting(project: Project, folders: int, named: int) -> None:
    found = project.gathered(args={"includeDirectories": [f"none{number}" for number in range(folders)]})
    assert found.refused is not None
    assert found.refused.message.startswith("the client refuses to start: ")
    assert found.refused.message.endswith(f" and {named - 3} more")


# --- extensions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why", "notes"),
    [
        (None, "there is no manifest", []),
        ("{}", "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ('{"name": ""}', "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ('{"name": 5}', "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ("[]", "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ("\n[", "the manifest cannot be used", [(2, "not valid JSON: ")]),
    ],
)
def test_an_extension_that_is_not_in_order(
    project: Project, text: str | None, why: str, notes: list[tuple[int, str]]
) -> None:
    project.write({"home/.gemini/extensions/e/x": ""} | ({} if text is None else {MANIFEST.format("e"): text}))
    assert project.file(MANIFEST.format("e")).why.text == f"absent: {why}"
    assert [(line, message[:60]) for _, line, message in said(project, "bad-extension")] == [
        (line, message if message.startswith("the") else f"{message}{rest}")
        for line, message in notes
        for rest in [said(project, "bad-extension")[0][2][len(message) : 60]]
    ]


@pytest.mark.parametrize(
    ("given", "config", "is_said"),
    [
        ({}, {"trust": True}, True),
        ({}, {"trust": False}, False),
        ({}, {"trust": "true"}, False),
        ({}, 5, False),
        ({"args": {"extensions": ["other"]}}, {"trust": True}, False),
        ({"args": {"extensions": ["E"]}}, {"trust": True}, True),
    ],
)
def test_trust_that_comes_with_an_extension_has_no_effect(
    project: Project, given: dict[str, Any], config: object, is_said: bool
) -> None:
    project.write({MANIFEST.format("e"): json.dumps({"name": "e", "mcpServers": {"fx": config}})})
    assert bool(said(project, "setting-without-effect", **given)) is is_said


@pytest.mark.parametrize(
    ("named", "read", "refused"),
    [
        (None, ["GEMINI.md"], []),
        ("a.md", ["a.md"], []),
        (["d/b.md", "a.md", "none.md", "d", "", 5], ["a.md", "d/b.md"], []),
        (["/etc/hostname"], [], ["/etc/hostname"]),
        (["../x.md", "d/../a.md", "..a.md"], ["..a.md"], ["../x.md", "d/../a.md"]),
        (5, [], []),
    ],
)
def test_the_context_files_of_an_extension(
    project: Project, named: object, read: list[str], refused: list[str]
) -> None:
    folder = "home/.gemini/extensions/e"
    project.write({f"{folder}/{name}": "x" for name in ("GEMINI.md", "a.md", "d/b.md", "..a.md", "../x.md")})
    project.write(
        {f"{folder}/gemini-extension.json": json.dumps({"name": "e"} | ({"contextFileName": named} if named else {}))}
    )
    found = [
        file.path.removeprefix(f"{project.root}/{folder}/") for file in project.gathered().materials.placed("extension")
    ]
    assert found == read
    text = "`contextFileName` may not leave the extension's folder: "
    assert [message for _, _, message in said(project, "bad-extension")] == [text + each for each in refused]


@pytest.mark.parametrize(
    ("asked", "active", "levers"),
    [
        (["e"], True, ["none"]), (["E", "f"], True, ["f"]), (["none"], False, ["e"]), (["f"], False, ["f", "e"]),
        ([], True, None), (None, True, None),
    ],
)  # fmt: skip
def test_extensions_that_the_command_line_names(
    project: Project, asked: list[str] | None, active: bool, levers: list[str] | None
) -> None:
    project.write({MANIFEST.format("e"): '{"name": "e"}'})
    row = project.file(MANIFEST.format("e"), args={"extensions": asked})
    assert row.present is active
    assert [lever.value for lever in row.why.levers] == ([] if levers is None else [levers])


@pytest.mark.parametrize(
    ("overrides", "active"),
    [
        (["!/*", "/*"], True), (["/*", "!/*"], False), (["!/*", 5], False), ("!/*", True), ([], True),
        (["!" + "/*" * 7], False), (["!" + "/*" * 8], True),
    ],
)  # fmt: skip
def test_the_last_override_that_fits_decides(project: Project, overrides: object, active: bool) -> None:
    project.write({MANIFEST.format("e"): '{"name": "e"}'})
    project.write({"home/.gemini/extensions/extension-enablement.json": json.dumps({"e": {"overrides": overrides}})})
    assert project.file(MANIFEST.format("e")).present is active


@pytest.mark.parametrize(("text", "listed"), [(None, False), ("{}", True), ("[]", True), ("[", True)])
def test_the_file_that_switches_extensions_has_a_row_where_it_is_there(
    project: Project, text: str | None, listed: bool
) -> None:
    path = "home/.gemini/extensions/extension-enablement.json"
    project.write({MANIFEST.format("e"): '{"name": "e"}'} | ({} if text is None else {path: text}))
    assert (path in rows(project, "settings")) is listed
    assert bool(said(project, "bad-extension")) is (text == "[")
    assert project.file(MANIFEST.format("e")).present


# --- skills, sub-agents ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "notes"),
    [
        (lambda path: path.write_text(SKILL.format("a", "d")), []),
        (lambda path: path.write_text("no head"), ["no skill: it does not begin with front matter"]),
        (
            lambda path: path.write_text("---\nname: a\n---\n"),
            ["no skill: its front matter has no name or no description"],
        ),
        (lambda path: path.symlink_to("nowhere"), []),
        (lambda path: path.mkdir(), []),
    ],
)
def test_what_is_said_of_a_skill(project: Project, make: Any, notes: list[str]) -> None:
    folder = project.root / "home/.gemini/skills/a"
    folder.mkdir(parents=True)
    make(folder / "SKILL.md")
    assert said(project, "bad-skill") == [("home/.gemini/skills/a/SKILL.md", 1, note) for note in notes]
    assert rows(project, "skill") == ["home/.gemini/skills/a/SKILL.md"]


def test_where_skills_are_looked_for(project: Project) -> None:
    names = ["SKILL.md", "b/SKILL.md", "b/c/SKILL.md", ".d/SKILL.md", "node_modules/SKILL.md", "e.md"]
    folders = ["home/.gemini/skills", "home/.agents/skills", "workspace/.gemini/skills", "workspace/.agents/skills"]
    project.write({f"{folder}/{name}": SKILL.format("x", "d") for folder in folders for name in names})
    assert rows(project, "skill") == [f"{folder}/{name}" for folder in folders for name in names[:2]]
    assert rows(project, "skill", workspace=project.home) == [f"{f}/{n}" for f in folders[:2] for n in names[:2]]


@pytest.mark.parametrize(
    ("disabled", "files", "lever"),
    [(["X"], None, []), (["y", "x"], None, ["y"]), (["y"], ["x"], None), (["x"], ["x"], None)],
)
def test_what_would_bring_a_disabled_skill_back(
    project: Project, disabled: list[str], files: list[str] | None, lever: list[str] | None
) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    if files:
        project.write({SETTINGS: json.dumps({"skills": {"disabled": files}})})
    row = project.file("home/.gemini/skills/x/SKILL.md", settings={"skills": {"disabled": disabled}})
    assert [each.value for each in row.why.levers] == ([] if lever is None else [lever])


@pytest.mark.parametrize(
    ("description", "line", "kind"),
    [("plain", 3, "file"), ("plain # no", 3, "file"), ('"a\\nb"', None, "computed"), ('"a\\tb"', None, "computed")],
)
def test_a_description_is_traced_to_its_line(project: Project, description: str, line: int | None, kind: str) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", description)})
    [skill] = [skill for skill in project.gathered().materials.skills if not skill.built_in]
    [(found, origin)] = [(piece.text, piece.origin) for piece in skill.pieces]
    assert (found, origin.start_line, origin.kind) == (
        description.partition(" #")[0].strip('"').encode().decode("unicode_escape"),
        line,
        kind,
    )


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("name: x\ndescription: a\n  b\n  c", ("x", "a b c")),
        ("name: x\ndescription: [a\n  b", ("x", "[a b")),
        ("name: x\n  y\ndescription: [a", ("x", "[a")),
        ("description: [a\n\n  b\nname: x", ("x", "[a")),
        ("description: [a\nname: x\n", ("x", "[a")),
        ("other: [\nname: x\ndescription:\n  a", ("x", "a")),
        ("  name: [x\ndescription: a\r\n b\r", ("[x", "a b")),
        ("name: [x", None),
        ("description: [x", None),
    ],
)
def test_a_head_that_is_no_yaml_is_read_line_by_line(head: str, found: tuple[str, str] | None) -> None:
    read = described(head, HeadBudget())
    assert (read and (read.name, read.description)) == found


def test_the_budget_of_heads_is_used_up_by_what_is_read() -> None:
    budget = HeadBudget(10)
    assert [budget.allows("x" * 7), budget.allows("x" * 4), budget.allows("x" * 3), budget.left] == [
        True,
        False,
        True,
        0,
    ]
    assert [budget.allows(""), budget.allows("x")] == [True, False]
    whole = HeadBudget()
    assert [whole.allows("x" * MAX_CHARS), whole.allows("x" * (MAX_CHARS + 1))] == [True, False]
    assert whole.left == MAX_WEIGHT - MAX_CHARS == 400_000 - MAX_CHARS
    unread = described("name: x\ndescription: 'a'", HeadBudget(0))
    assert unread is not None
    assert unread.description == "'a'"


@pytest.mark.parametrize(
    ("text", "head"),
    [("---\na\n---", "a"), ("---\r\na\r\n---\r\nb", "a"), ("---\n---", None), ("---\na", None), (" ---\na\n---", None)],
)
def test_where_a_head_stands(text: str, head: str | None) -> None:
    assert head_of(text) == head


REMOTE = "agent_card_url: https://x.test/card\n"


@pytest.mark.parametrize(
    ("head", "code", "message"),
    [
        (f"name: far\n{REMOTE}", "agent-not-fetched", "a remote sub-agent is described by its card, and nothing is"),
        (f"kind: remote\n{REMOTE}", "agent-not-fetched", "a remote sub-agent is described by its card, and nothing"),
        (f"- {REMOTE}- kind: remote\n  {REMOTE}", "agent-not-fetched", "a remote sub-agent is described by its card"),
        (f"- {REMOTE}- name: x\n", "bad-agent", "no sub-agent: its front matter holds no keys"),
        ("[]\n", "bad-agent", "no sub-agent: its front matter holds no keys"),
        (f"kind: local\n{REMOTE}", "bad-agent", "no sub-agent: its front matter has a key that is not known: agent_"),
        ("kind: remote\nagent_card_url: 5\n", "bad-agent", "no sub-agent: its front matter has a key that is not kn"),
        (f"{'k' * 300}: 1\n", "bad-agent", "no sub-agent: its front matter has a key that is not known: kkk"),
        (f"tools: [{'t' * 300}]\n", "bad-agent", "no sub-agent: `tools` names no tool: ttt"),
        ("a: [\n", "bad-agent", "no sub-agent: its front matter is no YAML: "),
        ("name: a\ndescription: ''\n", "bad-agent", "no sub-agent: there is no `description`"),
        ("description: d\n", "bad-agent", "no sub-agent: `name` takes small letters, digits, dashes and underscores"),
    ],
)
def test_what_is_said_of_a_sub_agent(project: Project, head: str, code: str, message: str) -> None:
    path = "home/.gemini/agents/far.md"
    project.write({path: f"---\n{head}---\n"})
    [(place, line, text)] = said(project, code)
    assert (place, line, text[: len(message)]) == (path, 1, message)
    assert len(text) <= 200 + len("no sub-agent: ")
    if "kkk" in message or "ttt" in message:
        assert len(text) == 200 + len("no sub-agent: ")


KEYS = [
    ("temperature: 0", True), ("temperature: -0.5", True), ("temperature: true", False), ("max_turns: 1", True),
    ("max_turns: 0", False), ("max_turns: -1", False), ("max_turns: 2.0", True), ("max_turns: 2.5", False),
    ("max_turns: true", False), ("tools: []", True), ("mcp_servers: []", False), ("display_name: 5", False),
    ("tools: [5]", False), ("tools: ['*', glob, search_file_content, save_memory, discovered_tool_x]", True),
    ("tools: [mcp_*, mcp_a_*, mcp_a_b, mcp_a_b_c]", True), ("tools: [mcp_a]", False), ("tools: [mcp_a_]", False),
    ("tools: [mcp_a___]", False), ("tools: [GlobTool]", False), ("kind: local", True), ("kind: far", False),
]  # fmt: skip


def test_what_the_keys_of_a_sub_agent_take(project: Project) -> None:
    for number, (further, _) in enumerate(KEYS):
        project.write({f"home/.gemini/agents/{number}.md": f"---\nname: a{number}\ndescription: d\n{further}\n---\n"})
    found = {agent.name for agent in project.gathered().materials.agents}
    assert [(further, f"a{number}" in found) for number, (further, _) in enumerate(KEYS)] == KEYS


def test_sub_agents_of_a_name_and_of_a_file_with_an_underscore(project: Project) -> None:
    project.write({"home/.gemini/agents/_a.md": AGENT.format("a"), "home/.gemini/agents/b.md": AGENT.format("b")})
    project.write(
        {
            "home/.gemini/agents/c.md": AGENT.format("b"),
            "home/.gemini/agents/d.md/x": "",
            "home/.gemini/agents/e.txt": "x",
        }
    )
    assert [agent.name for agent in project.gathered().materials.agents if not agent.built_in] == ["b"]
    assert rows(project, "agent") == [f"home/.gemini/agents/{name}.md" for name in ("_a", "b", "c")]
    assert project.file("home/.gemini/agents/c.md").why.text == "absent: another sub-agent is called b"
    assert said(project, "bad-agent") == []


def test_started_in_the_home_folder_its_sub_agents_have_to_be_acknowledged(project: Project) -> None:
    project.write({"home/.gemini/agents/a.md": AGENT.format("a")})
    assert rows(project, "agent", workspace=project.home) == ["home/.gemini/agents/a.md"]
    assert len(said(project, "agent-not-acknowledged", workspace=project.home)) == 1
    assert said(project, "agent-not-acknowledged") == []


@pytest.mark.parametrize(
    ("known", "acknowledged", "levers"),
    [
        (False, [], [("acknowledgedAgents", ["rev"])]),
        (False, ["x"], [("acknowledgedAgents", ["x", "rev"])]),
        (False, ["x", "rev"], []),
        (True, [], []),
        (True, ["rev"], []),
    ],
)
def test_what_acknowledges_a_sub_agent(
    project: Project, known: bool, acknowledged: list[str], levers: list[tuple[str, object]]
) -> None:
    text = AGENT.format("rev")
    project.write({"workspace/.gemini/agents/rev.md": text})
    if known:
        seen = {project.cwd: {"rev": sha256(text.encode()).hexdigest()}}
        project.write({"home/.gemini/acknowledgments/agents.json": json.dumps(seen)})
    row = project.file("workspace/.gemini/agents/rev.md", acknowledgedAgents=acknowledged)
    assert row.present is (known or "rev" in acknowledged)
    assert [(lever.param, lever.value) for lever in row.why.levers if lever.param == "acknowledgedAgents"] == levers


def test_nothing_is_said_of_sub_agents_that_do_not_count_anyway(project: Project) -> None:
    project.write({"workspace/.gemini/agents/rev.md": AGENT.format("rev")})
    assert said(project, "agent-not-acknowledged", **UNTRUSTED) == []
    assert said(project, "agent-not-acknowledged", settings={"experimental": {"enableAgents": False}}) == []


@pytest.mark.parametrize(
    ("overrides", "agents"),
    [
        ({}, ["codebase_investigator", "cli_help", "generalist"]),
        ({"browser_agent": {"enabled": True}}, ["codebase_investigator", "cli_help", "generalist", "browser_agent"]),
        ({"browser_agent": {"enabled": "true"}}, ["codebase_investigator", "cli_help", "generalist"]),
        ({"cli_help": {"enabled": False}, "generalist": 5}, ["codebase_investigator", "generalist"]),
    ],
)
def test_the_built_in_sub_agents(project: Project, overrides: dict[str, Any], agents: list[str]) -> None:
    project.write({SETTINGS: json.dumps({"agents": {"overrides": overrides}})})
    assert [agent.name for agent in project.gathered().materials.agents] == agents


def test_the_place_of_what_is_wrong_with_a_link_among_sub_agents(project: Project) -> None:
    project.write({"home/.gemini/agents/own.md": AGENT.format("own")})
    Path(project.home, ".gemini/agents/rev.md").symlink_to("own.md")
    place = ("home/.gemini/agents/rev.md", 1, "no sub-agent: the file is a link")
    assert said(project, "bad-agent") == [place]


# --- servers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "own", "tools"),
    [
        (None, {}, ["a", "b"]),
        (None, {"includeTools": ["a"]}, ["a"]),
        ({"excludeTools": ["a"]}, {"includeTools": ["a"]}, ["b"]),
        ({"includeTools": "a"}, {}, ["a", "b"]),
        ({"includeTools": [], "excludeTools": "b"}, {}, []),
        (5, {"includeTools": ["b"]}, ["a", "b"]),
    ],
)
def test_the_tools_that_a_servers_configuration_lets_through(
    project: Project, config: object, own: dict[str, Any], tools: list[str]
) -> None:
    if config is not None:
        project.write({SETTINGS: json.dumps({"mcpServers": {"fx": config}})})
    server = {"name": "fx", "config": own, "tools": [{"name": "a"}, {"name": "b"}]}
    found = project.gathered(mcp_servers=[server])
    assert [tool.own_name for tool in found.materials.mcp_tools if tool.offered.holds(found.facts)] == tools


@pytest.mark.parametrize(
    ("server", "given", "connects"),
    [
        ({}, {}, True),
        ({"status": "disconnected"}, {}, False),
        ({"status": "connecting"}, {}, False),
        ({"disabled": True}, {}, False),
        ({}, {"settings": {"mcp": {"allowed": []}}}, True),
        ({}, {"settings": {"mcp": {"allowed": ["fx"]}}}, True),
        ({}, {"settings": {"mcp": {"allowed": ["x"]}}}, False),
        ({}, {"settings": {"mcp": {"excluded": ["fx"]}}}, False),
        ({}, {"settings": {"mcp": {"excluded": ["x"]}}}, True),
        ({}, {"settings": {"mcp": {"allowed": ["fx"], "excluded": ["fx"]}}}, False),
        ({}, {"args": {"allowedMcpServerNames": []}, "settings": {"mcp": {"excluded": ["fx"]}}}, True),
        ({}, {"args": {"allowedMcpServerNames": ["x"]}}, False),
    ],
)
def test_which_servers_are_started(
    project: Project, server: dict[str, Any], given: dict[str, Any], connects: bool
) -> None:
    found = project.gathered(
        mcp_servers=[{"name": "fx", "instructions": "Ask.", "resources": [{"uri": "x"}], **server}], **given
    )
    [connected] = found.materials.servers or [None]
    assert (connected is not None) is connects
    assert not connected or (connected.instructions, connected.has_resources) == ("Ask.", True)
    assert found.materials.gates.resources.holds(found.facts) is connects


@pytest.mark.parametrize(
    ("tool", "schema", "description", "read_only"),
    [
        ({}, {"type": "object", "properties": {}}, "", False),
        ({"inputSchema": {"type": "object"}}, {"type": "object", "properties": {}}, "", False),
        ({"inputSchema": {"properties": 5}, "description": None}, {"properties": {}}, "", False),
        ({"inputSchema": {"properties": {"q": {}}}, "description": "d"}, {"properties": {"q": {}}}, "d", False),
        ({"annotations": {"readOnlyHint": True}}, {"type": "object", "properties": {}}, "", True),
        ({"annotations": {"readOnlyHint": "true"}}, {"type": "object", "properties": {}}, "", False),
        ({"annotations": [], "inputSchema": 5}, {"type": "object", "properties": {}}, "", False),
    ],
)
def test_a_tool_as_its_server_tells_of_it(
    project: Project, tool: dict[str, Any], schema: dict[str, Any], description: str, read_only: bool
) -> None:
    [found] = project.gathered(mcp_servers=[{"name": "fx", "tools": [{"name": "t", **tool}]}]).materials.mcp_tools
    assert (found.name, found.input_schema, found.description, found.read_only) == (
        "mcp_fx_t", schema, description, read_only,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "extension", "given", "named"),
    [
        ({}, {}, {}, None),
        ({"fx": {}}, {}, {}, "fx"),
        ({"fx": {}}, {"of": {}, "fx": 5}, {}, "of, fx"),
        ({}, {"of": 5}, {}, "of"),
        ({"fx": {}}, {}, UNTRUSTED, None),
        ({"fx": {}}, {}, {"mcp_servers": []}, None),
    ],
)
def test_servers_for_which_nothing_stands_in(
    project: Project, settings: dict[str, Any], extension: dict[str, Any], given: dict[str, Any], named: str | None
) -> None:
    project.write({SETTINGS: json.dumps({"mcpServers": settings})})
    project.write({MANIFEST.format("e"): json.dumps({"name": "e", "mcpServers": extension})})
    found = said(project, "mcp-not-connected", **{"mcp_servers": None, **given})
    assert [message.partition("; ")[0] for _, _, message in found] == (
        [f"MCP servers are configured: {', '.join(sorted(named.split(', '), key=lambda name: name != 'of'))}"]
        if named
        else []
    )


# --- the message ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("prompt = 5", 1, "it has no `prompt`"),
        ("\n\n[", 1, "no TOML: "),
        ("k" * 300 + " = [", 1, "no TOML: "),
    ],
)
def test_what_is_wrong_with_a_command(project: Project, text: str, line: int, message: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": text})
    [(path, at, found)] = said(project, "bad-command", prompt="/say")
    assert (path, at, found[: len(message)]) == ("workspace/.gemini/commands/say.toml", line, message)
    assert len(found) <= 200


@pytest.mark.parametrize(
    ("prompt", "sent"),
    [
        ("/say", "said"), ("/a:b", "nested"), ("/../say", "/../say"), ("/..:say", "/..:say"), ("/sa\0y", "/sa\0y"),
        ("/ext", "extended"), ("/none", "/none"), ("/ say", "/ say"), ("//say", "//say"), ("say", "say"),
    ],
)  # fmt: skip
def test_the_file_of_a_command(project: Project, prompt: str, sent: str) -> None:
    project.write(
        {"workspace/.gemini/commands/say.toml": 'prompt = "said"', "workspace/.gemini/say.toml": 'prompt = "no"'}
    )
    project.write({"workspace/.gemini/commands/a/b.toml": 'prompt = "nested"', MANIFEST.format("e"): '{"name": "e"}'})
    project.write({"home/.gemini/extensions/e/commands/ext.toml": 'prompt = "extended"'})
    found = project.gathered(prompt=prompt).materials.prompt
    assert "".join(piece.text for piece in found) == sent


@pytest.mark.parametrize(
    ("template", "prompt", "sent"),
    [
        ("a {{args}} b {{args}}", "/say x y ", "a x y b x y"),
        ("a {{args}}", "/say", "a "),
        ("a", "/say", "a"),
        ("a", "/say  x", "a\n\n/say  x"),
        ("{{args}}", "/say\tx\ny", "x\ny"),
    ],
)
def test_the_arguments_of_a_command(project: Project, template: str, prompt: str, sent: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": f"prompt = '{template}'"})
    assert "".join(piece.text for piece in project.gathered(prompt=prompt).materials.prompt) == sent


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("@a.md", ["a.md"]), ("@a.md,", ["a.md"]), ("(@a.md)", []), ("x@a.md", []), ("@a.md.", ["a.md"]),
        ("@a.md,b @b.md", ["b.md"]), ("@./a.md @a.md", ["./a.md"]), ("@d", []), ("@../out", []),
        ("@none @e.md", ["e.md"]),
        ("@c.md!", ["c.md!"]), ("@\0", []),
    ],
)  # fmt: skip
def test_the_files_that_a_prompt_names(project: Project, prompt: str, named: list[str]) -> None:
    project.write({f"workspace/{name}": "x" for name in ("a.md", "b.md", "c.md", "c.md!", "d/x")})
    project.write({"extra/e.md": "e", "out": "o"})
    given = {"prompt": prompt, "args": {"includeDirectories": ["../extra"]}}
    assert [mention.token for mention in project.gathered(**given).materials.mentions] == named


def test_an_empty_file_that_a_prompt_names_is_sent_empty(project: Project) -> None:
    project.write({"workspace/a.md": "", "workspace/b.md": "\nb"})
    found = project.gathered(prompt="@a.md @b.md").materials.mentions
    assert [[(piece.text, piece.origin.start_line) for piece in mention.pieces] for mention in found] == [
        [],
        [("\nb", 1)],
    ]


# --- what is not read -----------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(("lines", "cut"), [(99_999, False), (100_000, False), (100_001, True)])
def test_so_many_lines_of_an_ignore_file_count(project: Project, lines: int, cut: bool) -> None:
    project.write({"workspace/.geminiignore": "\n" * (lines - 1) + "x.log", "workspace/x.log": "x"})
    assert bool(said(project, "ignore-file")) is cut
    [tree] = project.gathered().materials.trees
    assert ("└───x.log" in tree.lines) is cut


def test_a_description_is_traced_to_the_first_line_that_holds_it() -> None:
    text = "---\nname: b\ndescription: a\n---\na\n"
    read = described("name: b\ndescription: a", HeadBudget())
    assert read is not None
    [piece] = read.pieces(FileText("/x", "/x", text=text))
    assert (piece.text, piece.origin.start_line) == ("a", 2)
