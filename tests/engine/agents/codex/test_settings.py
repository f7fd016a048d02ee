"""The layers of the settings, what stops the start, and trust (docs/agents/codex.md#settings)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import ScenarioError
from promptscope_engine.agents.codex.gather.settings import JOIN

from .conftest import Answer, Codex, settings_of, untrusted

pytestmark = pytest.mark.slow

HOME = "home/.codex/config.toml"
PROJECT = "workspace/.codex/config.toml"


def text(value: str) -> str:
    return f'developer_instructions = "{value}"\n'


def test_each_layer_wins_over_the_one_below_it(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "managed/config.toml": text("system"), HOME: text("user"), "home/.codex/deep.config.toml": text("profile"),
        PROJECT: text("project"),
    }  # fmt: skip
    args: dict[str, Any] = {"trust": True, "profile": "deep", "config": ["developer_instructions=line"]}
    layers = ["line", "project", "profile", "user", "system"]
    for expected in layers:
        assert codex(files, args=args).text("developer_instructions") == expected
        match expected:
            case "line":
                args = {**args, "config": []}
            case "project":
                files[PROJECT] = ""
                del args["trust"]
            case "profile":
                files["home/.codex/deep.config.toml"] = ""
            case "user":
                args = {**args, "ignoreUserConfig": True}


def test_a_value_names_its_file_and_line(codex: Codex) -> None:
    answer = codex({HOME: "# first\n[features]\ngoals = false\n"})
    assert answer.tool("get_goal").why.text == "absent: the feature `goals` is off (in ~/.codex/config.toml:3)"
    source = answer.tool("get_goal").why.condition
    assert source is not None


def test_nearer_settings_of_a_repository_win(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "workspace/.git/HEAD": "", PROJECT: text("root"), "workspace/a/.codex/config.toml": text("near"),
    }  # fmt: skip
    assert codex(files, within="workspace/a", args={"trust": True}).text("developer_instructions") == "near"


@pytest.mark.parametrize(
    ("given", "value"),
    [("a", "a"), ("'a b'", "a b"), ('"a\\nb"', "a\nb"), ("a b", "a b"), ("'half", "half")],
)
def test_a_value_of_the_command_line_is_toml_or_a_text(codex: Codex, given: str, value: str) -> None:
    answer = codex(args={"config": [f"developer_instructions={given}"]})
    assert answer.text("developer_instructions") == value


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("model = \n", "this is not valid TOML"),
        ('project_doc_max_bytes = "many"\n', "`project_doc_max_bytes`: must be a whole number"),
        ("project_doc_max_bytes = -1\n", "a whole number of 0 or more"),
        ("model = 5\n", "`model`: must be a string"),
        ('approval_policy = "untrusted"\n', "`approval_policy`"),
        ('profile = "deep"\n', "`profile` is no longer a setting"),
        ('sandbox_mode = "none"\n', "must be one of read-only"),
        ('model_instructions_file = "missing.md"\n', "cannot be read"),
        ('default_permissions = "mine"\n', "a profile that does not exist"),
        ("[features]\ngoals = 1\n", "`features.goals`"),
        ('[mcp_servers.s]\nenabled = "yes"\n', "`mcp_servers.s.enabled`"),
    ],
)
def test_what_stops_the_start(codex: Codex, content: str, says: str) -> None:
    answer = codex({HOME: content})
    assert says in answer.message("agent-refuses")
    assert answer.assembly.diagnostics[0].severity == "error"
    assert not any(section.present for section in answer.assembly.sections)
    assert not answer.tools
    assert not answer.body.get("input")


def test_other_things_that_stop_the_start(codex: Codex) -> None:
    assert "profiles.deep" in codex({HOME: "[profiles.deep]\n"}, args={"profile": "deep"}).message("agent-refuses")
    assert "no feature `warp`" in codex({HOME: ""}, args={"enable": ["warp"]}).message("agent-refuses")
    assert "key=value" in codex(args={"config": ["model"]}).message("agent-refuses")
    empty = codex({"home/base.md": " \n"}, settings={"model_instructions_file": "~/base.md"})
    assert "is empty" in empty.message("agent-refuses")


def test_unknown_keys_are_ignored_with_a_word_or_stop_a_strict_start(codex: Codex) -> None:
    answer = codex({HOME: "no_such = 1\n[sandbox_workspace_write]\nno = 1\n"})
    assert answer.codes == ["unknown-setting", "unknown-setting"]
    assert "agent-refuses" in codex(args={"strictConfig": True}).codes


def test_broken_settings_of_a_project_that_is_not_trusted_do_no_harm(codex: Codex) -> None:
    answer = codex({PROJECT: "model = \n"})
    assert answer.codes == ["untrusted-config"]
    assert "agent-refuses" in codex(args={"trust": True}).codes


def test_a_missing_profile_is_told(codex: Codex) -> None:
    assert "starts without the profile" in codex(args={"profile": "none"}).message("missing-profile")


def test_a_decision_for_the_repository_counts_below_it(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {"workspace/.git/HEAD": "", PROJECT: text("root")}
    root, inner = str(place / "workspace"), str(place / "workspace/a")
    for path, sent, mode in (
        (root, True, "workspace-write"),
        (inner, False, "workspace-write"),
        ("/", False, "read-only"),
    ):
        answer = codex(files, within="workspace/a", settings={"projects": {path: {"trust_level": "trusted"}}})
        assert answer.section("developer_instructions").present is sent
        assert ("untrusted-config" in answer.codes) is not sent
        assert answer.assembly.mode == mode


def test_a_linked_worktree_goes_by_its_main_repository(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {"workspace/.git": f"gitdir: {place}/main/.git/worktrees/w\n", PROJECT: text("own")}
    files |= {"main/.git/worktrees/w/commondir": "../..\n", "main/.git/worktrees/w/gitdir": f"{place}/workspace/.git\n"}
    answer = codex(files, settings={"projects": {f"{place}/main": {"trust_level": "trusted"}}})
    assert answer.text("developer_instructions") == "own"


def test_a_linked_worktrees_own_hooks_are_not_read(codex: Codex, place: Path) -> None:
    hooks = json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}})
    files: dict[str, str | bytes] = {"workspace/.git": f"gitdir: {place}/main/.git/worktrees/w\n"}
    files |= {"main/.git/worktrees/w/commondir": "../..\n", "main/.git/worktrees/w/gitdir": f"{place}/workspace/.git\n"}
    files |= {"workspace/.codex/hooks.json": hooks, "main/.codex/hooks.json": hooks}
    trusted = f'[projects."{place}/main"]\ntrust_level = "trusted"\n'
    answer = codex({**files, "home/.codex/config.toml": trusted}).assembly
    assert [each.path for each in answer.programs] == [f"{place}/main/.codex/hooks.json"]
    [row] = [each for each in answer.files if each.path == f"{place}/workspace/.codex/hooks.json"]
    assert "in a linked worktree the hooks of the main checkout count" in row.why.text


def test_untrusted_projects_may_be_written_too(codex: Codex, place: Path) -> None:
    assert codex(settings=untrusted(place)).assembly.mode == "workspace-write"


def test_features_under_development_are_warned_of(codex: Codex) -> None:
    answer = codex(args={"enable": ["token_budget", "memories"]}, settings={"features": {"warp": True}})
    assert answer.codes == ["unstable-feature", "unknown-feature"]
    quiet = codex(args={"enable": ["token_budget"]}, settings={"suppress_unstable_features_warning": True})
    assert quiet.codes == []


# --- every surprise has a place -----------------------------------------------------------------------------


def placed(answer: Answer, code: str) -> tuple[str, int | None]:
    """Where the only diagnostic of a code points, below the place."""
    [found] = [d for d in answer.assembly.diagnostics if d.code == code]
    assert found.path is not None
    return found.path.removeprefix(f"{answer.place}/"), found.line


def test_surprises_of_the_chain_have_a_place(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "workspace/.git/HEAD": "", "workspace/AGENTS.override.md": " \n", "workspace/AGENTS.md": "hidden\n",
        "workspace/a/AGENTS.md": "1\n2\n3\n", "workspace/a/b/AGENTS.md": "near\n",
        "workspace/a/b/c/AGENTS.md": "below\n",
    }  # fmt: skip
    answer = codex(files, within="workspace/a/b", settings={"project_doc_max_bytes": 3})
    assert placed(answer, "blank-override") == ("workspace/AGENTS.override.md", 1)
    assert placed(answer, "truncated") == ("workspace/a/AGENTS.md", 2)
    assert placed(answer, "agents-md-dropped") == ("workspace/a/b/AGENTS.md", 1)
    assert placed(answer, "agents-md-below") == ("workspace/a/b/c/AGENTS.md", 1)
    (place / "workspace/a/AGENTS.override.md").symlink_to("AGENTS.override.md")
    assert placed(codex(within="workspace/a/b"), "agents-md-unreadable") == ("workspace/a/AGENTS.override.md", None)


def test_surprises_of_trust_profiles_and_skills_have_a_place(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {
        HOME: f'model = "gpt-5.5"\n[projects."{place}/workspace"]\ntrust_level = "untrusted"\n',
        "workspace/AGENTS.md": "lost\n",
        "home/.agents/skills/s/SKILL.md": f"---\nname: s\ndescription: {'long ' * 100}\n---\n",
    }
    answer = codex(files, args={"profile": "none"}, settings={"model_context_window": 20_000})
    assert placed(answer, "untrusted-agents-md") == (HOME, 3)
    assert placed(answer, "missing-profile") == ("home/.codex/none.config.toml", None)
    assert placed(answer, "skills-shortened") == ("home/.agents/skills/s/SKILL.md", 3)


@pytest.mark.parametrize("content", ["\nmodel = inf\n", "\nx = [nan]\n"])
def test_settings_that_are_no_json_stop_the_start(codex: Codex, content: str) -> None:
    answer = codex({HOME: content})
    [found] = [each for each in answer.assembly.diagnostics if each.code == "agent-refuses"]
    assert (found.path, found.line) == (f"{answer.place}/{HOME}", 1)
    assert "finite" in found.message


@pytest.mark.parametrize(
    ("lines", "origin"),
    [
        ('{key} = "Be brief."', ("file", 1)),
        ('# Be brief.\n{key} = "Be brief."', ("file", 2)),
        ('{key} = """\nBe brief."""', ("file", 2)),
        ("# one\n" * 60 + '{key} = "Be brief."', ("file", 61)),
        ('{key} = "Be \\u0062rief."', ("computed", None)),
        ('# Be brief.\n{key} = "Be \\u0062rief."', ("computed", None)),
        ('{key} = "Be \\u0062rief."\n# Be brief.', ("file", 2)),
    ],
)
def test_a_text_of_the_settings_has_its_line(codex: Codex, lines: str, origin: tuple[str, int | None]) -> None:
    section = codex({HOME: lines.format(key="developer_instructions")}).section("developer_instructions")
    assert section.text == "Be brief."
    assert [(f.origin.kind, f.origin.start_line) for f in section.fragments] == [origin]


def test_a_text_of_the_scenario_is_named_by_its_param(codex: Codex) -> None:
    section = codex(settings={"developer_instructions": "Be brief."}).section("developer_instructions")
    assert [(f.origin.kind, f.origin.name) for f in section.fragments] == [("param", "settings.developer_instructions")]


@pytest.mark.parametrize(
    ("path", "overlay"), [(("a", "b"), "settings.a.b"), (("a", "b.c"), None), (("a.b",), "settings.a.b")]
)
def test_a_key_with_a_dot_of_its_own_has_no_param(path: tuple[str, ...], overlay: str | None) -> None:
    assert settings_of().known(*path).source.overlay == overlay


@pytest.mark.parametrize(
    ("layers", "counts"),
    [
        ([], False),
        ([{"a": 1}], True),
        ([{"b": 1}], False),
        ([{"a": 1, "b": 1}], True),
        ([{"a": 1}, {"b": 1}], False),
        ([{"b": 1}, {"a": 1}], True),
        ([{"b": 1}, {"a": 1}, {"c": 1}], True),
    ],
)
def test_of_two_keys_the_one_in_the_strongest_layer_counts(layers: list[dict[str, Any]], counts: bool) -> None:
    assert settings_of(*layers).counts("a", "b") is counts


@pytest.mark.parametrize(
    ("features", "name", "on"),
    [
        ({}, "multi_agent", True),
        ({"collab": False}, "multi_agent", False),
        ({"collab": False, "multi_agent": True}, "multi_agent", True),
        ({"codex_hooks": False}, "multi_agent", True),
        ({"multi_agent": {"enabled": False}}, "multi_agent", False),
        ({}, "token_budget", False),
        ({"token_budget": True}, "token_budget", True),
    ],
)
def test_a_feature_goes_by_its_older_names_too(features: dict[str, Any], name: str, on: bool) -> None:
    values = {"features": features}
    assert settings_of(values).feature(name).value is on


def test_a_key_that_nobody_knows_is_named_by_its_file(codex: Codex) -> None:
    answer = codex({HOME: "no_such = 1\n"}, args={"config": ["nor_this=1"]})
    found = [(d.path, d.line) for d in answer.assembly.diagnostics if d.code == "unknown-setting"]
    assert found == [(f"{answer.place}/{HOME}", 1), (None, None)]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a = 1\nb = \n", 2),
        ("\n\n\n= 1\n", 4),
        ('a = """', None),
        ('["line 9,"]\n\n["line 9,"]\n', 3),
    ],
)
def test_what_is_no_toml_has_its_line(codex: Codex, content: str, line: int | None) -> None:
    """A key may look like the place of a mistake."""
    answer = codex({HOME: content})
    assert [d.line for d in answer.assembly.diagnostics if d.code == "agent-refuses"] == [line]


