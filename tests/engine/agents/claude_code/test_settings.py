from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.settings import ClaudeCodeSettings, Sources, gather_settings
from promptscope_engine.agents.kit.disk.walking import shown
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Fact, Facts, Setting
from promptscope_engine.prompt.model import Lever

if TYPE_CHECKING:
    from .conftest import Project


def test_precedence(project: Project) -> None:
    project.write(
        {
            "home/.claude/settings.json": json.dumps({"language": "german", "model": "opus"}),
            "workspace/.claude/settings.json": json.dumps({"language": "french"}),
            "workspace/.claude/settings.local.json": json.dumps({"language": "spanish"}),
        }
    )
    assert project.materials().language.value == "spanish"
    assert project.materials(params={"settings": {"language": "italian"}}).language.value == "italian"
    assert project.materials().model.id == "claude-opus-5-5"
    project.write({"managed/managed-settings.json": json.dumps({"language": "dutch"})})
    project.workspace.forget([str(project.root / "managed/managed-settings.json")])
    assert project.materials(params={"settings": {"language": "italian"}}).language.value == "dutch"


def test_lists_are_joined_and_objects_merged(project: Project) -> None:
    project.write(
        {
            "home/.claude/settings.json": json.dumps({"permissions": {"deny": ["Edit"], "allow": ["Read"]}}),
            "workspace/.claude/settings.json": json.dumps({"permissions": {"deny": ["WebSearch", "Edit"]}}),
        }
    )
    denied = [(rule.value, rule.source.shown, rule.source.line) for rule in project.materials().denied]
    assert denied == [("Edit", "~/.claude/settings.json", 1), ("WebSearch", ".claude/settings.json", 1)]


