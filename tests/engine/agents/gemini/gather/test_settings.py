"""Settings files, and values that keep the client from starting."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import SETTINGS, UNTRUSTED, Project, codes, rows, said, text_of, tools_of

from promptscope_engine import Workspace
from promptscope_engine.agents.gemini.gather.gathering import roots
from promptscope_engine.agents.gemini.gather.settings import machine_files
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import Fact

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[]", 1, "settings are a JSON object"),
        ("\n\n{x", 3, "not valid JSON: "),
        ('\n{"a": NaN}', 1, "not valid JSON: NaN is not valid JSON"),
    ],
)
def test_what_is_wrong_with_settings(project: Project, text: str, line: int, message: str) -> None:
    [(path, at, found)] = said(project.write({SETTINGS: text}), "bad-settings", dialog=True)
    assert (path, at, found[: len(message)]) == (SETTINGS, line, message)


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
    own = {"mcpServers": {"fx": {"includeTools": ["b"]}}, "context": {"includeDirectoryTree": False}}
    project.write({"workspace/.gemini/settings.json": json.dumps(own)})
    servers = [{"name": name, "tools": [{"name": "a"}, {"name": "b"}]} for name in ("fx", "of")]
    found = project.gathered(mcp_servers=servers)
    offered = [tool.name for tool in found.materials.mcp_tools if tool.offered.holds(found.facts)]
    assert offered == ["mcp_fx_b", "mcp_of_a"]
    assert (found.materials.names[0], found.materials.trees) == ("A.md", ())


def test_null_in_a_stronger_layer_takes_the_value_of_a_weaker_one_away(project: Project) -> None:
    project.write({SETTINGS: '{"context": {"fileName": "A.md", "includeDirectoryTree": false}}'})
    own = {"context": {"fileName": None, "includeDirectoryTree": None}}
    project.write({"workspace/.gemini/settings.json": json.dumps(own)})
    found = project.gathered().materials
    assert (found.names, len(found.trees)) == (("GEMINI.md",), 1)


@pytest.mark.parametrize(
    ("value", "beside", "is_on"),
    [
        ("true", {}, True), ("FALSE", {}, False), ("no", {}, True), ("", {}, False), (0, {}, False), (1, {}, True),
        (None, {}, False), ("false", {"vimMode": "x"}, True),  # in a file that does not fit texts stay texts
    ],
)  # fmt: skip
def test_what_counts_as_true(project: Project, value: object, beside: dict[str, object], is_on: bool) -> None:
    project.write({SETTINGS: json.dumps({"experimental": {"taskTracker": value}, "general": beside})})
    assert ("tracker_create_task" in tools_of(project.assemble())) is is_on


@pytest.mark.parametrize(("text", "kept"), [("glob", True), ("*", False)])
def test_a_text_in_place_of_a_list_of_tools_counts_as_its_letters(project: Project, text: str, kept: bool) -> None:
    project.write({SETTINGS: json.dumps({"tools": {"exclude": text}})})
    assert ("glob" in tools_of(project.assemble())) is kept


def test_a_text_in_place_of_a_list_of_skills_is_one_item_more(project: Project) -> None:
    for name in ("one", "two", "three"):
        project.write({f"workspace/.gemini/skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: x\n---\n"})
    project.write({SETTINGS: '{"skills": {"disabled": ["one"]}}'})
    project.write({"workspace/.gemini/settings.json": '{"skills": {"disabled": "two"}}'})
    listed = [skill.name for skill in project.gathered().materials.skills if "/bundle/" not in skill.location]
    assert listed == ["three"]


def test_settings_win_in_the_order_of_their_layers(project: Project) -> None:
    def names(**layers: str) -> str:
        files = {"defaults": "managed/system-defaults.json", "user": "home/.gemini/settings.json",
                 "own": "workspace/.gemini/settings.json", "system": "managed/settings.json"}  # fmt: skip
        project.write({files[key]: json.dumps({"context": {"fileName": name}}) for key, name in layers.items()})
        return text_of(project.assemble(), "core_mandates").partition("stands in `")[2].partition("`")[0]

    assert names(defaults="D") == "D"
    assert names(user="U") == "U"
    assert names(own="W") == "W"
    assert names(system="S") == "S"


def test_the_machines_settings_lie_where_a_variable_says(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "settings.json").write_text('{"context": {"includeDirectoryTree": false}}')
    (folder / "system-defaults.json").write_text('{"context": {"fileName": "D.md"}}')
    env = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": f"{folder}/settings.json", "GEMINI_CLI_TRUST_WORKSPACE": "false"}
    assembly = project.assemble(env=env, dialog=True)
    assert "`D.md` or `GEMINI.md`" in text_of(assembly, "core_mandates")
    assert text_of(assembly, "session.directories") == ""


def test_comments_and_variables_in_settings(project: Project) -> None:
    text = '{ // a "comment"\n "context": {"fileName": ["$ONE", "${TWO:-two.md}", "a//b", "$NONE"]} /* x */ }'
    project.write({"home/.gemini/settings.json": text})
    mandates = text_of(project.assemble(env={"ONE": "one.md"}), "core_mandates")
    assert "`one.md`, `two.md`, `a/b`, `$NONE` or `GEMINI.md`" in mandates


def test_lists_that_layers_add_to(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{"tools": {"exclude": ["glob"], "allowed": ["write_file"]}}'})
    project.write({"workspace/.gemini/settings.json": '{"tools": {"exclude": ["read_file"], "allowed": []}}'})
    assert not {"glob", "read_file", "write_file"} & set(tools_of(project.assemble()))


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1,}', "{'a': 1}", ""])
@pytest.mark.parametrize("path", ["home/.gemini/settings.json", "workspace/.gemini/settings.json"])
def test_with_settings_that_cannot_be_read_the_client_does_not_start(project: Project, path: str, text: str) -> None:
    found = codes(project.write({path: text}).assemble(dialog=True))
    assert (found["bad-settings"].severity, found["bad-settings"].path) == ("warning", f"{project.root}/{path}")
    assert "is not a JSON object" in found["agent-refuses"].message


def test_settings_without_effect_are_named(project: Project) -> None:
    project.write(
        {"home/.gemini/settings.json": '{"contextFileName": "A",\n"general": {"defaultApprovalMode": "yolo"}}'}
    )
    found = [d for d in project.assemble().diagnostics if d.code == "setting-without-effect"]
    assert [d.line for d in found] == [2, 1]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/etc/gemini-cli"),
        ("darwin", "/Library/Application Support/GeminiCli"),
        ("win32", "/C:/ProgramData/gemini-cli"),
    ],
)
def test_the_machines_settings_lie_where_its_system_has_them(project: Project, platform: str, folder: str) -> None:
    scenario = project.scenario(environment={"platform": platform})
    _, inputs = resolve(scenario.model_copy(update={"managed": None}), Workspace())
    assert machine_files(inputs) == (f"{folder}/system-defaults.json", f"{folder}/settings.json")
    assert folder in roots(inputs)
    _, inputs = resolve(scenario, Workspace())
    assert machine_files(inputs)[1] == f"{project.root}/managed/settings.json"


@pytest.mark.parametrize(
    ("text", "why", "remedy"),
    [
        (None, "no such file", "create {}"),
        ("[]", "it cannot be used", "make {} a JSON object"),
        ("{}", "the file was found", ""),
    ],
)
def test_the_row_of_a_settings_file(project: Project, text: str | None, why: str, remedy: str) -> None:
    project.write({} if text is None else {SETTINGS: text})
    found = project.gathered(**UNTRUSTED)
    path = f"{project.root}/{SETTINGS}"
    [when] = [draft.when for draft in found.files if draft.path == path]
    verdict = when.evaluate(found.facts)
    assert (verdict.text, verdict.ok) == (why, text == "{}")
    assert isinstance(when, Fact)
    assert remedy.format(path) in when.remedy


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            '{"context": {\n"filename": ["A.md"]}}',
            2,
            "Gemini CLI knows no setting `context.filename` and ignores it; did you mean `context.fileName`?",
        ),
        (
            '{"theme": "x"}',
            1,
            "Gemini CLI knows no setting `theme` and ignores it: `theme` belongs in `ui`, but is at the top level",
        ),
        (
            '{"mcpservers": {}}',
            1,
            "Gemini CLI knows no setting `mcpservers` and ignores it; did you mean `mcpServers`?",
        ),
    ],
)
def test_an_unknown_key_says_what_was_meant(project: Project, text: str, line: int, message: str) -> None:
    assert said(project.write({SETTINGS: text}), "unknown-setting", dialog=True) == [(SETTINGS, line, message)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"tools": {"exclude": "x"}}', "`tools.exclude` must be a list of strings (Gemini CLI warns of it)"),
        ('{"general": {"defaultApprovalMode": "yolo"}}', "`general.defaultApprovalMode` must be one of default"),
        ('{"mcpServers": {"a": {"cmd": "node"}}}', "`mcpServers.a.cmd` is an unknown key; did you mean"),
    ],
)  # fmt: skip
def test_what_the_client_calls_an_invalid_configuration(project: Project, text: str, message: str) -> None:
    """Seen in 0.61.0, which takes the file all the same."""
    [(path, _, found)] = said(project.write({SETTINGS: text}), "bad-settings", dialog=True)
    assert (path, found[: len(message)]) == (SETTINGS, message)


def test_texts_may_say_numbers_and_truth_values(project: Project) -> None:
    project.write({SETTINGS: '{"ui": {"hideTips": "TRUE"}, "model": {"maxSessionTurns": " 5 "}, "telemetry": true}'})
    for code in ("bad-settings", "unknown-setting"):
        assert said(project, code, dialog=True) == []


SETTINGS = "home/.gemini/settings.json"


def refusal(project: Project, key: str, value: object, **given: object) -> str:
    """Why the client does not start, "" if it does."""
    name, _, inner = key.rpartition(".")
    found: dict[str, object] = {inner: value}
    for part in reversed(name.split(".") if name else []):
        found = {part: found}
    project.write({SETTINGS: json.dumps(found)})
    refused = codes(project.assemble(**given)).get("agent-refuses")
    return refused.message if refused else ""


@pytest.mark.parametrize(
    ("key", "value", "stops"),
    [
        ("general.defaultApprovalMode", "nope", True), ("general.defaultApprovalMode", 5, True),
        ("general.defaultApprovalMode", "yolo", False), ("general.defaultApprovalMode", "", False),
        ("tools.core", "read_file", True), ("tools.core", ["read_file"], False), ("tools.core", "", False),
        ("tools.exclude", "glob", False), ("tools.exclude", [5], True), ("tools.exclude", True, True),
        ("tools.allowed", 0, False), ("tools.allowed", {"a": 1}, True), ("tools.confirmationRequired", 5, True),
        ("context.fileName", 5, True), ("context.fileName", [5], True), ("context.fileName", "A.md", False),
        ("context.memoryBoundaryMarkers", 0, True), ("context.memoryBoundaryMarkers", ".hg", False),
        ("context.fileFiltering.customIgnoreFilePaths", 0, True), ("context.includeDirectories", [5], True),
        ("skills.disabled", 5, True), ("skills.disabled", 0, True), ("skills.disabled", "x", False),
        ("mcp.allowed", [5], False), ("mcp.excluded", 5, True), ("policyPaths", True, True), ("ui.theme", 5, True),
        ("ui.theme", 0, False), ("modelConfigs.overrides", 0, True), ("hooksConfig.disabled", 5, False),
        ("general.maxAttempts", "x", True), ("general.maxAttempts", 0, True), ("general.maxAttempts", False, True),
        ("general.maxAttempts", "5", False), ("general.maxAttempts", True, False), ("general.maxAttempts", None, False),
        ("tools", None, True), ("ui", None, True), ("skills", None, False), ("tools", [], False),
        ("tools.discoveryCommand", 5, True), ("tools.discoveryCommand", "", False),
        ("tools.discoveryCommand", "no-such-program -x", True), ("tools.sandbox", "no-such-program", True),
        ("tools.sandbox", {"enabled": True, "command": "no-such-program"}, True), ("tools.sandbox", "false", False),
        ("tools.sandbox", {"command": "no-such-program"}, False), ("tools.sandbox", 5, False),
        ("security.auth", {"selectedType": "a", "enforcedType": "b"}, True),
        ("security.auth", {"selectedType": "a", "enforcedType": "a"}, False),
        ("security.auth", {"enforcedType": "b"}, False),
    ],
)  # fmt: skip
def test_what_the_client_cannot_use(project: Project, key: str, value: object, stops: bool) -> None:
    assert bool(refusal(project, key, value)) is stops


def test_the_refusal_names_the_setting_and_what_it_takes(project: Project) -> None:
    said = refusal(project, "tools.core", "glob")
    assert said == "the client refuses to start: `tools.core` in ~/.gemini/settings.json:1 must be a list of strings"


def test_a_mode_that_is_given_stands_in_place_of_the_setting(project: Project) -> None:
    assert refusal(project, "general.defaultApprovalMode", "nope", mode="default") == ""


@pytest.mark.parametrize(
    ("turns", "starts"), [(0, False), (0.5, False), (1, True), (-1, True), (-5, True), (None, True)]
)
def test_a_headless_session_of_no_turns_asks_nothing(project: Project, turns: float | None, starts: bool) -> None:
    project.write({SETTINGS: json.dumps({"model": {"maxSessionTurns": turns}})})
    assert ("agent-refuses" not in codes(project.assemble())) is starts
    assert "agent-refuses" not in codes(project.assemble(dialog=True))


@pytest.mark.parametrize(
    ("settings", "tool"),
    [
        ({"experimental": {"plan": False}}, False),
        ({"experimental": {"plan": False}, "general": {"plan": {"enabled": True}}}, True),
        ({"general": {"plan": {"enabled": False}}}, False),
        ({"experimental": {"plan": True}}, True),
    ],
)
def test_a_key_of_an_older_version_counts_where_the_newer_one_is_not_there(
    project: Project, settings: dict[str, Any], tool: bool
) -> None:
    project.write({SETTINGS: json.dumps(settings)})
    assert ("enter_plan_mode" in tools_of(project.assemble())) is tool


def test_the_older_key_of_a_sub_agent_wins(project: Project) -> None:
    newer = {"agents": {"overrides": {"cli_help": {"enabled": True}}}}
    project.write({SETTINGS: json.dumps({**newer, "experimental": {"cliHelpAgentSettings": {"enabled": False}}})})
    assert "cli_help" not in text_of(project.assemble(), "sub_agents")


@pytest.mark.parametrize("name", ["contextManagement", "generalistProfile", "powerUserProfile", "stressTestProfile"])
def test_each_profile_of_the_context_has_the_prompt_sent_again(project: Project, name: str) -> None:
    assert text_of(project.assemble(), "prompt.again") == ""
    project.write({SETTINGS: json.dumps({"experimental": {name: True}})})
    assert text_of(project.assemble(prompt="hello"), "prompt.again") == "hello"