def test_a_mistake_on_the_command_line_is_told_by_its_first_80_characters(codex: Codex) -> None:
    message = codex(args={"config": ["x" * 81]}).message("agent-refuses")
    assert message == f"Codex does not start: -c {'x' * 80}: it is not `key=value`"


def test_what_is_no_toml_is_told_shortly(codex: Codex) -> None:
    twice = f"[{'x' * 300}]\n"
    assert len(codex({HOME: twice * 2}).message("agent-refuses")) == len("Codex does not start: ") + 200


def test_what_stops_the_start_has_its_file(codex: Codex) -> None:
    refused = [d for d in codex({HOME: "model = 5\n"}).assembly.diagnostics if d.code == "agent-refuses"]
    assert [(d.path and Path(d.path).name, d.line) for d in refused] == [("config.toml", 1)]


@pytest.mark.parametrize(("is_trusted", "yes"), [(False, "absent:"), (True, "present: the file was found and")])
def test_settings_of_a_folder_say_what_is_trusted(codex: Codex, is_trusted: bool, yes: str) -> None:
    files: dict[str, str | bytes] = {"workspace/.git/HEAD": "", PROJECT: "", "workspace/a/.codex/config.toml": ""}
    answer = codex(files, within="workspace/a", args={"trust": is_trusted})
    verb = "is" if is_trusted else "is not"
    assert answer.file(PROJECT).why.text == f"{yes} the project {verb} trusted"
    assert answer.file("workspace/a/.codex/config.toml").why.text == f"{yes} this folder {verb} trusted"