def test_setting_sources_leave_files_out(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{"language": "french"}'})
    args = {"args": {"settingSources": "user"}}
    assert project.materials(params=args).language.value == ""
    file = project.file("workspace/.claude/settings.json", params=args)
    assert not file.present
    assert file.why.levers[0].param == "args.settingSources"


def test_bad_json_is_a_diagnostic_with_its_line(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{\n"language": ]\n}'})
    found = [d for d in project.assemble().diagnostics if d.code == "bad-settings"]
    assert [(d.line, d.severity) for d in found] == [(2, "warning")]


def test_settings_that_are_no_object(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": "[1]", "home/.claude/settings.json": "[" * 100_000})
    codes = [d.code for d in project.assemble().diagnostics]
    assert codes.count("bad-settings") == 2


def test_the_language_keeps_its_line(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{\n  "language": "french"\n}'})
    section = project.assemble().section("language")
    assert section is not None
    origin = next(f.origin for f in section.fragments if f.text == "french")
    assert (origin.kind, origin.start_line) == ("file", 2)


def test_settings_set_variables(project: Project) -> None:
    project.write(
        {
            "workspace/CLAUDE.md": "x",
            "workspace/.claude/settings.json": '{"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}}',
        }
    )
    assert project.loaded() == []


# --- the layers by themselves -----------------------------------------------------------------------------------------

USER, PROJECT = "home/.claude/settings.json", "workspace/.claude/settings.json"
LOCAL, ORGANISATION = "workspace/.claude/settings.local.json", "managed/managed-settings.json"


def gathered(project: Project, files: dict[str, Any], **params: Any) -> ClaudeCodeSettings:
    project.write({name: value if isinstance(value, str) else json.dumps(value) for name, value in files.items()})
    project.workspace.forget(project.workspace.asked)
    _, inputs = resolve(project.scenario(params=params), project.workspace)
    config, managed = str(project.root / "home/.claude"), str(project.root / "managed")
    return gather_settings(inputs, config, managed, None, project.workspace)


@pytest.mark.parametrize(
    ("low", "high", "both"),
    [
        ({"b": 1}, {"c": 2}, {"b": 1, "c": 2}),
        ({"b": {"c": 1, "d": 1}}, {"b": {"c": 2}}, {"b": {"c": 2, "d": 1}}),
        ([1, 2], [2, 3], [1, 2, 3]),
        ([1], "x", "x"),
        ("x", [1], [1]),
        ({"b": 1}, [1], [1]),
        ([1], {"b": 1}, {"b": 1}),
        ({"b": 1}, "x", "x"),
        ("x", {"b": 1}, {"b": 1}),
        ("x", "y", "y"),
        (1, None, 1),
    ],
)
def test_lists_and_objects_are_merged_and_all_else_is_overridden(
    project: Project, low: Any, high: Any, both: Any
) -> None:
    assert gathered(project, {USER: {"a": low}, PROJECT: {"a": high}}).plain == {"a": both}


def test_each_layer_overrides_those_before_it(project: Project) -> None:
    order = [USER, PROJECT, LOCAL]
    for count in range(1, len(order) + 1):
        found = gathered(project, {path: {"language": path} for path in order[:count]}).known("language")
        assert (found.value, found.source.path) == (order[count - 1], str(project.root / order[count - 1]))
    found = gathered(project, {}, settings={"language": "given"}).known("language")
    assert (found.value, found.source.path, found.source.overlay) == ("given", None, "settings.language")
    found = gathered(project, {ORGANISATION: {"language": "ours"}}, settings={"language": "given"}).known("language")
    assert (found.value, found.source.shown, found.source.overlay) == (
        "ours",
        str(project.root / ORGANISATION),
        None,
    )


def test_a_setting_that_nobody_sets_would_stand_in_the_users_file(project: Project) -> None:
    found = gathered(project, {PROJECT: {"language": "x"}})
    for known in (found.known("a.b", default=5), found.without("project").known("language"), found.member("a", "b")):
        assert not known.source.is_set
        assert known.source.shown == "~/.claude/settings.json"
    assert found.known("a.b", default=5).value == 5


def test_layers_can_be_left_out(project: Project) -> None:
    found = gathered(project, {USER: {"a": 1}, PROJECT: {"a": 2}, LOCAL: {"b": 3}})
    personal = found.without("project")
    assert (personal.known("a").value, personal.known("b").value, found.known("a").value) == (1, 3, 2)
    assert personal.known("a").source.path == str(project.root / USER)


@pytest.mark.parametrize(("name", "overlay"), [("a@b", "settings.on.a@b"), ("a.b", None)])
def test_a_member_has_the_line_of_its_name(project: Project, name: str, overlay: str | None) -> None:
    found = gathered(project, {USER: f'{{"on": {{\n"x": true,\n"{name}": false}}}}'}).member("on", name)
    assert (found.value, found.source.key, found.source.line) == (False, f"on.{name}", 3)
    assert found.source.overlay == overlay
    assert gathered(project, {PROJECT: {"on": [name]}}).member("on", name).source.path == str(project.root / USER)


def test_the_items_of_all_layers_know_their_place(project: Project) -> None:
    files = {USER: '{"a": {"b": [\n"one",\n5,\n"two"]}}', PROJECT: {"a": {"b": "two"}}, LOCAL: {"a": {"b": "three"}}}
    found = gathered(project, files, settings={"a": {"b": ["four"]}}).items("a.b")
    assert [(item.value, item.source.line, item.source.overlay) for item in found] == [
        ("one", 2, None),
        ("two", 4, None),
        ("three", 1, None),
        ("four", None, "settings.a.b"),
    ]


@pytest.mark.parametrize(("sources", "named"), [(None, [USER, PROJECT, LOCAL]), ("user, local", [USER, LOCAL])])
def test_the_sources_that_are_let_in(project: Project, sources: str | None, named: list[str]) -> None:
    files = {path: {"language": path} for path in (USER, PROJECT, LOCAL, ORGANISATION)}
    found = gathered(project, files, args={"settingSources": sources})
    assert [layer.path.removeprefix(f"{project.root}/") for layer in found.layers if layer.path] == [
        *named,
        ORGANISATION,
    ]
    used = [file.path.removeprefix(f"{project.root}/") for file in found.files if file.when.holds(Facts())]
    assert used == [*named, ORGANISATION]


@pytest.mark.parametrize(
    ("named", "source", "is_let_in", "rest"),
    [
        ("user, project", "project", True, "user"),
        ("user,local", "project", False, "user,local"),
        ("local", "local", True, ""),
    ],
)
def test_the_argument_lets_a_source_in_or_leaves_it_out(named: str, source: str, is_let_in: bool, rest: str) -> None:
    found = Sources(named).condition(source)
    assert found.holds(Facts()) is is_let_in
    assert found.levers(Facts(), not is_let_in) == (Lever("args.settingSources", rest if is_let_in else None),)
    assert isinstance(found, Setting)
    assert found.off == Lever("args.settingSources", rest)


def test_nothing_leaves_an_organisations_files_out() -> None:
    assert Sources("user").condition("managed") is Sources(None).condition("user") is ALWAYS


@pytest.mark.parametrize(("count", "problems"), [(999, 0), (1_000, 0), (1_001, 1)])
def test_a_list_has_a_length(project: Project, count: int, problems: int) -> None:
    found = gathered(project, {USER: {"permissions": {"deny": [f"r{number}" for number in range(count)]}}})
    assert len(found.items("permissions.deny")) == min(count, 1_000)
    assert [each.message for each in found.diagnostics if each.code == "bad-settings"] == [
        "only the first 1,000 items of `permissions.deny` are used"
    ] * problems


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ('\ufeff{"a": 1}', None, None),
        ('{"a": 1e999, "b": -1e999}', None, None),
        ('{"a": NaN}', "cannot be read as JSON", 1),
        ('{\n"a" 1}', "not valid JSON", 2),
        ("5", "settings are a JSON object", 1),
        ('{"a":' * 101 + "1" + "}" * 101, "it is not read", 1),
        ("", None, None),
        ("\ufeff \n", None, None),
        ('{"language": 5}', "`language` must be a string: Claude Code drops the whole file", 1),
    ],
)
def test_what_is_wrong_with_a_file_of_settings(
    project: Project, text: str, problem: str | None, line: int | None
) -> None:
    found = gathered(project, {USER: text})
    assert [(d.message[: len(problem or "")], d.line) for d in found.diagnostics if d.code == "bad-settings"] == (
        [(problem, line)] if problem else []
    )
    assert found.files[0].when.holds(Facts()) is (problem is None)
    if "e999" in text:
        assert found.plain == {"a": sys.float_info.max, "b": -sys.float_info.max}


@pytest.mark.parametrize(
    ("value", "text"),
    [("x", "x"), (5, "5"), (True, "true"), (False, "false"), (["x"], None), (None, None), ({"b": "x"}, None)],
)
def test_a_variable_is_a_text_a_number_or_a_boolean(project: Project, value: Any, text: str | None) -> None:
    settings = gathered(project, {USER: {"env": {"A": value}}})
    _, inputs = resolve(project.scenario(env={"B": "own"}), project.workspace)
    env = settings.environment(inputs.env)
    assert env == {"B": "own"} | ({"A": text} if text is not None else {})
    mine, others = settings.variable("A", env), settings.variable("B", env)
    assert (mine.value, mine.source.shown) == ((text, "~/.claude/settings.json") if text is not None else ("", ""))
    assert (others.value, others.source.is_set, others.source.overlay) == ("own", True, "env.B")
    assert not settings.variable("C", env).source.is_set


@pytest.mark.parametrize(
    ("path", "words"),
    [("{root}/workspace/a", "a"), ("{root}/home/a", "~/a"), ("{root}/homely/a", "{root}/homely/a"), ("/x", "/x")],
)
def test_a_path_is_shown_from_the_nearest_place(project: Project, path: str, words: str) -> None:
    _, inputs = resolve(project.scenario(), project.workspace)
    assert shown(path.format(root=project.root), inputs.workspace, inputs.home) == words.format(root=project.root)


# --- what a file that does not fit costs [2.1.332] ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"language": 5}, "`language` must be a string"),
        ({"permissions": {"defaultMode": "plann"}}, "`permissions.defaultMode` must be one of"),
        ({"permissions": {"deny": "Read"}}, "`permissions.deny` must be a list"),
        ({"includeGitInstructions": "false"}, "`includeGitInstructions` must be true or false"),
        ({"skillListingBudgetFraction": "0.5"}, "`skillListingBudgetFraction` must be a number"),
        ({"skillListingBudgetFraction": 5}, "`skillListingBudgetFraction` must be a number above 0"),
        ({"claudeMdExcludes": "**/x.md"}, "`claudeMdExcludes` must be a list of strings"),
        ({"claudeMdExcludes": ["a", 5]}, "`claudeMdExcludes[1]` must be a string"),
        ({"skillOverrides": {"a": "never"}}, "`skillOverrides.a` must be one of on,"),
        ({"outputStyle": None}, "`outputStyle` must be a string"),
        ({"statusLine": {"type": "command"}}, "`statusLine.command` is missing"),
        ({"hooks": {"PreToolUse": 5}}, "`hooks.PreToolUse` must be a list"),
    ],
)
@pytest.mark.parametrize("path", [USER, PROJECT, LOCAL])
def test_a_wrong_value_drops_its_whole_file(project: Project, path: str, values: Any, why: str) -> None:
    found = gathered(project, {path: {"language": "german", "model": "opus", **values}})
    assert found.plain == {}
    row = next(file for file in found.files if file.path == str(project.root / path))
    assert not row.when.holds(Facts())
    assert isinstance(row.when, Fact)
    assert row.when.no.startswith(f"the whole file is dropped: {why}")
    assert found.diagnostics[0].message.startswith(why)