def test_a_folder_that_nobody_decided_on_has_no_place(codex: Codex) -> None:
    answer = codex({HOME: "", PROJECT: ""})
    assert answer.file(PROJECT).why.text == "absent: the project is not trusted"


def test_a_window_of_the_scenario_is_one_token_at_least(codex: Codex) -> None:
    assert codex(settings={"model_context_window": 1}).assembly.tokens.window == 0
    with pytest.raises(ScenarioError, match="model_context_window"):
        codex(settings={"model_context_window": 0})


@pytest.mark.parametrize(
    ("low", "high", "both"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}),
        ({"a": {"b": 1}}, {"a": 5}, {"a": 5}),
        ({"a": 5}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": [1]}, {"a": [2]}, {"a": [2]}),
        ({"a": 1}, {"a": None}, {"a": 1}),
    ],
)
def test_tables_merge_key_by_key_and_nothing_else_does(low: Any, high: Any, both: Any) -> None:
    assert JOIN.over(low, high) == both


def test_a_trusted_project_may_call_itself_untrusted(codex: Codex, place: Path) -> None:
    """Its settings count then, and its AGENTS.md does not [0.169.0]."""
    config = f'developer_instructions = "theirs"\n[projects."{place}/workspace"]\ntrust_level = "untrusted"\n'
    files: dict[str, str | bytes] = {"workspace/.git/HEAD": "", "workspace/AGENTS.md": "ours", PROJECT: config}
    answer = codex(files, args={"trust": True})
    assert answer.text("developer_instructions") == "theirs"
    assert "the project is untrusted" in answer.file("workspace/AGENTS.md").why.text


def test_an_empty_base_takes_the_message_away(codex: Codex) -> None:
    """[0.169.0]"""
    assert len(codex({HOME: 'instructions = ""\n'}).parts) == len(codex({HOME: 'instructions = "x"\n'}).parts) - 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('[model_providers.openai]\nname = "x"\n', "`model_providers.openai`: is Codex's own"),
        ("[model_providers.ollama]\n", "`model_providers.ollama`: is Codex's own"),
        ('[model_providers.q]\nname = " "\n', "must be a string that is not blank"),
        ("[features.multi_agent_v2]\nmax_wait_timeout_ms = 29999\n", "needs `default_wait_timeout_ms` no higher than"),
        ("[features.multi_agent_v2]\nmax_concurrent_threads_per_session = 0\n", "must be a whole number of 1 or more"),
    ],
)
def test_values_that_stop_the_start(codex: Codex, content: str, says: str) -> None:
    assert says in codex({HOME: content}).message("agent-refuses")


@pytest.mark.parametrize(
    "content",
    [
        "[model_providers.openai]\n",
        '[model_providers.openai]\nname = ""\nrequires_openai_auth = false\n',
        "[features.multi_agent_v2]\nmax_wait_timeout_ms = 30000\n",
    ],
)
def test_values_that_do_not(codex: Codex, content: str) -> None:
    """A provider of Codex's own may be named with what it has anyway [0.169.0]."""
    assert "agent-refuses" not in codex({HOME: content}).codes


def test_only_what_the_layers_come_to_has_to_fit(codex: Codex) -> None:
    """With --strict-config every file has to [0.169.0]."""
    wrong = {HOME: 'model_verbosity = "x"\n[model_providers.q]\nbase_url = "x"\n'}
    right = ['model_verbosity="low"', 'model_providers.q.name="q"']
    assert "`model_verbosity`" in codex(wrong).message("agent-refuses")
    assert "agent-refuses" not in codex(wrong, args={"config": right}).codes
    assert "agent-refuses" in codex(wrong, args={"config": right, "strictConfig": True}).codes


def test_a_truth_value_over_the_table_of_a_feature_leaves_the_rest(codex: Codex) -> None:
    wrong = {HOME: "[features.multi_agent_v2]\nmin_wait_timeout_ms = 40000\n"}
    assert "min_wait_timeout_ms" in codex(wrong, args={"config": ["features.multi_agent_v2=true"]}).message(
        "agent-refuses"
    )