@pytest.mark.parametrize(
    "values",
    [
        {"noSuch": 5, "permissions": {"noSuch": []}},
        {"hooks": {"NoSuch": 5, "Stop": 5}},
        {"permissions": {"allow": ["Bash(", 5, "", "foo"], "deny": [5]}},
        {"env": {"A": 1, "B": None, "C": []}},
        {"enabledMcpjsonServers": "one", "effortLevel": 5, "disableArtifact": None},
    ],
)
def test_what_is_tolerated_keeps_the_file(project: Project, values: Any) -> None:
    assert gathered(project, {USER: {"language": "german", **values}}).known("language").value == "german"


def test_an_unknown_key_says_what_was_meant(project: Project) -> None:
    found = gathered(project, {USER: '{\n"outputstyle": "x",\n"defaultMode": "plan",\n"mcpServers": 5}'})
    assert [(each.code, each.line, each.message) for each in found.diagnostics] == [
        (
            "unknown-setting",
            2,
            "Claude Code knows no setting `outputstyle` and ignores it; did you mean `outputStyle`?",
        ),
        (
            "unknown-setting",
            3,
            "Claude Code knows no setting `defaultMode` and ignores it: `defaultMode` belongs in `permissions`, but is "
            "at the top level",
        ),
        (
            "unknown-setting",
            4,
            "Claude Code knows no setting `mcpServers` and ignores it: it belongs in .mcp.json of the project or in "
            "~/.claude.json",
        ),
    ]


def test_an_organisation_loses_the_setting_and_not_the_file(project: Project) -> None:
    values = {"language": "german", "outputStyle": 5, "permissions": {"deny": ["Edit"], "defaultMode": "plann"}}
    found = gathered(project, {ORGANISATION: values})
    assert found.plain == {"language": "german", "permissions": {"deny": ["Edit"]}}
    assert len(found.diagnostics) == 2


@pytest.mark.parametrize("text", ['{"a": 1,}', "[]", "null"])
def test_an_organisations_file_that_is_no_object_stops_the_start(project: Project, text: str) -> None:
    codes = [each.code for each in gathered(project, {ORGANISATION: text}).diagnostics]
    assert codes == ["agent-refuses"]


def test_further_files_of_an_organisation_win_in_the_order_of_their_names(project: Project) -> None:
    part = "managed/managed-settings.d/{}.json"
    files = {ORGANISATION: {"language": "a"}, part.format("10"): {"language": "b"}, part.format("9"): {"language": "c"}}
    assert gathered(project, files).known("language").value == "c"
    hidden = {**files, part.format(".z"): {"language": "d"}, "managed/managed-settings.d/z.JSON": {"language": "e"}}
    assert gathered(project, hidden).known("language").value == "c"


def test_local_settings_of_the_repository_count_in_each_of_its_folders(project: Project) -> None:
    project.write({LOCAL: '{"language": "root", "model": "opus"}'})
    project.write({"workspace/.git/HEAD": "ref: refs/heads/main\n"})
    project.write({"workspace/sub/.claude/settings.local.json": '{"language": "sub", "outputStyle": "Explanatory"}'})
    materials = project.materials(workspace=str(project.root / "workspace/sub"))
    assert (materials.language.value, materials.style.name) == ("root", "Explanatory")


def test_what_the_command_line_gives_is_held_to_the_same(project: Project) -> None:
    found = gathered(project, {}, settings={"outputStyle": "Explanatory", "statusLine": 5, "languag": "x"})
    assert found.plain == {}
    assert [each.message for each in found.diagnostics] == [
        "--settings: `statusLine` must be an object: Claude Code drops the whole file",
        "--settings: Claude Code knows no setting `languag` and ignores it; did you mean `language`?",
    ]


def test_folders_of_settings_are_listed_in_order_and_once(project: Project) -> None:
    project.write({"a/x": "", "b/x": "", "home/c/x": "", "workspace/in/x": "", "b/file": ""})
    user = {"permissions": {"additionalDirectories": ["../b", "~/c", "/nowhere", "../b/file", "./in", "."]}}
    own = {"permissions": {"additionalDirectories": [" ../a ", "../b", ""]}}
    project.write({USER: json.dumps(user), PROJECT: json.dumps(own)})
    project.workspace.allow([str(project.root)])
    folders = [known.value for known in project.materials().directories]
    assert folders == [str(project.root / name) for name in ("b", "home/c", "a")]


def test_a_folder_of_settings_and_the_command_line_is_named_once(project: Project) -> None:
    project.write({"a/x": "", "b/x": "", USER: json.dumps({"permissions": {"additionalDirectories": ["../a"]}})})
    project.workspace.allow([str(project.root)])
    given = {"args": {"addDir": [str(project.root / "a"), str(project.root / "b")]}}
    sections = [section for section in project.assemble(params=given).sections if section.present]
    lines = "\n".join([section.text or "" for section in sections]).split("\n")
    assert [line.strip(" -") for line in lines if line.endswith(("/a", "/b"))] == given["args"]["addDir"]


@pytest.mark.parametrize(
    ("version", "path", "counts"),
    [
        ("2.1.332", USER, True),
        ("2.1.332", PROJECT, False),
        ("2.1.332", LOCAL, False),
        ("2.1.332", ORGANISATION, True),
        ("2.1.100", PROJECT, True),
    ],
)
def test_a_project_cannot_set_every_variable(project: Project, version: str, path: str, counts: bool) -> None:
    project.write({path: json.dumps({"env": {"CLAUDE_CODE_SIMPLE": "1", "CLAUDE_CODE_DISABLE_CRON": "1"}})})
    assembly = project.assemble(version)
    assert [tool.name for tool in assembly.tools if tool.present and tool.name == "Agent"] == (
        [] if counts else ["Agent"]
    )
    said = [note.message for note in assembly.diagnostics if "can't set it" in note.message]
    assert said == (
        [] if counts else ["`CLAUDE_CODE_SIMPLE` doesn't count here: the settings of a project can't set it"]
    )


def test_settings_may_move_the_folder_that_they_are_in(project: Project) -> None:
    moved = {"env": {"CLAUDE_CONFIG_DIR": f"{project.root}/home/one", "CLAUDE_CODE_EFFORT_LEVEL": "low"}}
    project.write(
        {
            USER: json.dumps({**moved, "language": "german"}),
            "home/one/settings.json": '{"outputStyle": "Concise"}',
            "home/one/CLAUDE.md": "ONE",
            "home/.claude/CLAUDE.md": "FIRST",
        }
    )
    materials = project.materials()
    assert (materials.language.value, materials.inputs.env["CLAUDE_CODE_EFFORT_LEVEL"]) == ("", "low")
    assert materials.config_folder == f"{project.root}/home/one"
    assert project.loaded() == ["home/one/CLAUDE.md"]
    assert project.file(USER).present


@pytest.mark.parametrize(("home", "language"), [("home", "spanish"), ("workspace", "")])
def test_folders_of_a_repository_have_its_local_settings_unless_it_is_home(
    project: Project, home: str, language: str
) -> None:
    project.write({"workspace/.git/HEAD": "", "workspace/.claude/settings.local.json": '{"language": "spanish"}'})
    project.write({"workspace/sub/x": ""})
    where = {"workspace": f"{project.root}/workspace/sub", "home": f"{project.root}/{home}"}
    assert project.materials(**where).language.value == language
